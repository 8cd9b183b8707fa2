# SPDX-License-Identifier: GPL-3.0-or-later
"""The views of packed spans in the database equal the output of scripts/make_pack_views.py."""
import os
import pathlib
import re
import sqlite3
import sys
import unittest

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "scripts"))
import make_pack_views


def migrations():
    """The text of each view, newest last."""
    files = (SOURCE / "resources/schema").glob("store_v*.sql")
    for file in sorted(files, key=lambda file: int(file.stem.removeprefix("store_v"))):
        yield file.read_text(encoding="utf-8")


class PackViews(unittest.TestCase):
    def test_are_those_of_the_newest_migrations(self):
        stored = {}
        for text in migrations():
            for view in re.finditer(r"^CREATE VIEW (\w+) AS SELECT\n.*?;\n", text, re.MULTILINE | re.DOTALL):
                stored[view[1]] = view[0]
        printed = make_pack_views.views().split("\n\n")
        self.assertEqual(len(make_pack_views.VIEWS), len(printed))
        for view, (name, _, _) in zip(printed, make_pack_views.VIEWS):
            self.assertEqual(stored[name].strip(), view.strip(), name)

    def test_every_field_has_its_column(self):
        columns = []
        for text in migrations():
            for table in re.finditer(r"^CREATE TABLE pack_spans \((.*?)^\)", text, re.MULTILINE | re.DOTALL):
                columns += re.findall(r"^    (\w+)_at ", table[1], re.MULTILINE)
            columns += re.findall(r"^ALTER TABLE pack_spans ADD COLUMN (\w+)_at ", text, re.MULTILINE)
        self.assertEqual(columns, list(make_pack_views.fields()))

    def test_sections_tell_every_provenance(self):
        database = sqlite3.connect(":memory:")
        for text in migrations():
            database.executescript(text)
        words = ["measured", "attributed", "calibrated", "modelled", "missing", "imported", "missing"]
        for code in range(len(words)):
            database.execute("INSERT INTO pack_spans (shape_id, span, start_bytes, duration_bytes, count_bytes, "
                             "entropy_heads, weight_heads, sparsity_heads, provenance_at) "
                             "VALUES (?, 0, 1, 1, 1, 0, 0, 0, 1)", (code,))
            database.execute("INSERT INTO packs (kind, shape_id, origin_ns, data) VALUES ('section', ?, 0, ?)",
                             (code, bytes([code])))
        rows = database.execute("SELECT energy_provenance FROM pipeline_sections ORDER BY id")
        self.assertEqual([row[0] for row in rows], words)


if __name__ == "__main__":
    unittest.main()
