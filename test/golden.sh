#!/bin/sh
# usage: golden.sh [--bless] TELAR [SCRIPT...]     default: every test/cli/*.sh
#
# Runs each script in an empty folder and compares what it prints with SCRIPT.stdout and its exit status with SCRIPT.exit
# (0 where the file is missing); SCRIPT.stderr is compared where it exists. --bless writes what was got.
# A script finds: telar on its PATH, $TELAR (the tool), $ROOT (the repository), $CASES (the folder of the scripts).
set -u
bless=
[ "${1:-}" = --bless ] && { bless=1; shift; }
telar=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/cli/*.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TELAR="$telar" ROOT="${here%/*}" CASES="$here/cli" LC_ALL=C.UTF-8 LANG=C.UTF-8
export PATH="$(dirname "$telar"):$PATH"
failed=0 passed=0
for script in "$@"; do
    name=$(basename "$script" .sh)
    script=$(cd "$(dirname "$script")" && pwd)/$name.sh
    mkdir -p "$work/$name"
    export XDG_CACHE_HOME="$work/$name.cache" # no profile of this machine
    (cd "$work/$name" && sh "$script") >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
    if [ $bless ]; then
        cp "$work/stdout" "$script.stdout"
        if [ $status = 0 ]; then rm -f "$script.exit"; else echo $status >"$script.exit"; fi
        [ ! -e "$script.stderr" ] || cp "$work/stderr" "$script.stderr"
        continue
    fi
    wrong=
    diff -u "$script.stdout" "$work/stdout" || wrong=1
    [ ! -e "$script.stderr" ] || diff -u "$script.stderr" "$work/stderr" || wrong=1
    expected=$(cat "$script.exit" 2>/dev/null || echo 0)
    [ "$status" = "$expected" ] || { wrong=1; echo "exit status $status, not $expected"; }
    if [ $wrong ]; then
        failed=$((failed + 1))
        echo "FAILED $name"
        sed 's/^/stderr: /' "$work/stderr"
    else
        passed=$((passed + 1))
    fi
done
[ $bless ] || echo "$passed passed, $failed failed"
[ $failed = 0 ]
