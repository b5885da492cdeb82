# What is measured stands in the JSON and in the facts file, which a plan takes; what the file had beyond it is kept.
echo '{"novel": 1}' >facts.json
telar tune --time 100ms --out facts.json --json >tune.json || echo "failed"
python3 - <<'PY'
import json
tuned, written = json.load(open("tune.json")), json.load(open("facts.json"))
print(*tuned)
print(all(fact["value"] > 0 and fact["how"] and fact["source"] == "measured" for fact in tuned["facts"].values()))
print({name: fact for name, fact in written["facts"].items() if fact["source"] == "measured"} == tuned["facts"])
print(all(name in tuned["facts"] for name in ("bandwidth", "read_bandwidth", "group_launch_rate", "dispatch_overhead_us")))
print(written["novel"], written["type"], len(written["limits"]) > 20)
PY
telar plan --count 1000 --facts facts.json --json | python3 "$CASES/tools.py" keys - count
telar tune --time 100ms --lang es | sed -n 's/^\(  bandwidth\) .* ±.* %  /\1 /p'
bad() { telar tune "$@" 2>&1; echo "exit $?"; }
bad --time soon
bad --time 10ms
bad --time 1h
bad --time -1s
bad --out no/such/folder/facts.json --time 100ms
bad file
