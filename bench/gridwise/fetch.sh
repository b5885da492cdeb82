#!/bin/sh
# usage: fetch.sh FOLDER
#
# Makes FOLDER, where the companion gridwise.mjs runs: Gridwise (its repository at a pinned commit: it is in no registry),
# the Node binding of Dawn that it is made for (npm's webgpu), both checked by their hashes. With NODE=1 also a node binary,
# without its symbols, for a machine that has none. GRIDWISE names the repository, or a copy of it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: fetch.sh FOLDER}
gridwise=${GRIDWISE:-https://github.com/gridwise-webgpu/gridwise}
gridwise_commit=a5fdd8d05795695e09d77b9426fa55bed2e89d42
webgpu=0.4.0
webgpu_sha512=179a629a7dc0a22d335a3b9176256ce539eb5304b30f6944481a21b0852cab28ad5a41914255d4d9f855eb27179504dad5bbc07f7b23aa2529044a66490e69b4

mkdir -p "$folder/node_modules/gridwise" "$folder/node_modules/webgpu/dist"
cd "$folder"

# A commit is its own hash.
rm -rf clone.git
git clone --quiet --bare "$gridwise" clone.git
git --git-dir=clone.git archive "$gridwise_commit" package.json LICENSE.txt index.mjs primitive.mjs buffer.mjs binop.mjs \
    scandldf.mjs onesweep.mjs scan.mjs sort.mjs reduce.mjs util.mjs mapvariants.mjs webgpufundamentals-timing.mjs \
    wgslFunctions.mjs testbuffer.mjs testsuite.mjs datatype.mjs | tar -x -C node_modules/gridwise
rm -rf clone.git

npm pack --silent "webgpu@$webgpu" >/dev/null
echo "$webgpu_sha512  webgpu-$webgpu.tgz" | sha512sum --check --quiet
tar -xzf "webgpu-$webgpu.tgz" -C node_modules/webgpu --strip-components=1 \
    package/package.json package/index.js package/LICENSE.md package/dist/linux-x64.dawn.node
rm "webgpu-$webgpu.tgz"

cp "$here/gridwise.mjs" .
echo '{"type": "module", "private": true}' >package.json
if [ "${NODE:-}" = 1 ]; then
    cp "$(readlink -f "$(command -v node)")" node
    strip node
fi
