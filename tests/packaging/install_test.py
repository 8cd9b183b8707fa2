# SPDX-License-Identifier: GPL-3.0-or-later
"""`cmake --install` into an empty folder, which is moved afterwards: the program must still find its
engine and its resources, and must not look into the source or the build tree."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["EP_BUILD_DIR"])


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        first = cls.folder / "first"
        done = subprocess.run([os.environ["EP_CMAKE"], "--install", BUILD, "--prefix", first],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)
        cls.prefix = cls.folder / "moved here"
        first.rename(cls.prefix)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_program(self, *arguments):
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("EP_ENGINE_LIBRARY", "EP_RESOURCES", "EP_DB")}
        environment["HOME"] = str(self.folder)
        environment["XDG_DATA_HOME"] = str(self.folder / "data")
        environment["XDG_CONFIG_HOME"] = str(self.folder / "config")
        return subprocess.run([self.prefix / "bin/energy-profiler", *arguments],
                              capture_output=True, text=True, check=False, env=environment)

    def test_files(self):
        for name in ("bin/energy-profiler", "lib/energy-profiler/ep-engine.so",
                     "share/applications/energy-profiler.desktop",
                     "share/metainfo/io.github.energy_profiler.EnergyProfiler.metainfo.xml",
                     "share/mime/packages/energy-profiler.xml",
                     "share/icons/hicolor/scalable/apps/energy-profiler.svg",
                     "share/icons/hicolor/128x128/apps/energy-profiler.png",
                     "share/energy-profiler/models/demo-llama-5m/config.json",
                     "share/energy-profiler/schema/run.schema.json",
                     "share/energy-profiler/demo/demo.eprun",
                     "share/man/man1/energy-profiler.1",
                     "share/bash-completion/completions/energy-profiler",
                     "share/zsh/site-functions/_energy-profiler",
                     "share/doc/energy-profiler/copyright"):
            self.assertTrue((self.prefix / name).is_file(), name)

    def test_the_model_beside_it_is_found(self):
        done = self.run_program("models", "list", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        share = str(self.prefix / "share/energy-profiler/models")
        self.assertIn(share, done.stdout)

    def test_it_profiles(self):
        done = self.run_program("run", "--model", "demo-llama-5m", "--prompt", "The old man",
                                "--max-new-tokens", "4", "--power", "none", "--no-save",
                                "--json", "--full")
        self.assertEqual(done.returncode, 0, done.stderr)
        run = json.loads(done.stdout)
        self.assertEqual(run["run"]["info"]["output_tokens"], 4)

    def test_the_demo_run_is_imported(self):
        demo = self.prefix / "share/energy-profiler/demo/demo.eprun"
        database = str(self.folder / "demo.db")
        done = self.run_program("runs", "import", str(demo), "--db", database, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["imported"]), 1)


if __name__ == "__main__":
    unittest.main()
