#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How scripts/mac_link/report.py judges a build's output. The tools that it calls are not needed."""
import importlib.util
import os
import pathlib
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])
SPEC = importlib.util.spec_from_file_location("report", SOURCE / "scripts/mac_link/report.py")
report = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(report)

LOG = """[1/9] Building CXX object src/core/a.o
/tree/src/core/a.cpp:12:3: error: no member named 'x' in 'ep::Y'
/tree/src/core/a.cpp:12:3: error: no member named 'x' in 'ep::Y'
/tree/src/core/a.cpp:13:3: warning: unused variable
ld64.lld: warning: libQt.dylib has version 14.4.0, which is newer than target minimum of 14.0
ld64.lld: error: undefined symbol: _gone
>>> referenced by b.o:(symbol f+0x10)
>>> referenced by c.o:(symbol g+0x10)
ld64.lld: error: duplicate symbol: _twice
>>> defined in b.o
>>> defined in c.o
"""


class Complaints(unittest.TestCase):
    def test_are_the_errors_of_compiler_and_linker_once_each(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "build.log"
            log.write_text(LOG, encoding="utf-8")
            errors, linker = report.complaints(log, pathlib.Path("/tree"))
        self.assertEqual(list(errors), ["src/core/a.cpp:12: no member named 'x' in 'ep::Y'"])
        self.assertEqual(linker, {"undefined symbol: _gone": "b.o:(symbol f+0x10)", "duplicate symbol: _twice": "b.o"})


class LookedUp(unittest.TestCase):
    def test_finds_what_the_sources_ask_a_mac_for(self):
        names = report.looked_up(SOURCE)
        self.assertIn("IOReportCreateSamples", names)

    def test_reads_names_of_stubs(self):
        with tempfile.TemporaryDirectory() as folder:
            sdk = pathlib.Path(folder)
            for stub in report.STUBS:
                (sdk / stub).parent.mkdir(parents=True, exist_ok=True)
                (sdk / stub).write_text("exports:\n  - symbols: [ _IOReportCreateSamples, _other ]\n", encoding="utf-8")
            self.assertEqual(report.in_stubs(sdk), {"IOReportCreateSamples", "other"})


if __name__ == "__main__":
    unittest.main()
