# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/setup.sh --torch installs what LibTorch of the Python package links, and nothing else without CUDA."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "scripts"))
import torch_libraries

# The lines of the packages themselves, shortened.
LINUX_2_9 = """\
Requires-Dist: filelock
Requires-Dist: nvidia-cuda-nvrtc-cu12==12.8.93; platform_system == "Linux" and platform_machine == "x86_64"
Requires-Dist: nvidia-cuda-runtime-cu12==12.8.90; platform_system == "Linux" and platform_machine == "x86_64"
Requires-Dist: nvidia-cuda-cupti-cu12==12.8.90; platform_system == "Linux" and platform_machine == "x86_64"
Requires-Dist: nvidia-cudnn-cu12==9.10.2.21; platform_system == "Linux" and platform_machine == "x86_64"
"""
LINUX_2_14 = """\
Requires-Dist: cuda-toolkit[cublas,cudart,cufft,cupti,nvrtc]==13.0.3; platform_system == "Linux"
Requires-Dist: cuda-bindings<14,>=13.0.3; platform_system == "Linux" and python_version < "3.15"
Requires-Dist: nvidia-cudnn-cu13==9.24.0.43; platform_system == "Linux"
"""
PROCESSOR = "Requires-Dist: filelock\nRequires-Dist: sympy>=1.13.3\n"

# Notes what pip is asked for, and unpacks a package torch that says what it requires.
PYTHON = """\
if [ "$1" != -m ]; then exec "$EP_PYTHON" "$@"; fi
shift 2
echo "$@" >>"$EP_CALLS"
case "$*" in
    *no-such*) echo "pip: no such package" >&2; exit 1 ;;
    *torch*) mkdir -p build/torch.new/torch-9.dist-info && cp "$EP_METADATA" build/torch.new/torch-9.dist-info/METADATA ;;
esac
"""


class TorchLibraries(unittest.TestCase):
    def words(self, metadata):
        lines = [line.removeprefix("Requires-Dist: ") for line in metadata.splitlines()]
        return torch_libraries.linked(lines)

    def test_of_all_that_torch_requires_the_linked_ones_are_named(self):
        self.assertEqual(self.words(LINUX_2_9),
                         ["nvidia-cuda-runtime-cu12==12.8.90", "nvidia-cuda-cupti-cu12==12.8.90"])
        self.assertEqual(self.words(LINUX_2_14), ["cuda-toolkit[cudart,cupti]==13.0.3"])
        self.assertEqual(self.words(PROCESSOR), [])
        self.assertEqual(self.words("Requires-Dist: cuda-toolkit[cublas]==13.0.3\n"), [])


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        scripts, self.tools = self.folder / "checkout/scripts", self.folder / "tools"
        scripts.mkdir(parents=True)
        self.tools.mkdir()
        for name in ("setup.sh", "torch_libraries.py"):
            shutil.copy(SOURCE / "scripts" / name, scripts)
        for name, text in (("uname", "echo Linux"), ("apt-get", "exit 0"), ("dpkg-query", "echo installed"),
                           ("python3", PYTHON)):
            (self.tools / name).write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
            (self.tools / name).chmod(0o755)

    def setup_torch(self, torch, metadata):
        (self.folder / "METADATA").write_text(f"Name: torch\n{metadata}\nDescription of torch\n", encoding="utf-8")
        (self.folder / "calls").write_text("", encoding="utf-8")
        done = subprocess.run(["bash", self.folder / "checkout/scripts/setup.sh", "--torch", torch],
                              capture_output=True, text=True, check=False,
                              env={"PATH": f"{self.tools}:{os.environ['PATH']}", "EP_PYTHON": sys.executable,
                                   "EP_CALLS": str(self.folder / "calls"), "EP_METADATA": str(self.folder / "METADATA")})
        calls = (self.folder / "calls").read_text(encoding="utf-8").splitlines()
        return done, [call.removeprefix("install --quiet --target build/torch.new ") for call in calls]

    def test_for_the_processor_only_the_linked_libraries_of_nvidia_are_installed(self):
        done, calls = self.setup_torch("wheel=2.14.1", LINUX_2_14)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(calls, ["--no-deps torch==2.14.1", "cuda-toolkit[cudart,cupti]==13.0.3"])
        self.assertTrue((self.folder / "checkout/build/torch/torch-9.dist-info").is_dir())
        done, calls = self.setup_torch("wheel", PROCESSOR)
        self.assertEqual((done.returncode, calls), (0, ["--no-deps torch"]))

    def test_for_cuda_pip_installs_all_that_torch_requires(self):
        done, calls = self.setup_torch("cuda", LINUX_2_14)
        self.assertEqual((done.returncode, calls), (0, ["torch"]))

    def test_a_failure_keeps_what_was_installed_before(self):
        self.setup_torch("wheel", PROCESSOR)
        done, _ = self.setup_torch("wheel=no-such", PROCESSOR)
        self.assertEqual(done.returncode, 1)
        self.assertIn("setup: pip could not install torch==no-such", done.stderr)
        self.assertTrue((self.folder / "checkout/build/torch/torch-9.dist-info").is_dir())
        self.assertFalse((self.folder / "checkout/build/torch.new").exists())


if __name__ == "__main__":
    unittest.main()
