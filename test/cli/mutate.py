"""Damages a recording in many ways and replays each copy: every one must be refused (2) or run inside its bounds (0).

    mutate.py FILE COUNT SEED [REPLAY ARGUMENTS...]

Prints how many there were, and each that ended otherwise: by a signal, with another status, or not in time. A copy that asks
for more groups or memory than a CPU adapter has patience for is legal, and skipped. A copy whose WGSL differs and is still
valid is another program, which may run for ever: only there is a run that does not end allowed.
"""
import concurrent.futures
import os
import random
import struct
import subprocess
import sys
import tempfile

GROUPS_MAX, BYTES_MAX, SECONDS = 1 << 16, 1 << 28, 30
ODD = [0, 1, 2, 3, 4, 8, 9, 10, 63, 64, 255, 256, 1023, 1024, 1025, 65535, 65536, 1 << 20, 1 << 30, (1 << 31) - 1, 1 << 31, (1 << 32) - 1]


def words_of(data):
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def ops(words):
    """(index, code, length) of each op, as far as they can be followed."""
    at = 6
    while at + 2 <= len(words) and 2 <= words[at + 1] <= len(words) - at:
        yield at, words[at], words[at + 1]
        at += words[at + 1]


def structure(words):
    """Indices of the words that are no WGSL."""
    found = list(range(6))
    for at, code, length in ops(words):
        text = struct.pack(f"<{length}I", *words[at:at + length])
        # The text of a kernel is its last field; it is padded with zeros.
        kept = text.find(b"@") // 4 if code == 2 and b"@" in text else length
        found += range(at, at + kept)
    return found


def mutated(random_, original):
    words = list(original)
    places = structure(original)
    for _ in range(random_.choice([1, 1, 1, 2, 3])):
        at = random_.choice(places) if random_.random() < 0.85 else random_.randrange(len(words))
        at = min(at, len(words) - 1)
        kind = random_.randrange(8)
        if kind == 0:
            words[at] ^= 1 << random_.randrange(32)
        elif kind == 1:
            words[at] = random_.choice(ODD)
        elif kind == 2:
            words[at] = (words[at] + random_.choice([-4, -1, 1, 4, 256])) % (1 << 32)
        elif kind == 3:
            words[at] = words[random_.choice(places) % len(words)]
        elif kind == 4:
            words[at] = random_.getrandbits(32)
        elif kind == 5:
            del words[at]
        elif kind == 6:
            words.insert(at, random_.choice(ODD))
        else:
            every = list(ops(words))
            start, _, length = random_.choice(every) if every else (6, 0, 1)
            op = words[start:start + length]
            to = random_.choice(every)[0] if every else 6
            if random_.random() < 0.5:
                del words[start:start + length]
                to = min(to, len(words))
            words[to:to] = op
    data = struct.pack(f"<{len(words)}I", *words)
    if random_.random() < 0.8 and len(words) > 5:
        # Counts that fit again, so that what lies behind them is reached.
        words[2] = len(words)
        codes = [code for _, code, _ in ops(words)]
        words[3], words[4] = codes.count(1), codes.count(2)
        words[5] = len(codes) - words[3] - words[4]
        data = struct.pack(f"<{len(words)}I", *words)
    if random_.random() < 0.05:
        data = data[:random_.randrange(len(data) + 1)]
    return data


def takes_long(data):
    words = words_of(data[:len(data) // 4 * 4])
    memory = 0
    for at, code, length in ops(words):
        if code == 1 and length >= 5:
            memory += words[at + 3] | words[at + 4] << 32
        if code == 3 and length >= 6 and words[at + 3] * words[at + 4] * words[at + 5] > GROUPS_MAX:
            return True
    return memory > BYTES_MAX


def texts(data):
    words = words_of(data[:len(data) // 4 * 4])
    return [data[at * 4:(at + length) * 4].partition(b"@")[2] for at, code, length in ops(words) if code == 2]


def replay(job):
    number, data, same_texts, arguments = job
    path = f"{number}.mutant"
    with open(path, "wb") as file:
        file.write(data)
    try:
        done = subprocess.run([os.environ["TELAR"], "replay", path, *arguments], capture_output=True, timeout=SECONDS, check=False)
        status = done.returncode
        fault = status not in (0, 2) or (status == 2 and not done.stderr.startswith(b"telar: "))
        message = done.stderr.decode(errors="replace")[:400]
    except subprocess.TimeoutExpired:
        status, fault, message = "timeout", same_texts, ""
    if not fault:
        os.remove(path)
    return number, status, fault, message


def main():
    name, count, seed, *arguments = sys.argv[1:]
    original = open(name, "rb").read()
    random_ = random.Random(int(seed))
    jobs = []
    while len(jobs) < int(count):
        data = mutated(random_, words_of(original))
        if data != original and not takes_long(data):
            jobs.append((len(jobs), data, texts(data) == texts(original), arguments))
    statuses, faults = {}, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, status, fault, message in pool.map(replay, jobs):
            statuses[status] = statuses.get(status, 0) + 1
            if fault:
                faults += 1
                print(f"mutant {number}: {status} {message}")
    print(f"{len(jobs)} mutants, {faults} faults, some refused: {statuses.get(2, 0) > 0}, some run: {statuses.get(0, 0) > 0}")
    print(statuses, file=sys.stderr)


main()
