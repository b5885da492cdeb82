"""The core (base to prim) calls only string.h and math.h, and has no writable data: asked of its object files in libtelar.a."""
import pathlib
import subprocess
import sys

nm, archive, root, *folders = sys.argv[1:]
# bcmp: what clang makes of memcmp(...) == 0.
ALLOWED = set("""bcmp memcpy memmove memset memcmp memchr strlen strcmp strncmp strchr strrchr strspn strcspn strstr
    sqrt cbrt pow exp exp2 log log2 log10 floor ceil round trunc rint nearbyint lround llround fabs fmod fmin fmax ldexp frexp scalbn modf hypot
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh expm1 log1p fma copysign nextafter
    sqrtf cbrtf powf expf exp2f logf log2f floorf ceilf roundf truncf rintf nearbyintf fabsf fmodf fminf fmaxf ldexpf frexpf scalbnf modff hypotf
    sinf cosf tanf asinf acosf atanf atan2f sinhf coshf tanhf asinhf acoshf atanhf fmaf copysignf nextafterf
    _GLOBAL_OFFSET_TABLE_ __stack_chk_fail""".split())
core = {"kernels.c.o"} | {path.name + ".o" for folder in folders for path in pathlib.Path(root, folder).glob("*.c")}
member, defined, undefined, writable = "", set(), {}, []
for line in subprocess.run([nm, "-f", "sysv", archive], capture_output=True, text=True, check=True).stdout.splitlines():
    if line.startswith("Symbols from "):
        member = line.split("[")[1].split("]")[0]
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != 7 or member not in core:
        continue
    name, _, kind, _, _, _, section = fields
    if kind == "U":
        undefined.setdefault(name, member)
    else:
        defined.add(name)
        if section == "*COM*" or section.startswith((".data", ".bss", ".tdata", ".tbss")) and not section.startswith(".data.rel.ro"):
            writable.append(f"{member}: {name} is writable ({section})")
faults = writable + [f"{member}: calls {name}" for name, member in undefined.items() if name not in defined | ALLOWED]
print(f"{len(core)} objects, {len(faults)} faults", *faults, sep="\n")
sys.exit(1 if faults or not core else 0)
