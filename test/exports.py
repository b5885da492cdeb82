"""The shared library exports telar_* and nothing else."""
import subprocess
import sys

nm, library = sys.argv[1:]
lines = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout.splitlines()
names = [line.split()[-1].split("@")[0] for line in lines]
strangers = [name for name in names if not name.startswith("telar_")]
print(f"{len(names)} exported symbols", *(f"\nnot ours: {name}" for name in strangers))
sys.exit(1 if strangers or not names else 0)
