"""TensorBoard's event files, written without TensorBoard: framed records of one scalar each."""

import struct
import time


def _table():
    table = list(range(256))
    for _ in range(8):
        table = [(value >> 1) ^ 0x82F63B78 if value & 1 else value >> 1 for value in table]
    return table


_crc_table = _table()


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _crc_table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


class EventFile:
    def __init__(self, path):
        self.file = open(path, "wb")
        self._frame(self._stamp() + field(3, b"brain.Event:2"))

    def scalar(self, name, value, step):
        entry = field(1, name.encode()) + varint(2 << 3 | 5) + struct.pack("<f", value)
        self._frame(self._stamp() + varint(2 << 3) + varint(step) + field(5, field(1, entry)))

    @staticmethod
    def _stamp():
        return varint(1 << 3 | 1) + struct.pack("<d", time.time())

    def _frame(self, data):
        head = struct.pack("<Q", len(data))
        self.file.write(head + struct.pack("<I", masked_crc(head)) + data + struct.pack("<I", masked_crc(data)))

    def close(self):
        self.file.close()
