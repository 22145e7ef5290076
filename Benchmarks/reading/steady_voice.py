# SPDX-License-Identifier: Apache-2.0
"""A neural voice that says a text the same way each time, so that two readings can be compared."""
import pathlib
import shutil

VOICE = 'en_US-joe-medium'
# The runtime takes 0 for its default.
HARDLY = b'0.000001'


def steady(voices, folder):
    """Makes a folder of voices with a copy of the voice without its chance; returns the folder."""
    source, target = pathlib.Path(voices).resolve(), pathlib.Path(folder) / 'voices'
    # No links: the engine may read this folder alone.
    for name in ('runtime', VOICE):
        shutil.copytree(source / name, target / name)
    model = target / VOICE / 'model.onnx'
    data = model.read_bytes()
    for key in (b'rostrum.noise_scale', b'rostrum.noise_scale_w'):
        data = replaced(data, key, HARDLY)
    model.write_bytes(data)
    return target


def replaced(data, key, value):
    """Replaces a pair of the metadata: a tag and a length, then tag, length and bytes of the key and of the value.

    All lengths are below 128, so each is one byte.
    """
    start = data.rindex(bytes([0x0A, len(key)]) + key + b'\x12') - 2
    pair = bytes([0x0A, len(key)]) + key + bytes([0x12, len(value)]) + value
    return data[:start + 1] + bytes([len(pair)]) + pair + data[start + 2 + data[start + 1]:]
