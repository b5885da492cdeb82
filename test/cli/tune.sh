# What is measured stands in the JSON and in the facts file, which a plan takes; what the file had beyond it is kept.
known() { telar plan --count 1000000 "$@" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["predicted_us"] is not None)'; }
scale() { telar run "$ROOT/examples/scale.wgsl" --bind s=f32:1000000 --out d=d.npy --time --json | python3 -c 'import json, sys; share = json.load(sys.stdin)["share_of_copy"]; print(share is not None and share > 0)'; }
cat >found.py <<'PY'
import json, sys
tuned = max((device.get("facts") or {} for device in json.load(sys.stdin)["devices"]), key=len)
wanted = ("bandwidth", "read_bandwidth", "group_launch_rate", "dispatch_overhead_us", "dispatch_independent_us",
          "submit_overhead_us", "resident_groups_of_64", "subgroup_of_32", "repeat_spread")
missing = [name for name in wanted if name not in tuned]
sys.exit("not found: " + " ".join(missing) if missing else 0)
PY
# Some facts are differences of two times, which other work on the machine may turn around: then once more.
tune() {
    for turn in 1 2 3 4 5; do
        echo '{"novel": 1}' >facts.json
        telar tune --time 100ms "$@" >tuned || return 1
        telar devices --facts --json | python3 found.py 2>missing && known --facts wgpu:0 | grep -q True && break
    done
    cat tuned
}
telar devices --facts 2>/dev/null | grep -c 'not measured yet; telar tune --device wgpu:0'
known --facts wgpu:0
scale
tune --out facts.json --json >tune.json || echo "failed"
python3 - <<'PY'
import json
tuned, written = json.load(open("tune.json")), json.load(open("facts.json"))
print(*tuned)
print(all(fact["value"] > 0 and fact["how"] and fact["unit"] and fact["spread"] >= 0 and fact["source"] in ("measured", "probe")
          for fact in tuned["facts"].values()))
print({name: fact for name, fact in written["facts"].items() if "how" in fact} == tuned["facts"])
print(written["novel"], written["type"], len(written["limits"]) > 20)
PY
telar devices --facts --json | python3 found.py && echo "found"
telar plan --count 1000 --facts facts.json --json | python3 "$CASES/tools.py" keys - count
# It is kept for all commands that open the device: a plan that names it predicts, one without facts does not.
known --facts wgpu:0; known; scale
telar devices --facts --json >devices.json
# The share of a copy, of kernels and primitives, is by those facts; without GPU times there is none.
telar run "$ROOT/examples/scale.wgsl" --bind s=f32:1000000 --out d=d.npy --time --repeat 3 --json >run.json
telar map f32:1000000 --expr 'x * 2' --time --repeat 3 --json >map.json
telar map f32:1000000 --expr 'x * 2' --json >untimed.json
cat >share.py <<'PY'
import json
tuned = json.load(open("tune.json"))
fact = {name: fact["value"] for name, fact in tuned["facts"].items()}
for name in "run", "map":
    run = json.load(open(name + ".json"))
    cached = run["bytes"] <= fact.get("cache_bytes", 0) and "cache_bandwidth" in fact
    copy_us = fact["dispatch_overhead_us"] + run["bytes"] / fact["cache_bandwidth" if cached else "bandwidth"]
    print(name, run["bytes"], abs(run["share_of_copy"] * run["gpu_us"]["median"] / copy_us - 1) < 1e-6)
print(json.load(open("untimed.json"))["share_of_copy"])
PY
python3 share.py
python3 - <<'PY'
import json
tuned = json.load(open("tune.json"))
devices = json.load(open("devices.json"))["devices"]
print(next(device for device in devices if device["name"] == tuned["device"])["facts"] == tuned["facts"])
print(json.load(open(tuned["profile"]))["facts"]["bandwidth"] == tuned["facts"]["bandwidth"])
PY
ls -l "$XDG_CACHE_HOME" | cut -c 1-10 | tail -1
# What lies there broken is as good as nothing, and the next tuning replaces it.
for profile in "$XDG_CACHE_HOME"/telar/*; do echo '{' >"$profile"; done
known --facts wgpu:0
tune --lang es | sed -n 's/^\(  bandwidth\) .* ±.* %  /\1 /p'
known --facts wgpu:0
bad() { telar tune "$@" 2>&1; echo "exit $?"; }
bad --time soon
bad --time 10ms
bad --time 1h
bad --time -1s
bad --out no/such/folder/facts.json --time 100ms
bad file
