# Bad usage: a clear line on standard error, nothing on standard output, exit status 2.
bad() { telar "$@" 2>message; status=$?; cat message; echo "exit $status"; }
bad
bad pln --count 3
bad nonsense
bad plan --cuont 3
bad plan --co 3
bad plan --count
bad plan --json=1 --count 3
bad plan -x --count 3
bad plan --count 3 extra
bad plan --count 3 --lang de
bad weave
bad run
bad --cout
bad --nothing
bad --json=1
bad pln --lang es
bad plan --cuont 3 --lang=es
LC_ALL=es_ES.UTF-8 bad weave
# What a primitive has no use for, it does not have.
bad sort u32:4 --with u32:4
bad generate --count 4 --combine f.wgsl
