#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the program's icon from its SVG, with nothing but Python's own modules.

  scripts/icon.py png SIZE FILE.png     one picture
  scripts/icon.py icns FILE.icns [MAX]  all sizes of a macOS icon (up to MAX pixels)
  scripts/icon.py list FILE.icns        what an icns file holds

Knows what resources/icons/energy-profiler.svg uses: rectangles with round corners and paths of
straight lines, filled and stroked with round joins. Edges are smoothed by their distance to the
middle of a pixel.
"""
import math
import pathlib
import re
import struct
import sys
import xml.etree.ElementTree
import zlib

SVG = pathlib.Path(__file__).resolve().parent.parent / "resources/icons/energy-profiler.svg"
# Types of an icns file whose content is a PNG, and its size in pixels.
ICNS_TYPES = {
    "icp4": 16, "icp5": 32, "ic11": 32, "ic12": 64, "ic07": 128, "ic13": 256,
    "ic08": 256, "ic14": 512, "ic09": 512, "ic10": 1024,
}
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def colour(text):
    match = re.fullmatch(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", text)
    if not match:
        raise ValueError(f"unknown colour {text}")
    return tuple(int(part, 16) for part in match.groups())


class Rectangle:
    def __init__(self, element):
        x, y, width, height = (float(element.get(key)) for key in ("x", "y", "width", "height"))
        self.radius = float(element.get("rx", "0"))
        self.middle = (x + width / 2, y + height / 2)
        self.half = (width / 2 - self.radius, height / 2 - self.radius)
        self.box = (x, y, x + width, y + height)

    def distance(self, x, y):
        """Distance to the edge; negative inside."""
        dx = abs(x - self.middle[0]) - self.half[0]
        dy = abs(y - self.middle[1]) - self.half[1]
        outside = math.hypot(max(dx, 0.0), max(dy, 0.0))
        return outside + min(max(dx, dy), 0.0) - self.radius


class Polygon:
    def __init__(self, element):
        words = re.findall(r"[A-Z]|-?[0-9.]+", element.get("d"))
        if set(word for word in words if word.isalpha()) - set("MLZ"):
            raise ValueError("only M, L and Z are known in a path")
        numbers = [float(word) for word in words if not word.isalpha()]
        self.points = list(zip(numbers[0::2], numbers[1::2]))
        xs, ys = zip(*self.points)
        self.box = (min(xs), min(ys), max(xs), max(ys))
        self.edges = list(zip(self.points, self.points[1:] + self.points[:1]))

    def distance(self, x, y):
        nearest = math.inf
        inside = False
        for (ax, ay), (bx, by) in self.edges:
            ex, ey = bx - ax, by - ay
            wx, wy = x - ax, y - ay
            along = max(0.0, min(1.0, (wx * ex + wy * ey) / (ex * ex + ey * ey)))
            nearest = min(nearest, math.hypot(wx - ex * along, wy - ey * along))
            if (ay > y) != (by > y) and x < ex * (y - ay) / ey + ax:
                inside = not inside
        return -nearest if inside else nearest


def paint(pixels, size, scale, shape, rgb, grow_inner, grow_outer):
    """Covers points whose distance to the edge is between the two, in units of the drawing."""
    left, top, right, bottom = shape.box
    first_x = max(0, math.floor((left - grow_outer) * scale) - 1)
    last_x = min(size, math.ceil((right + grow_outer) * scale) + 1)
    first_y = max(0, math.floor((top - grow_outer) * scale) - 1)
    last_y = min(size, math.ceil((bottom + grow_outer) * scale) + 1)
    for row in range(first_y, last_y):
        for column in range(first_x, last_x):
            distance = shape.distance((column + 0.5) / scale, (row + 0.5) / scale)
            cover = min(1.0, max(0.0, 0.5 - (distance - grow_outer) * scale))
            if grow_inner is not None:
                cover = min(cover, max(0.0, 0.5 - (grow_inner - distance) * scale))
            if cover <= 0.0:
                continue
            at = 4 * (row * size + column)
            below = pixels[at + 3] / 255.0
            alpha = cover + below * (1.0 - cover)
            for channel in range(3):
                mixed = (rgb[channel] * cover + pixels[at + channel] * below * (1.0 - cover)) / alpha
                pixels[at + channel] = round(mixed)
            pixels[at + 3] = round(alpha * 255.0)


def draw(size, svg=SVG):
    root = xml.etree.ElementTree.parse(svg).getroot()
    width = float(root.get("viewBox").split()[2])
    scale = size / width
    pixels = bytearray(4 * size * size)
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        if name == "rect":
            shape = Rectangle(element)
        elif name == "path":
            shape = Polygon(element)
        elif name in ("svg", "g"):
            continue
        else:
            raise ValueError(f"unknown element {name}")
        if element.get("fill", "none") != "none":
            paint(pixels, size, scale, shape, colour(element.get("fill")), None, 0.0)
        if element.get("stroke", "none") != "none":
            half = float(element.get("stroke-width", "1")) / 2
            paint(pixels, size, scale, shape, colour(element.get("stroke")), -half, half)
    return bytes(pixels)


def png(pixels, size):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + pixels[4 * size * row:4 * size * (row + 1)] for row in range(size))
    return (PNG_SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def png_size(data):
    if not data.startswith(PNG_SIGNATURE):
        raise ValueError("not a PNG")
    return struct.unpack(">II", data[16:24])


def icns(pictures):
    """pictures: PNG files by their size."""
    entries = b"".join(kind.encode() + struct.pack(">I", len(pictures[size]) + 8) + pictures[size]
                       for kind, size in ICNS_TYPES.items() if size in pictures)
    return b"icns" + struct.pack(">I", len(entries) + 8) + entries


def read_icns(data):
    """[(type, PNG file)] of a file that icns() wrote; raises ValueError for anything else."""
    if len(data) < 8 or data[:4] != b"icns" or struct.unpack(">I", data[4:8])[0] != len(data):
        raise ValueError("not an icns file")
    entries = []
    at = 8
    while at < len(data):
        length = struct.unpack(">I", data[at + 4:at + 8])[0]
        if length < 8 or at + length > len(data):
            raise ValueError("an entry is cut short")
        entries.append((data[at:at + 4].decode("ascii"), data[at + 8:at + length]))
        at += length
    return entries


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "png":
        size = int(arguments[1])
        pathlib.Path(arguments[2]).write_bytes(png(draw(size), size))
    elif len(arguments) in (2, 3) and arguments[0] == "icns":
        largest = int(arguments[2]) if len(arguments) == 3 else max(ICNS_TYPES.values())
        sizes = sorted({size for size in ICNS_TYPES.values() if size <= largest})
        pathlib.Path(arguments[1]).write_bytes(icns({size: png(draw(size), size) for size in sizes}))
    elif len(arguments) == 2 and arguments[0] == "list":
        for kind, data in read_icns(pathlib.Path(arguments[1]).read_bytes()):
            print(kind, "%d x %d" % png_size(data))
    else:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
