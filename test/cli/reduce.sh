# reduce: every operator against plain C; conditions, expressions, own operators; no elements; what is refused.
for op in sum prod min max and or xor argmin argmax minmax mean; do
    printf '%s: ' $op
    telar reduce i32:30011:random --op $op --verify 2>/dev/null | grep -v '^wgpu' | tr '\n' ' '
    echo
done 2>&1 | sed 's/mean: .*verified/mean: verified/'
for op in sum min max argmin argmax minmax mean; do telar reduce f32:30011:random --op $op --verify 2>/dev/null | tail -1; done
telar reduce u32:1000:iota --op count --where 'x % 3u == 0u' --verify 2>/dev/null | tail -2
telar reduce u32:1000:iota --op any --where 'x == 999u' --json 2>/dev/null | grep result
telar reduce u32:1000:iota --op all --where 'x < 999u' --json 2>/dev/null | grep result
telar reduce u32:100:iota --where 'x > 50u' --out s.npy 2>/dev/null | tail -2
telar reduce u32:10:iota --op minmax --json 2>/dev/null | grep result
telar reduce u32:100:iota --expr 'x * x' --verify 2>/dev/null | tail -2
printf 'fn combine(a: u32, b: u32) -> u32 { return max(a, b) ; }\n' >f.wgsl
telar reduce u32:100:iota --combine f.wgsl --verify 2>/dev/null | tail -2
for op in sum min max and argmin count; do telar reduce u32:0 --op $op --where true 2>/dev/null | tail -1; done
telar reduce u32:0 --op argmax 2>/dev/null | tail -2
refused() { telar reduce "$@" 2>&1 | grep -v 'no GPU is used'; }
refused u32:10 --op avg
refused u32:10 --op coun
refused u32:10 --op count
refused u32:10 --op count --where 'x +'
refused f32:10 --op min --where 'x > 0'
refused f32:10 --op and
