# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/gate.sh, with a program that ends as it should and with the real one."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1))
SCRIPT = pathlib.Path(sys.argv.pop(1)) / "docs/gate.sh"


class GateTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_script(self, *arguments, **variables):
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "HOME": str(self.folder),
                       "QT_QPA_PLATFORM": "offscreen", **variables}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            environment.pop(name, None)
        return subprocess.run([SCRIPT, *arguments], env=environment, text=True, capture_output=True)

    def test_passes_the_status_on(self):
        for status in (0, 1, 2, 3):
            tool = self.folder / "energy-profiler"
            tool.write_text(f'#!/bin/sh\necho "$@"\nexit {status}\n')
            tool.chmod(0o755)
            result = self.run_script("f32", "int8", "+5%", "m")
            self.assertEqual(result.returncode, status)
            self.assertIn("--pairs 20", result.stdout)
            self.assertIn("--fail-if joules_per_token > +5%", result.stdout)
            self.assertEqual("do not tell" in result.stderr, status == 3)

    def test_says_how_it_is_called(self):
        result = self.run_script("f32")
        self.assertEqual(result.returncode, 2)
        self.assertIn("gate.sh A B LIMIT MODEL", result.stderr)

    def test_measures(self):
        """Limits so far apart that no noise of the machine decides."""
        (self.folder / "energy-profiler").symlink_to(PROGRAM)
        small = {"PAIRS": "3", "TOKENS": "4", "POWER": "modelled"}
        within = self.run_script("f32", "f32", "+100000%", "demo-llama-5m", **small)
        self.assertEqual(within.returncode, 0, within.stderr)
        self.assertIn("energy per token", within.stdout)
        beyond = self.run_script("f32", "f32", "-99.99%", "demo-llama-5m", **small)
        self.assertEqual(beyond.returncode, 1, beyond.stderr)
        self.assertIn("exceeds the limit", beyond.stderr)
        self.assertEqual(self.run_script("f32", "f99", "+5%", "demo-llama-5m", **small).returncode, 2)


if __name__ == "__main__":
    unittest.main()
