"""Writes SequenceFiles like those of Hadoop: version 6, block compression, texts as keys, bytes as
values."""

import zlib

KEYS, VALUES = b"org.apache.hadoop.io.Text", b"org.apache.hadoop.io.BytesWritable"
CODEC = b"org.apache.hadoop.io.compress.DefaultCodec"
# The size of keys and values at which Hadoop ends a block.
BLOCK = 1_000_000
SYNC_ESCAPE = b"\xff\xff\xff\xff"


class Writer:
    """Writes `path`, and the offsets of its buffers to `path`.buffers, for tools that only inflate."""

    def __init__(self, path, sync):
        self.file, self.index, self.sync = open(path, "wb"), open(f"{path}.buffers", "w"), sync
        classes = b"".join(vint(len(name)) + name for name in (KEYS, VALUES))
        # Both kinds of compression are on; there is no metadata.
        self.file.write(b"SEQ\x06" + classes + b"\x01\x01" + vint(len(CODEC)) + CODEC + bytes(4) + sync)
        self.begin()

    def begin(self):
        self.records, self.size = 0, 0
        self.buffers = [], [], [], []

    def append(self, key, value):
        key, value = vint(len(key)) + key, len(value).to_bytes(4) + value
        for buffer, data in zip(self.buffers, (vint(len(key)), key, vint(len(value)), value)):
            buffer.append(data)
        self.records += 1
        self.size += len(key) + len(value)
        if self.size >= BLOCK:
            self.end_block()

    def end_block(self):
        self.file.write(SYNC_ESCAPE + self.sync + vint(self.records))
        for buffer in map(b"".join, self.buffers):
            compressed = zlib.compress(buffer)
            self.file.write(vint(len(compressed)))
            self.index.write(f"{self.file.tell()}:{len(compressed)}:{len(buffer)} ")
            self.file.write(compressed)
        self.begin()

    def close(self):
        if self.records:
            self.end_block()
        self.file.close()
        self.index.close()


def records(path, inflate):
    """The keys and values of a file written here; inflate(compressed, size) is that of zlib."""
    data = memoryview(open(path, "rb").read())
    buffers = [tuple(map(int, buffer.split(":"))) for buffer in open(f"{path}.buffers").read().split()]
    for block in range(0, len(buffers), 4):
        key_lengths, keys, value_lengths, values = (
            inflate(data[at : at + size], length) for at, size, length in buffers[block : block + 4]
        )
        for key, value in zip(split(key_lengths, keys), split(value_lengths, values)):
            yield key[read_vint(key, 0)[1] :], value[4:]


def split(lengths, data):
    place = at = 0
    while place < len(lengths):
        length, place = read_vint(lengths, place)
        yield data[at : at + length]
        at += length


def vint(number):
    """Hadoop's variable-length encoding of non-negative numbers."""
    if number < 128:
        return bytes([number])
    digits = number.to_bytes((number.bit_length() + 7) // 8)
    return bytes([0x90 - len(digits)]) + digits


def read_vint(data, at):
    """A number and the offset after it."""
    first = data[at]
    if first < 128:
        return first, at + 1
    end = at + 1 + 0x90 - first
    return int.from_bytes(data[at + 1 : end]), end
