# Facts files: read, checked, refused with the place of the fault.
try() { telar plan --count 5000 --facts f.json --json >plan.json 2>message && python3 "$CASES/tools.py" keys plan.json "$@"; status=$?; cat message; echo "exit $status"; }
echo '{"version": 1, "device": "X", "novel": 1, "facts": {"compute_units": {"value": 30, "source": "given"}}}' >f.json; try idle_units
echo '{"limits": {"maxComputeInvocationsPerWorkgroup": 32, "maxComputeWorkgroupSizeX": 32}}' >f.json; try workgroup_size
printf '{\n  "limits": {"maxBufferSize": 1,}\n}\n' >f.json; try
echo '{"limits": {"maxBufferSize": "much"}}' >f.json; try
echo '{"facts": {"compute_units": {"value": -1}}}' >f.json; try
echo '{"version": 9, "limits": {}}' >f.json; try
echo '{}' >f.json; try
: >f.json; try
mkdir g.json; telar plan --count 5 --facts g.json 2>&1; echo "exit $?"
