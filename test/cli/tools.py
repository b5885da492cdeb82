"""What the scripts of this folder use: .npy and .png files made and read with Python alone, keys out of JSON.

    tools.py keys FILE KEY...            prints KEY value, one a line; a.b goes into objects
    tools.py npy FILE DESCR SHAPE EXPR   writes EXPR(i) for every element, in C order; DESCR:F for Fortran order
    tools.py show FILE                   prints dtype, shape and values of a .npy file in C order
    tools.py png FILE W H COLOR DEPTH    writes a picture: sample s of pixel p is (p * 40 + s * 7) of DEPTH bits
    tools.py pixels FILE                 prints header and samples of a picture without filters' help
"""
import ast, json, struct, sys, zlib

CODES = {"f4": "f", "f8": "d", "i1": "b", "u1": "B", "b1": "?", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q", "f2": "e"}


def keys(path, *names):
    data = json.load(sys.stdin if path == "-" else open(path))
    for name in names:
        value = data
        for part in name.split("."):
            value = value[int(part)] if isinstance(value, list) else value[part]
        print(name, json.dumps(value))


def npy(path, descr, shape, expression):
    fortran = descr.endswith(":F")
    descr = descr.removesuffix(":F")
    shape = ast.literal_eval(shape)
    count = 1
    for size in shape:
        count *= size
    values = [eval(expression, {"i": i}) for i in range(count)]
    if fortran:
        ordered = []
        for k in range(count):
            rest, index = k, []
            for size in shape:
                index.append(rest % size)
                rest //= size
            place = 0
            for axis, size in zip(index, shape):
                place = place * size + axis
            ordered.append(values[place])
        values = ordered
    head = ("{'descr': %r, 'fortran_order': %s, 'shape': %r, }" % (descr, fortran, shape)).encode()
    total = (10 + len(head) + 64) // 64 * 64
    order = ">" if descr[0] == ">" else "<"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", total - 10) + head + b" " * (total - 11 - len(head)) + b"\n")
        file.write(struct.pack(f"{order}{count}{CODES[descr[1:]]}", *values))


def read(path):
    data = open(path, "rb").read()
    assert data[:6] == b"\x93NUMPY", data[:6]
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0
    head = ast.literal_eval(data[10:10 + length].decode())
    assert head["fortran_order"] is False
    count = 1
    for size in head["shape"]:
        count *= size
    payload = data[10 + length:]
    code = CODES[head["descr"][1:]]
    assert len(payload) == count * struct.calcsize("<" + code), (len(payload), count)
    return head["descr"], head["shape"], struct.unpack(f"<{count}{code}", payload)


def show(path):
    descr, shape, values = read(path)
    print(descr, shape, *("%g" % value if isinstance(value, float) else value for value in values))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(path, width, height, color, depth):
    width, height, color, depth = int(width), int(height), int(color), int(depth)
    samples = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    rows = b""
    for y in range(height):
        rows += b"\0"
        for x in range(width):
            for s in range(samples):
                value = ((y * width + x) * 40 + s * 7) % (1 << depth)
                rows += struct.pack(">B" if depth == 8 else ">H", value)
    head = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    open(path, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def pixels(path):
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    samples = {0: 1, 2: 3, 4: 2, 6: 4}[color]
    step, raw, above, result = samples * depth // 8, zlib.decompress(packed), None, []
    stride = width * step
    above = bytearray(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left, up, corner = (line[x - step] if x >= step else 0), above[x], (above[x - step] if x >= step else 0)
            line[x] = (line[x] + [0, left, up, (left + up) // 2, paeth(left, up, corner)][kind]) & 255
        above = line
        result += struct.unpack(f">{stride * 8 // depth}{'B' if depth == 8 else 'H'}", bytes(line))
    print(f"{width}x{height} color {color} depth {depth}:", *result)


globals()[sys.argv[1]](*sys.argv[2:])
