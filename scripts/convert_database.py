#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts a run database from before the schema began at 1.

    python3 scripts/convert_database.py runs.db

The file of before is kept as runs.db.before-1. Versions 9 to 17 are converted. Older ones hold their spans unpacked: open them once
with the program of commit 885cab5f, which brings them to version 17.
"""
import os
import pathlib
import sqlite3
import sys

SCHEMA = pathlib.Path(__file__).resolve().parent.parent / "resources/schema/store_v1.sql"
EARLY_ID = 0x45507266
CURRENT_ID = 0x45507231
FIRST_PACKED, LAST = 9, 17


class Refused(Exception):
    """A sentence for the user."""


def columns(database, name, table):
    """Stored columns in order; generated columns are computed again."""
    return [row[1] for row in database.execute(f'PRAGMA {name}.table_xinfo("{table}")') if row[6] == 0]


def check(database, file):
    if database.execute("PRAGMA application_id").fetchone()[0] == CURRENT_ID:
        raise Refused(f"{file} needs no conversion.")
    if database.execute("PRAGMA application_id").fetchone()[0] != EARLY_ID:
        raise Refused(f"{file} is no run database of Energy Profiler.")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version < FIRST_PACKED:
        raise Refused(f"{file} has version {version}, whose spans are not packed: open it once with the program of commit 885cab5f, "
                      "which brings it to version 17, then convert it.")
    if version > LAST:
        raise Refused(f"{file} has version {version}, which this script does not know (up to {LAST}).")
    if database.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise Refused(f"{file} is damaged: save its runs with the program that wrote it (runs salvage), then convert the result.")


def create(draft):
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # it holds prompts and answers
    database = sqlite3.connect(draft)
    database.execute("PRAGMA auto_vacuum = INCREMENTAL")
    database.executescript(SCHEMA.read_text(encoding="utf-8"))
    database.execute(f"PRAGMA application_id = {CURRENT_ID}")
    database.execute("PRAGMA user_version = 1")
    database.close()


def copy(database):
    """Copies from main, which stays locked, to `current`."""
    tables = [row[0] for row in database.execute("SELECT name FROM current.sqlite_schema WHERE type = 'table'")]
    before = {row[0] for row in database.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'")}
    for table in tables:
        if table not in before or table in ("pack_codec", "pack_numbers"):
            continue  # tables of later versions stay empty; the codec comes with the schema
        known = set(columns(database, "main", table))
        shared = ", ".join(c for c in columns(database, "current", table) if c in known)
        database.execute(f"INSERT INTO current.{table} ({shared}) SELECT {shared} FROM main.{table}")
    if database.execute("PRAGMA current.foreign_key_check").fetchone():
        raise Refused("The file is damaged: some of its rows belong to no run.")


def convert(file):
    if not file.is_file():
        raise Refused(f"There is no file {file}.")
    kept = pathlib.Path(f"{file}.before-1")
    draft = pathlib.Path(f"{file}.part-{os.getpid()}")
    database = sqlite3.connect(file, timeout=0, isolation_level=None)
    try:
        check(database, file)
        if kept.exists():
            raise Refused(f"{kept} exists already: move it away, then convert again.")
        # Merges the log into the file and keeps other programs out until the new file is in place.
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA journal_mode = DELETE")
        create(draft)
        database.execute("ATTACH ? AS current", (str(draft),))
        database.execute("BEGIN EXCLUSIVE")
        copy(database)
        database.execute("COMMIT")
        os.link(file, kept)
        os.replace(draft, file)
    finally:
        database.close()
        draft.unlink(missing_ok=True)
    return kept


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    file = pathlib.Path(sys.argv[1])
    try:
        kept = convert(file)
    except (Refused, OSError, sqlite3.Error) as problem:
        text = str(problem)
        if isinstance(problem, sqlite3.OperationalError) and "locked" in text:
            text = f"Another program uses {file}: close it, then convert again."
        print(f"convert: {text}", file=sys.stderr)
        return 1
    print(f"{file} is converted; the file of before is {kept}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
