# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of the database's schema: none changes, and databases of every earlier version are opened."""
import hashlib
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])
PROGRAM = pathlib.Path(os.environ["EP_BUILD_DIR"]) / "bin/energy-profiler"
SCHEMA = SOURCE / "resources/schema"
APPLICATION_ID = 0x45507231
SUMS = {
    "store_v1.sql": "42f81e981b213576f0ecbc8407e9fda57f9f57c4685b701e9efdeb0b2f1246c9",
    "store_v2.sql": "b5cbf4e6b68f1f77b8a7b59f5622f457365f464d5b037be61a9309531e8e8c58",
    "store_v3.sql": "4c823566dafff15c9cb80a31c0d3f0c6b07fed8c97692e2e05db14b19e08510e",
    "store_v4.sql": "e0005ede31de83557a9c87068c2661cc9c2440846c7e18d82071a662d80bb11f",
    "store_v5.sql": "a309eb680c4338b83b26682a4aa03487bea6d18482a0e114d1683bdaf72eb894",
}


def step(version):
    return (SCHEMA / f"store_v{version}.sql").read_text(encoding="utf-8")


class SchemaSteps(unittest.TestCase):
    def test_none_changes(self):
        """Databases have been written with them: a new column belongs into a new step, whose sum is added above."""
        found = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in SCHEMA.glob("store_v*.sql")}
        self.assertEqual(found, SUMS)

    def test_version_1_is_opened(self):
        """Also where it was written while step 1 had what is now in step 2."""
        later = step(2)
        view = later[later.index("CREATE VIEW pipeline_sections"):]
        view = view[:view.index(";\n") + 1]
        changed = ("ALTER TABLE model_quality ADD COLUMN nll_blocks TEXT NOT NULL DEFAULT '[]';"
                   "DROP VIEW pipeline_sections;" + view)
        for between in ("", changed):
            with self.subTest(between=between[:30]), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "runs.db"
                database = sqlite3.connect(file)
                database.executescript(step(1) + between)
                database.execute("INSERT INTO model_quality (model_name, model_fingerprint, dtype, device, text_name, "
                                 "text_hash, tokens, scored_tokens, context, stride, nll, perplexity, created_at_ms, "
                                 "app_version) VALUES ('m', '', 'bf16', 'cpu', 't', 'h', 9, 8, 4, 4, 1.5, 4.5, 1, '')")
                database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                database.execute("PRAGMA user_version = 1")
                database.commit()
                database.close()
                opened = subprocess.run([PROGRAM, "db", "--vacuum", "--db", file], capture_output=True,
                                        text=True, check=False)
                self.assertEqual(opened.returncode, 0, opened.stderr)
                database = sqlite3.connect(file)
                newest = len(list(SCHEMA.glob("store_v*.sql")))
                self.assertEqual(database.execute("PRAGMA user_version").fetchone()[0], newest)
                self.assertEqual(database.execute("SELECT perplexity, nll_blocks FROM model_quality").fetchall(),
                                 [(4.5, "[]")])
                stored = database.execute("SELECT sql FROM sqlite_schema WHERE name = 'pipeline_sections'").fetchone()
                self.assertIn("imported", stored[0])
                database.close()


if __name__ == "__main__":
    unittest.main()
