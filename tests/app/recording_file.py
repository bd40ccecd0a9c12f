"""The header of a recording, to be read and changed (docs/recording.md)."""

import struct

TEXTS = ("scene_path", "scene", "program", "platform", "assets")
HEADER = 72
MASK = (1 << 64) - 1
P = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def turn(x, bits):
    return ((x << bits) | (x >> (64 - bits))) & MASK


def stir(lane, word):
    return turn((lane + word * P[1]) & MASK, 31) * P[0] & MASK


def checksum(data):
    """XXH64 with seed 0."""
    at = 0
    if len(data) >= 32:
        lanes = [(P[0] + P[1]) & MASK, P[1], 0, -P[0] & MASK]
        while at + 32 <= len(data):
            lanes = [stir(lane, word) for lane, word in zip(lanes, struct.unpack_from("<4Q", data, at))]
            at += 32
        h = sum(turn(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            h = ((h ^ stir(0, lane)) * P[0] + P[3]) & MASK
    else:
        h = P[4]
    h = (h + len(data)) & MASK
    while at + 8 <= len(data):
        h = (turn(h ^ stir(0, struct.unpack_from("<Q", data, at)[0]), 27) * P[0] + P[3]) & MASK
        at += 8
    if at + 4 <= len(data):
        h = (turn(h ^ (struct.unpack_from("<I", data, at)[0] * P[0] & MASK), 23) * P[1] + P[2]) & MASK
        at += 4
    for byte in data[at:]:
        h = turn(h ^ (byte * P[4] & MASK), 11) * P[0] & MASK
    for shift, factor in ((33, P[1]), (29, P[2]), (32, 1)):
        h = (h ^ (h >> shift)) * factor & MASK
    return h


def read_texts(path):
    """The texts by their names, and the bytes of the whole file."""
    with open(path, "rb") as file:
        data = file.read()
    sizes = struct.unpack_from("<5I", data, 24)
    texts, at = {}, HEADER
    for name, size in zip(TEXTS, sizes):
        texts[name] = data[at : at + size].decode()
        at += size
    return texts, data


def change_texts(path, **changes):
    """Writes the recording with other texts and checksums that fit them."""
    texts, data = read_texts(path)
    rest = data[HEADER + sum(len(text.encode()) for text in texts.values()) :]
    new = [dict(texts, **changes)[name].encode() for name in TEXTS]
    parameters = 8 * struct.unpack_from("<I", data, 44)[0]
    body = b"".join(new)
    header = data[:24] + struct.pack("<5I", *map(len, new)) + data[44:56]
    header += struct.pack("<Q", checksum(body + rest[:parameters]))
    with open(path, "wb") as file:
        file.write(header + struct.pack("<Q", checksum(header)) + body + rest)
