#!/bin/sh
# Files that bfs takes and files that it must refuse, with the line and the reason. usage: files.sh BFS
set -eu
bfs=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

# refused NAME TEXT MESSAGE: a file NAME of this text (as printf has it) gives status 2 and exactly this message.
refused() {
    printf "$2" >"$1"
    set +e
    "$bfs" "$1" --check >out 2>&1
    status=$?
    set -e
    [ $status = 2 ] && [ "$(cat out)" = "bfs: $3" ] && return
    echo "$1 '$2': status $status, '$(cat out)', not 'bfs: $3'"
    failed=1
}

# taken NAME TEXT BEGINNING: the search succeeds, checked, and its line begins so. Left out where there is no device.
taken() {
    printf "$2" >"$1"
    set +e
    "$bfs" "$1" --check >out 2>&1
    status=$?
    set -e
    [ $status = 3 ] && return
    case $(cat out) in "$3"*"every distance is plain C's") [ $status = 0 ] && return ;; esac
    echo "$1 '$2': status $status, '$(cat out)', not '$3'"
    failed=1
}

refused none.txt '' 'none.txt: the file is empty'
refused a.txt '# only comments\n\n' 'a.txt:2: the file ends without an edge'
refused a.txt '0 1\n\n1 x\n' "a.txt:3: 'x' is not the second vertex, a whole number"
refused a.txt '0 1\n2\n' 'a.txt:2: the line ends where the second vertex should stand'
refused a.txt '0 -1\n' "a.txt:1: '-1' is not the second vertex, a whole number"
refused a.txt '0 1.5\n' "a.txt:1: '1.5' is not the second vertex, a whole number"
refused a.txt '0 1 heavy\n' "a.txt:1: 'heavy' is not the entry's value, a number"
refused a.txt '0 99999999999999999999\n' 'a.txt:1: the second vertex (99999999999999999999) is not from 0 to 268435455'
refused a.txt '0 1\n0 \000 1\n' 'a.txt:2: a zero byte: this is no text file'
refused a.mtx '3 3 1\n1 2\n' 'a.mtx:1: a Matrix Market file begins with %%MatrixMarket'
refused a.mtx '%%%%MatrixMarket matrix array real general\n' "a.mtx:1: 'array' is not a format that can be read as a graph"
refused a.mtx '%%%%MatrixMarket matrix coordinate pattern odd\n' "a.mtx:1: 'odd' is not a symmetry that can be read as a graph"
refused a.mtx '%%%%MatrixMarket matrix coordinate pattern general\n%% no size\n' 'a.mtx:2: the file ends before its size line'
refused a.mtx '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n' 'a.mtx:3: the file ends after 1 of 2 entries'
refused a.mtx '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n2 3\n' 'a.mtx:4: more than the 1 entries announced'
refused a.mtx '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 2\n' 'a.mtx:3: the row (0) is not from 1 to 3'
refused a.mtx '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 4\n' 'a.mtx:3: the column (4) is not from 1 to 3'
refused a.mtx '%%%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2\n' "a.mtx:3: the line ends where the entry's value should stand"
refused a.mtx '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2 7\n' "a.mtx:3: '7' is too much on this line"
refused a.mtx '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 4 1\n1 2\n' 'a.mtx:2: a symmetric matrix of 3 rows and 4 columns'

taken a.txt '# a path\n0 1\n1 2 0.5\n%% and\n2 3\n' '4 of 4 vertices reached from 0 over 3 edges, the farthest at 3'
taken a.txt '0 0' '1 of 1 vertices reached from 0 over 1 edges, the farthest at 0'
taken a.txt '1 2\r\n2 3\r\n' '1 of 4 vertices reached from 0 over 2 edges'
taken a.mtx '%%%%MatrixMarket matrix coordinate pattern symmetric\n%% a star\n4 4 3\n2 1\n3 1\n4 1\n' '4 of 4 vertices reached from 1 over 6 edges, the farthest at 1'
taken a.mtx '%%%%matrixmarket MATRIX Coordinate Complex General\n2 3 2\n1 2 1e3 -2\n2 3 0 0\n' '3 of 3 vertices reached from 1 over 2 edges, the farthest at 2'
taken a.mtx '%%%%MatrixMarket matrix coordinate integer general\n3 3 0\n' '1 of 3 vertices reached from 1 over 0 edges, the farthest at 0'
exit $failed
