# A full disk and a closed pipe: an error, exit status 2, nothing left behind; an older file stays as it was.
printf '@group(0) @binding(0) var<storage, read_write> d: array<f32>;\nfn element(i: u32) { d[i] = 1.0; }\n' >k.wgsl
ln -s /dev/full full.npy
telar run k.wgsl --bind d=f32:100 --out d=full.npy 2>&1; echo "exit $?"
telar plan --count 5 --json 2>&1 >/dev/full; echo "exit $?"
(telar run k.wgsl --bind d=f32:1M --out d=- 2>message; echo "exit $?" >&2) 2>status | head -c 1 >/dev/null; cat status; grep Broken message
echo old >old.npy; chmod 444 old.npy
mkdir part; telar run k.wgsl --bind d=f32:4 --out d=part 2>&1 >/dev/null; echo "exit $?"
(ulimit -f 8; telar run k.wgsl --bind d=f32:1M --out d=big.npy 2>/dev/null >/dev/null; [ $? != 0 ] && echo refused)
ls -A
telar plan --count 5 2>&1 >&-; echo "exit $?"
telar run k.wgsl --bind d=f32:4 --out d=closed.npy >&- 2>/dev/null; echo "exit $?"; python3 "$CASES/tools.py" show closed.npy
