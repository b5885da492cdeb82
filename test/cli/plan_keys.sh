# One JSON object with these keys in this order, and nothing else.
telar plan --count 1000 --json | python3 -c 'import json, sys; print(*json.load(sys.stdin), sep="\n")'
