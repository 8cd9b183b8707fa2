# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the raw English text out of three Debian packages.

The packages are downloaded with apt-get and unpacked, not installed, so neither root nor R nor the
packages' own programs are needed.
"""

import re
import struct
import subprocess
import zlib
from pathlib import Path

PACKAGES = ("bible-kjv-text", "r-cran-janeaustenr", "wordnet-base")


def fetch(folder: Path) -> Path:
    """Downloads and unpacks PACKAGES below `folder`; returns the root of the unpacked files."""
    root = folder / "root"
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        if not list(folder.glob(f"{package}_*.deb")):
            subprocess.run(["apt-get", "download", package], cwd=folder, check=True)
        deb = sorted(folder.glob(f"{package}_*.deb"))[-1]
        print(f"source: {deb.name}")
        subprocess.run(["dpkg", "-x", str(deb), str(root)], check=True)
    return root


def bible_verses(root: Path) -> list[tuple[str, str]]:
    """Returns (chapter, verse text) in order, e.g. ("Ge1", "In the beginning ...").

    The file is a header, a table of big-endian offsets and, at those offsets, windows of text
    packed with compress(1). Only the first window keeps that program's three magic bytes; gzip can
    unpack the others once they are put back.
    """
    magic = b"\x1f\x9d\x90"
    data = (root / "usr/lib/bible.data").read_bytes()
    body = data.find(magic) + len(magic)
    offsets = [o for o in struct.unpack_from(f">{(body - 0x5B) // 4}I", data, 0x58) if o >= body]
    text = b""
    for begin, end in zip(offsets, offsets[1:]):
        packed = magic + data[begin:end]
        unpacked = subprocess.run(["gzip", "-dc"], input=packed, capture_output=True, check=True)
        text += unpacked.stdout
    verses = re.findall(r"^(\w+?\d+):\d+ (.*)$", text.decode("latin-1"), re.M)
    if len(verses) < 31000:
        raise ValueError(f"bible.data: only {len(verses)} verses read; the file format has changed")
    return verses


def _r_strings(blob: bytes) -> list[str]:
    """Strings of an R character vector in XDR serialisation, or [] for any other R object."""
    version = struct.unpack_from(">I", blob, 2)[0]
    at = 14
    if version == 3:
        at += 4 + struct.unpack_from(">I", blob, at)[0]
    flags, length = struct.unpack_from(">II", blob, at)
    at += 8
    if flags & 0xFF != 16:
        return []
    strings = []
    for _ in range(length):
        size = struct.unpack_from(">i", blob, at + 4)[0]
        at += 8
        strings.append(blob[at:at + max(size, 0)].decode("utf-8", "replace"))
        at += max(size, 0)
    return strings


def austen_books(root: Path) -> list[list[str]]:
    """Returns each of Jane Austen's six novels as its list of hard-wrapped lines.

    The file is a row of chunks: big-endian unpacked size, then one zlib stream.
    """
    data = (root / "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb").read_bytes()
    books = []
    while data:
        unpacker = zlib.decompressobj()
        lines = _r_strings(unpacker.decompress(data[4:]))
        data = unpacker.unused_data
        if len(lines) > 1000:
            books.append(lines)
    if len(books) != 6:
        raise ValueError(f"janeaustenr: {len(books)} books read, not 6; the format has changed")
    return books


def wordnet_synsets(root: Path) -> list[tuple[str, str, str]]:
    """Returns (part of speech, word, gloss) of every synset whose word occurs in tagged text."""
    folder = root / "usr/share/wordnet"
    counted = {line.split("%")[0] for line in (folder / "cntlist.rev").read_text().splitlines()}
    synsets = []
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("latin-1").splitlines():
            if line.startswith(" ") or " | " not in line:
                continue
            fields, gloss = line.split(" | ", 1)
            word = fields.split(" ")[4].split("(")[0]
            if word.lower() in counted:
                synsets.append((part, word.replace("_", " "), gloss.strip()))
    return synsets
