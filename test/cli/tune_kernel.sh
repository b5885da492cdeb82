# One kernel tuned: the best of what was tried, its output compared with the default plan's, and the result in every form.
cp "$ROOT/examples/scale.wgsl" .
telar tune scale.wgsl --count 50001 --time 1s --out facts.json --wgsl tuned.wgsl --c tuned.c --json >tuned.json || echo "failed"
python3 - <<'PY'
import json
tuned, facts = json.load(open("tuned.json")), json.load(open("facts.json"))
print(*tuned)
print(0 < tuned["tried"] <= tuned["candidates"], tuned["wrong"], tuned["best"]["us"] <= tuned["default"]["us"])
print(*facts["kernels"]["scale"])
print(facts["kernels"]["scale"]["workgroup_size"] == tuned["best"]["workgroup_size"], len(facts["limits"]) > 20)
PY
telar check tuned.wgsl | grep -c ': error:'
sed -n 's/ .*tuned on.*/ .../; 1,2p' tuned.c
{ echo '#include <telar/plan.h>'; cat tuned.c; echo 'int main(void) { return tuned.count[0] == 50001 ? 0 : 1; }'; } >main.c
cc -std=c11 -Wall -Werror -I "$ROOT/include" main.c -o main && ./main && echo "it compiles"
telar plan --count 50001 --facts facts.json >plan.txt && echo "a plan takes the file"
# An ordinary kernel: its overrides are the search, and get their values.
cat >add.wgsl <<'WGSL'
override items: u32 = 1;
override size: u32;
override step: f32 = 0.5;
@group(0) @binding(0) var<storage, read> s: array<f32>;
@group(0) @binding(1) var<storage, read_write> d: array<f32>;
@compute @workgroup_size(size)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let first = group.x * size * items + lane;
    for (var k = 0u; k < items; k++) {
        let i = first + k * size;
        if (i < arrayLength(&s)) { d[i] = s[i] + step; }
    }
}
WGSL
telar tune add.wgsl --count 5000 --sizes 64,128 --items 1,4 --time 200ms --set step=2 --wgsl - --c add.c | sed -n '/^override/p' | sed 's/\(items\|size\): u32 = [0-9]*/\1: u32 = N/'
grep -c 'size = {\(64\|128\)}' add.c
# Values that change the result are told, and never the best.
telar tune add.wgsl --count 5000 --sizes 64 --items 1 --shapes linear --time 200ms --set step=2,3 --json >sets.json 2>sets.log; echo "exit $?"
python3 -c 'import json; t = json.load(open("sets.json")); print(t["best"]["overrides"], t["wrong"], t["candidates"])'
grep -c "the 5000 words of 'd' are wrong" sets.log
# What --bind gives is the count.
telar tune scale.wgsl --bind s=f32:3000:iota --sizes 64 --items 1,2 --time 100ms --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["count"])'
telar tune reduce --count 1000 --sizes 64 --items 1 --shapes linear --time 100ms --lang es | sed 's/ en .*//; s/ [0-9.]* us.*//; s/ *$//'
bad() { telar tune "$@" 2>&1; echo "exit $?"; }
bad scale.wgsl
bad scale.wgsl --count 10,20
bad add.wgsl --count 10 --sizes 64x
bad add.wgsl --count 10 --shapes linear,round
bad add.wgsl --count 10 --items 1,1000
bad missing.wgsl --count 10
bad --count 10
