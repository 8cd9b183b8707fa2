#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ingredients of a release: notes, bill of materials and other packagers' manifests, which must agree with the
project."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])


def text(path):
    return (SOURCE / path).read_text(encoding="utf-8")


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


VERSION = re.search(r"project\(energy-profiler VERSION ([0-9.]+)", text("CMakeLists.txt")).group(1)


class Notes(unittest.TestCase):
    def test_are_one_section_of_the_change_log(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            (copy / "scripts").mkdir()
            (copy / "docs").mkdir()
            shutil.copy(SOURCE / "scripts/release.sh", copy / "scripts")
            (copy / "docs/changelog.md").write_text(
                "# Change log\n\n## [Unreleased]\n\nnew\n\n## [1.0.10] - 2027-02-01\n\n- ten\n\n"
                "## [1.0.1] - 2027-01-01\n\n- one\n", encoding="utf-8")
            release = copy / "scripts/release.sh"
            self.assertEqual(run(release, "--notes", "1.0.1").stdout.strip(), "- one")
            self.assertEqual(run(release, "--notes", "1.0.10").stdout.strip(), "- ten")
            missing = run(release, "--notes", "2.0.0")
            self.assertEqual(missing.returncode, 1)
            self.assertIn("no text for version 2.0.0", missing.stderr)

    def test_exist_for_what_is_not_released_yet(self):
        self.assertIn("### Added", run(SOURCE / "scripts/release.sh", "--notes", "Unreleased").stdout)


@unittest.skipUnless(shutil.which("dpkg-deb"), "needs dpkg-deb")
class BillOfMaterials(unittest.TestCase):
    def test_names_the_package_and_what_it_depends_on(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder, "tree")
            (tree / "DEBIAN").mkdir(parents=True)
            (tree / "DEBIAN/control").write_text(
                "Package: energy-profiler\nVersion: 1.2.3-1\nArchitecture: all\nMaintainer: nobody <n@localhost>\n"
                "Depends: dpkg (>= 1.0), surely-not-installed | other, dpkg\nDescription: a test\n", encoding="utf-8")
            package = pathlib.Path(folder, "p.deb")
            self.assertEqual(run("dpkg-deb", "--root-owner-group", "--build", tree, package).returncode, 0)
            made = run(sys.executable, SOURCE / "scripts/bill_of_materials.py", package)
            self.assertEqual(made.returncode, 0, made.stderr)
            bill = json.loads(made.stdout)
            found = {entry["name"]: entry["versionInfo"] for entry in bill["packages"]}
            self.assertEqual(found["energy-profiler"], "1.2.3-1")
            self.assertEqual(found["dpkg"], run("dpkg-query", "-W", "-f=${Version}", "dpkg").stdout)
            self.assertEqual(found["surely-not-installed"], "NOASSERTION")
            ids = [entry["SPDXID"] for entry in bill["packages"]]
            self.assertEqual(len(ids), len(set(ids)), "an identifier may stand once only")
            for relation in bill["relationships"]:
                self.assertIn(relation["relatedSpdxElement"], ids)


class Manifests(unittest.TestCase):
    def test_the_formula_needs_what_setup_installs(self):
        installed = re.search(r"brew_packages=\((.*?)\)", text("scripts/setup.sh"), re.S).group(1).split()
        formula = re.findall(r'depends_on "([^"]+)"', text("resources/homebrew/energy-profiler.rb"))
        only_for_tests = {"ccache", "python3", "qtwebsockets", "googletest", "google-benchmark", "valijson"}
        self.assertEqual(set(formula), set(installed) - only_for_tests)

    def test_the_cask_is_of_this_version(self):
        cask = text("resources/homebrew/energy-profiler-app.rb")
        self.assertIn(f'version "{VERSION}"', cask)
        minimum = re.search(r'EP_MACOS_MINIMUM "(\d+)', text("scripts/cmake/EpInstall.cmake")).group(1)
        self.assertEqual({"14": ":sonoma", "15": ":sequoia"}[minimum], re.search(r'macos: ">= (:\w+)"', cask).group(1))

    @unittest.skipUnless(shutil.which("ruby"), "needs ruby")
    def test_ruby_reads_them(self):
        for file in sorted((SOURCE / "resources/homebrew").glob("*.rb")):
            self.assertEqual(run("ruby", "-c", file).returncode, 0, file)

    def test_the_flatpak_is_the_application_of_the_metainfo(self):
        (file,) = (SOURCE / "resources/flatpak").glob("*.json")
        manifest = json.loads(file.read_text(encoding="utf-8"))
        metainfo = ElementTree.parse(SOURCE / f"resources/linux/{file.stem}.metainfo.xml.in").getroot()
        self.assertEqual(manifest["id"], metainfo.findtext("id"))
        self.assertEqual(manifest["id"], file.stem)

    def test_the_dev_container_runs_setup(self):
        container = json.loads(text(".devcontainer/devcontainer.json"))
        words = container["postCreateCommand"].split()
        self.assertTrue((SOURCE / words[0]).is_file())
        known = re.search(r"usage: scripts/setup.sh (.*)\"", text("scripts/setup.sh")).group(1)
        for option in words[1:]:
            self.assertIn(f"[{option}]", known)

    def test_commits_ignored_by_blame_exist(self):
        if not (SOURCE / ".git").exists() or shutil.which("git") is None:
            self.skipTest("not a checkout")
        if run("git", "-C", SOURCE, "rev-parse", "--is-shallow-repository").stdout.strip() == "true":
            self.skipTest("a shallow checkout")
        for line in text(".git-blame-ignore-revs").splitlines():
            if line and not line.startswith("#"):
                self.assertEqual(run("git", "-C", SOURCE, "cat-file", "-t", line).stdout.strip(), "commit", line)


if __name__ == "__main__":
    unittest.main()
