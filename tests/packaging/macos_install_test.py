# SPDX-License-Identifier: GPL-3.0-or-later
"""What `cmake --install` puts into the bundle of a Mac: the rules for one, on this system, with a program and an
engine that do nothing."""
import os
import pathlib
import plistlib
import subprocess
import tempfile
import textwrap
import unittest

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])

PROJECT = textwrap.dedent("""\
    cmake_minimum_required(VERSION 3.25)
    project(bundle VERSION 1.2.3 LANGUAGES C)
    set(APPLE ON)
    set(CMAKE_MODULE_PATH "${PROJECT_SOURCE_DIR}/scripts/cmake")
    add_executable(energy-profiler nothing.c)
    add_library(ep_engine_plugin MODULE nothing.c)
    set_target_properties(ep_engine_plugin PROPERTIES PREFIX "" OUTPUT_NAME ep-engine)
    include(scripts/cmake/EpInstall.cmake)
    """)


class MacInstallTest(unittest.TestCase):
    def test_files(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        folder = pathlib.Path(holder.name)
        for name in ("scripts", "resources", "LICENSE"):
            (folder / name).symlink_to(SOURCE / name)
        (folder / "nothing.c").write_text("int main(void) { return 0; }\n")
        (folder / "CMakeLists.txt").write_text(PROJECT)
        cmake = os.environ["EP_CMAKE"]
        for step in (["-S", folder, "-B", folder / "build"], ["--build", folder / "build"],
                     ["--install", folder / "build", "--prefix", folder / "bundle"]):
            done = subprocess.run([cmake, *step], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        contents = folder / "bundle/Energy Profiler.app/Contents"
        for name in ("Info.plist", "Frameworks/ep-engine.so", "Resources/LICENSE", "Resources/demo/demo.eprun",
                     "Resources/models/demo-llama-5m/config.json", "Resources/schema/run.schema.json"):
            self.assertTrue((contents / name).is_file(), name)
        # The program tells its users to run this script, and most of them only have a bundle.
        for name in ("MacOS/energy-profiler", "Resources/setup_powermetrics.sh"):
            self.assertTrue(os.access(contents / name, os.X_OK), name)
        self.assertEqual((contents / "Resources/setup_powermetrics.sh").read_bytes(),
                         (SOURCE / "scripts/setup_powermetrics.sh").read_bytes())
        info = plistlib.loads((contents / "Info.plist").read_bytes())
        self.assertEqual((info["CFBundleShortVersionString"], info["LSMinimumSystemVersion"]), ("1.2.3", "14.0"))


if __name__ == "__main__":
    unittest.main()
