# Two rounds of a small case: no time is asserted, but what is measured, that it is right, and what the gate says of it.
telar bench --list map copy
telar bench --list --way 'tune look-back 1024' exclusive
telar bench --list --json map | python3 "$CASES/tools.py" keys - cases
quick() { telar bench map --way telar --way textbook --count 1000 --rounds 2 --set-ms 1 --warm-ms 1 --repeats 20 "$@" 2>err; status=$?; cat err; echo "exit $status"; }
quick --out now.json | sed -E '1d; s/[0-9]+\.[0-9]+/#/g; s/ ≈ / /; s/ +/ /g'
quick --lang es | sed -E '1d; s/[0-9]+\.[0-9]+/#/g; s/ ≈ / /; s/ +/ /g'
quick --json >now2.json; sed -i '$d' now2.json
cat >look.py <<'PY'
import json
for name in ("now.json", "now2.json"):
    archive = json.load(open(name))
    print(*archive)
    print(*archive["environment"])
    for r in archive["results"]:
        if not print(r["way"], r["n"], r["clock"], r["verdict"], r["dispatches"], len(r["rounds_ns"])):
            timed = r["clock"] == "gpu"
            assert r["median_ns"] > 0 and (r["noise"] is not None) == timed, r
            assert (r["share_of_copy"] is not None and abs(r["share_of_copy"] * r["median_ns"] / r["copy_ns"] - 1) < 1e-4) == timed, r
PY
python3 look.py
# Archives of the past, written by hand: a nanosecond, eleven days, both in turn, one round.
cat >plant.py <<'PY'
import json
for name, rounds in (("fast", [1, 1]), ("slow", [1e15, 1e15]), ("noisy", [1, 1e15, 1]), ("once", [1])):
    archive = json.load(open("now.json"))
    for r in archive["results"]:
        r["rounds_ns"] = rounds
    json.dump(archive, open(name + ".json", "w"))
archive = json.load(open("now.json"))
archive["environment"]["adapter"] = "another"
for r in archive["results"]:
    r["rounds_ns"] = [1e15, 1e15]
    r["n"] += r["way"] == "telar"
json.dump(archive, open("other.json", "w"))
PY
python3 plant.py
gate() { quick --compare "$1.json" --fail-if-slower "$2" | sed -E '1,/^beside/d; s/[-+]?[0-9]+\.[0-9]+/#/g; s/ +/ /g'; }
gate fast 5%
gate fast 1000
gate slow 5%
gate noisy 0%
gate once 5% | tail -2
gate other 5% | sed 's/: another, .*/: another/'
quick --compare fast.json | tail -1
quick --compare fast.json --json >compared.json
sed '$d' compared.json | python3 -c 'import json, sys; [print(d["way"], d["change"], d["ratio"] > 100) for d in json.load(sys.stdin)["compared"]]'
# A companion that is wrong is seen.
quick --companion 'liar=while read -r line; do echo ns 1000 0; done' | sed -n 's/^ *liar.*\(WRONG.*\)/\1/p; /^telar/p; /^exit/p'
bad() { telar bench "$@" 2>&1; echo "exit $?"; }
bad scna
bad sort --way nobody
bad --fail-if-slower 5%
bad --fail-if-slower fast --compare now.json
bad --fail-if-slower 5% --compare now.json --rounds 1
bad --rounds 3 --time 1s
bad --rounds 65
bad --time 1h
bad --set-ms 0
bad --count 0
bad --out -
bad --compare look.py
bad --compare nothing.json
bad map --companion nobody
bad map --count 1000 --rounds 1 --out no/such/folder/now.json
bad map --device wgpu:99
