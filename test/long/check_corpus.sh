#!/bin/sh
# usage: BUILD=build TELAR_CHECK_CORPUS=FOLDER check_corpus.sh [--list]
#
# Checks real shaders and compares what is found with what people judged (check_corpus.tsv; docs/check-corpus.md tells how).
# The shaders are not kept here. FOLDER has them and index.tsv: project, URL, commit, file in the repository, file below
# FOLDER, separated by tabs. Errors and warnings count, notes do not. A finding that is not in the table, or a row of the
# table that is no longer found, fails. With --list the findings are printed as rows of the table, verdict and reason
# empty. Without FOLDER it is skipped.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
if [ -z "${TELAR_CHECK_CORPUS:-}" ]; then
    echo "skipped: TELAR_CHECK_CORPUS names no folder (docs/check-corpus.md)"
    exit 0
fi
build=$(cd "$build" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')

"${CC:-cc}" -std=c11 -O2 -Iinclude test/long/check_corpus.c "$build/libtelar.a" -lm -o "$build/check_corpus"
cut -f 5 "$TELAR_CHECK_CORPUS/index.tsv" | (cd "$TELAR_CHECK_CORPUS" && "$build/check_corpus") >"$work/found"

# project, commit, file, line, rule, severity
awk -F "$tab" -v OFS="$tab" 'NR == FNR { name[$5] = $1 OFS substr($3, 1, 12) OFS $4; next }
    { print name[$1], $2, $3, $4 }' "$TELAR_CHECK_CORPUS/index.tsv" "$work/found" | LC_ALL=C sort -u >"$work/now"
if [ "${1:-}" = --list ]; then
    cat "$work/now"
    exit 0
fi
tail -n +2 test/long/check_corpus.tsv | cut -f 1-6 | LC_ALL=C sort -u >"$work/known"

LC_ALL=C comm -13 "$work/known" "$work/now" >"$work/new"
LC_ALL=C comm -23 "$work/known" "$work/now" >"$work/gone"
sed 's/^/new: /' "$work/new"
sed 's/^/gone: /' "$work/gone"
echo "$(wc -l <"$work/now") findings, $(wc -l <"$work/new") new, $(wc -l <"$work/gone") gone"
[ ! -s "$work/new" ] && [ ! -s "$work/gone" ]
