# The lessons' numbers, from the tool.
plan() { echo "plan $*"; telar plan "$@" --json >plan.json; shift $#; }
keys() { python3 "$CASES/tools.py" keys plan.json "$@"; }
plan --count 3000001 --size 64; keys groups idle_invocations shape dispatch
plan --count 3_000_000; keys groups idle_invocations lesson.groups
plan --count 5000 --size 256 --units 30; keys groups idle_units
plan --count 5000 --size 64 --units 30; keys groups idle_units
plan --count 5000 --size 40 --subgroup 32; keys lanes
plan --count 4194240 --size 64 --items 1; keys groups shape dispatch
plan --count 4194241 --size 64 --items 1; keys groups shape dispatch idle_groups
plan --count 8388544 --size 64 --items 1; keys groups shape dispatch idle_groups
plan --count 0; keys shape dispatch groups windows
plan --count 1M --kind reduce; keys workgroup_size steps partials
plan --count 1M --kind reduce --size 64; keys workgroup_size steps partials
plan --count 640x480 --kind image; keys workgroup_size count domain
plan --count 512x512x512; keys count shape
plan --count 2_147_483_649 --size 64; keys windows.0.count windows.1.first windows.1.count
plan --count 1000; keys resident_groups waves last_wave_groups idle_units predicted_us partials
