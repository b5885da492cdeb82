"""Reads a wasm module's import and export sections; fails on any import that is not memory."""
import sys


def leb(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def name(data, at):
    size, at = leb(data, at)
    return data[at : at + size].decode(), at + size


def limits(data, at):
    flags, at = leb(data, at)
    for _ in range(1 + (flags & 1)):
        _, at = leb(data, at)
    return at


data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\0asm\1\0\0\0", "not a wasm module"
at, imports, exports = 8, [], []
while at < len(data):
    section, (size, at) = data[at], leb(data, at + 1)
    end, inner = at + size, at
    if section == 2:
        count, inner = leb(data, inner)
        for _ in range(count):
            module, inner = name(data, inner)
            field, inner = name(data, inner)
            kind = data[inner]
            imports.append((kind, f"{module}.{field}"))
            if kind == 0:
                _, inner = leb(data, inner + 1)
            elif kind == 1:
                inner = limits(data, inner + 2)
            elif kind == 2:
                inner = limits(data, inner + 1)
            else:
                inner += 3
    elif section == 7:
        count, inner = leb(data, inner)
        for _ in range(count):
            field, inner = name(data, inner)
            kind, (_, inner) = data[inner], leb(data, inner + 1)
            exports += [field] if kind == 0 else []
    at = end
strangers = [field for kind, field in imports if kind != 2]
print(f"{len(data)} bytes, {len(exports)} functions exported, {len(imports)} imports", *(f"\nimports {field}" for field in strangers))
sys.exit(1 if strangers or not exports else 0)
