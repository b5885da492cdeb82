#!/bin/sh
# usage: test-long.sh [STAGE...]   Everything `make test` leaves out for time; without arguments, all stages in this order:
#
#   gcc        the build and tests of `make test`
#   gpu        the tests on devices, with those that take minutes a device
#   clang      the same with clang
#   sanitize   unit, gpu and cli tests under the address and undefined-behaviour sanitizers
#   format     clang-format finds nothing to change
#   lint       clang-tidy finds nothing to say
#   fuzz       each fuzzer of test/fuzz for FUZZ_SECONDS (60), starting from its corpus
#   long       test/long/*.sh: large corpora, every command at many counts
#
# Every stage runs even when an earlier one failed; the last line counts them.
set -u
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
seconds=${FUZZ_SECONDS:-60}
passed=0 failed=0 failures=

build() { # build FOLDER COMPILER ARGUMENTS...
    folder=$1 compiler=$2
    shift 2
    sh tools/configure.sh "$folder" -DCMAKE_C_COMPILER="$compiler" "$@" && cmake --build "$folder" --parallel "$jobs"
}
run_tests() { # run_tests FOLDER ARGUMENTS...
    folder=$1
    shift
    ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$jobs" "$@"
}
gcc() { build build gcc && run_tests build; }
gpu() { build build-long gcc -DTELAR_LONG_TESTS=ON && run_tests build-long -L gpu; }
clang() { build build-clang clang-19 && run_tests build-clang; }
# gcc's runtime names the lines by itself and unwinds through drivers well enough to suppress their leaks.
sanitize() {
    build build-sanitize gcc -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g" -DTELAR_SANITIZE=address,undefined &&
        run_tests build-sanitize -L 'unit|gpu|cli'
}
format() { sh tools/format.sh --check; }
lint() { build build-clang clang-19 && sh tools/lint.sh build-clang; }
fuzz() {
    build build-fuzz clang-19 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g" -DTELAR_SANITIZE=address,undefined -DTELAR_FUZZ=ON || return
    bad=0
    for source in test/fuzz/*.c; do
        [ -e "$source" ] || { echo "no fuzzers"; break; }
        name=$(basename "$source" .c)
        corpus=build-fuzz/corpus/$name
        mkdir -p "$corpus" # new inputs go here; the committed ones stay as they are
        mkdir -p build-fuzz/empty
        kept=test/fuzz/corpus/$name
        [ -d "$kept" ] || kept=build-fuzz/empty
        if "build-fuzz/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -artifact_prefix="build-fuzz/$name-" \
            -print_final_stats=1 "$corpus" "$kept" >"build-fuzz/$name.log" 2>&1; then
            grep -E 'number_of_executed_units' "build-fuzz/$name.log" | sed "s/^/$name: /"
        else
            tail -n 60 "build-fuzz/$name.log"
            bad=1
        fi
    done
    return $bad
}
long() {
    bad=0
    for script in test/long/*.sh; do
        [ -e "$script" ] || { echo "no long tests"; break; }
        echo "--- $script"
        BUILD=build sh "$script" || bad=1
    done
    return $bad
}

[ $# -gt 0 ] || set -- gcc gpu clang sanitize format lint fuzz long
for stage in "$@"; do
    echo "=== $stage"
    start=$(date +%s)
    if $stage; then
        passed=$((passed + 1))
        result=passed
    else
        failed=$((failed + 1))
        failures="$failures $stage"
        result=FAILED
    fi
    echo "=== $stage $result after $(($(date +%s) - start)) s"
done
[ $failed = 0 ] || echo "failed stages:$failures"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
