# SPDX-License-Identifier: GPL-3.0-or-later
"""Databases from before the schema began at 1: refused by the program, converted by the script."""
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])
PROGRAM = pathlib.Path(os.environ["EP_BUILD_DIR"]) / "bin/energy-profiler"
SCRIPT = SOURCE / "scripts/convert_database.py"
EARLY_ID = 0x45507266


def rows(file):
    """The content that both versions store, whatever the order of columns."""
    database = sqlite3.connect(file)
    database.row_factory = sqlite3.Row
    tables = ("profiling_runs", "tokens", "phases", "component_totals", "pack_shapes", "pack_spans", "packs")
    stored = {t: [dict(row) for row in database.execute(f"SELECT * FROM {t}")] for t in tables}
    database.close()
    return stored


class ConvertDatabase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "runs.db"
        database = sqlite3.connect(self.file)
        database.executescript((SOURCE / "tests/data/store/runs_early_v17.sql").read_text(encoding="utf-8"))
        database.close()
        self.mark(17)

    def mark(self, version, application=EARLY_ID):
        database = sqlite3.connect(self.file)
        database.execute(f"PRAGMA application_id = {application}")
        database.execute(f"PRAGMA user_version = {version}")
        database.commit()
        database.close()

    def convert(self):
        return subprocess.run([sys.executable, "-B", SCRIPT, self.file], capture_output=True, text=True, check=False)

    def program(self, *arguments):
        return subprocess.run([PROGRAM, *arguments, "--db", self.file], capture_output=True, text=True, check=False)

    def test_the_program_names_the_script(self):
        before = self.file.read_bytes()
        listed = self.program("runs", "list")
        self.assertEqual(listed.returncode, 1)
        self.assertIn("scripts/convert_database.py", listed.stderr)
        self.assertEqual(self.file.read_bytes(), before)

    def test_nothing_is_lost(self):
        before = rows(self.file)
        done = self.convert()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(rows(self.file), before)
        self.assertEqual(rows(str(self.file) + ".before-1"), before)
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o600)
        listed = self.program("runs", "list", "--json")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        run = json.loads(listed.stdout)["runs"][0]["info"]
        self.assertEqual((run["title"], run["notes"], run["tags"]), ("before", "kept", ["a", "b"]))
        target = self.file.with_name("run.json")
        exported = self.program("runs", "export", run["id"], "--format", "json", "--out", target)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        whole = json.loads(target.read_text(encoding="utf-8"))
        self.assertEqual(len(whole["run"]["tokens"]), len(before["tokens"]))

    def test_what_it_refuses(self):
        self.mark(8)
        self.assertIn("885cab5f", self.convert().stderr)
        self.mark(18)
        self.assertIn("does not know", self.convert().stderr)
        self.mark(17, application=7)
        self.assertIn("is no run database", self.convert().stderr)
        self.mark(17)
        user = sqlite3.connect(self.file)
        user.execute("BEGIN IMMEDIATE")
        done = self.convert()
        user.close()
        self.assertEqual(done.returncode, 1)
        self.assertIn("Another program uses", done.stderr)
        self.assertEqual(self.convert().returncode, 0)
        self.assertIn("needs no conversion", self.convert().stderr)


if __name__ == "__main__":
    unittest.main()
