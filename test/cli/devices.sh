# One object; every device with these keys, one default.
telar devices --json >devices.json || echo "failed"
python3 - <<'PY'
import json
devices = json.load(open("devices.json"))["devices"]
print(*devices[0])
print(*devices[0]["dialect"])
print(sum(device["default"] for device in devices))
first = next(device for device in devices if device["default"])
print(first["name"], first["usable"], first["why_not"], len(first["limits"]) > 20)
PY
telar devices >text.txt 2>/dev/null && grep -c '^wgpu:0' text.txt
telar plan --count 1000 --facts wgpu:0 --json | python3 "$CASES/tools.py" keys - count
