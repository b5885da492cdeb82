# What is asked for and not allowed is refused with both numbers.
refused() { telar plan "$@" 2>&1; echo "exit $?"; }
refused --count 1000 --size 512
refused --count 4194241 --size 64 --items 1 --shape linear
refused --count 1000 --size 129 --facts compatibility
refused --count 281474976710657
refused --count -5
refused --count 12q
refused --count 0x10
refused --count 3 --items 0
refused --count 3 --size 64,
refused --count 1x2x3x4
refused --count 3 --limit maxBuferSize=1
refused --count 3 --limit maxBufferSize
refused --count 3 --subgroup 24
refused --count 3 --kind elemnt
refused --count 3 --facts missing.json
refused
