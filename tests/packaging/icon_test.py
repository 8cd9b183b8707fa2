# SPDX-License-Identifier: GPL-3.0-or-later
"""The icon: the committed pictures equal those drawn from the SVG, and an icns can be read back."""
import os
import pathlib
import sys
import tempfile
import unittest
import zlib

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "scripts"))
import icon  # noqa: E402


def pixels_of(data):
    """RGBA of a PNG as icon.png() writes it."""
    width, height = icon.png_size(data)
    at = 8
    packed = b""
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    rows = zlib.decompress(packed)
    return b"".join(rows[row * (4 * width + 1) + 1:(row + 1) * (4 * width + 1)]
                    for row in range(height))


class IconTest(unittest.TestCase):
    def test_committed_pictures_are_made_from_the_svg(self):
        for size in (48, 128):
            file = SOURCE / f"resources/icons/energy-profiler-{size}.png"
            self.assertEqual(pixels_of(file.read_bytes()), icon.draw(size), file)

    def test_corners_are_clear_and_the_bolt_is_yellow(self):
        size = 64
        pixels = icon.draw(size)
        self.assertEqual(pixels[3], 0)
        middle = 4 * (size * (size // 2) + size // 2)
        self.assertEqual(tuple(pixels[middle:middle + 4]), (0xff, 0xc8, 0x3d, 255))

    def test_icns_is_read_back(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "x.icns"
            self.assertEqual(icon.main(["icns", str(file), "128"]), 0)
            entries = icon.read_icns(file.read_bytes())
        self.assertEqual([kind for kind, _ in entries], ["icp4", "icp5", "ic11", "ic12", "ic07"])
        for kind, data in entries:
            size = icon.ICNS_TYPES[kind]
            self.assertEqual(icon.png_size(data), (size, size))
            self.assertEqual(pixels_of(data), icon.draw(size))

    def test_what_is_no_icns_is_refused(self):
        whole = icon.icns({16: icon.png(icon.draw(16), 16)})
        for broken in (b"", b"PNG", whole[:-1], whole + b"x", b"icns\0\0\0\x0cabcd"):
            with self.assertRaises((ValueError, IndexError, icon.struct.error)):
                icon.read_icns(broken)


if __name__ == "__main__":
    unittest.main()
