# SPDX-License-Identifier: GPL-3.0-or-later
"""Desktop entry, AppStream metainfo and MIME type: well-formed, and they name the same things."""
import configparser
import os
import pathlib
import plistlib
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["EP_BUILD_DIR"])
LINUX = SOURCE / "resources/linux"
METAINFO = "io.github.energy_profiler.EnergyProfiler.metainfo.xml"
MIME_TYPE = "application/vnd.energy-profiler.run+json"


def desktop():
    parser = configparser.RawConfigParser(delimiters=("=",), strict=True)
    parser.optionxform = str
    parser.read(LINUX / "energy-profiler.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def metainfo():
    text = (LINUX / (METAINFO + ".in")).read_text(encoding="utf-8")
    text = text.replace("@PROJECT_VERSION@", "1.2.3").replace("@EP_RELEASE_DATE@", "2026-01-31")
    return text


def validate(program, *arguments):
    """Runs the system's validator if it is installed."""
    found = shutil.which(program)
    if not found:
        return
    done = subprocess.run([found, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{program}: {done.stdout}{done.stderr}")


class DesktopEntry(unittest.TestCase):
    def test_keys(self):
        entry = desktop()
        for key in ("Type", "Name", "Comment", "Exec", "Icon", "Categories", "MimeType"):
            self.assertTrue(entry[key], key)
        self.assertEqual(entry["Type"], "Application")
        self.assertRegex(entry["Exec"], r"^energy-profiler gui %f$")
        for key in ("Categories", "MimeType", "Keywords", "Keywords[de]"):
            self.assertTrue(entry[key].endswith(";"), key)

    def test_validator(self):
        validate("desktop-file-validate", str(LINUX / "energy-profiler.desktop"))


def complaints_of_appstream(file):
    if not shutil.which("appstreamcli"):
        return []
    result = subprocess.run(["appstreamcli", "validate", "--no-net", str(file)],
                            capture_output=True, text=True, check=False)
    # Newer versions require a homepage, which the project does not have.
    return [line for line in result.stdout.splitlines()
            if line[:2] in ("E:", "W:") and "url-homepage-missing" not in line]


class MetaInfo(unittest.TestCase):
    def test_names_the_desktop_entry_and_the_type(self):
        root = ElementTree.fromstring(metainfo())
        self.assertEqual(root.get("type"), "desktop-application")
        self.assertEqual(root.findtext("id") + ".metainfo.xml", METAINFO)
        self.assertEqual(root.findtext("launchable"), "energy-profiler.desktop")
        self.assertEqual(root.findtext("project_license"), "GPL-3.0-or-later")
        self.assertEqual(root.findtext("provides/mediatype"), MIME_TYPE)
        self.assertEqual(root.findtext("summary"), desktop()["Comment"])

    def test_cmake_fills_in_the_version(self):
        version = re.search(r"VERSION ([0-9.]+)",
                            (SOURCE / "CMakeLists.txt").read_text().split("project(")[1])[1]
        made = BUILD / METAINFO
        if not made.exists():  # on a Mac
            self.skipTest("not made here")
        release = ElementTree.parse(made).getroot().find("releases/release")
        self.assertEqual(release.get("version"), version)
        self.assertRegex(release.get("date"), r"^\d{4}-\d\d-\d\d$")
        self.assertEqual(complaints_of_appstream(made), [])


class MimeType(unittest.TestCase):
    SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"

    def test_file(self):
        root = ElementTree.parse(LINUX / "energy-profiler.mime.xml").getroot()
        kind = root.find(self.SPACE + "mime-type")
        self.assertEqual(kind.get("type"), MIME_TYPE)
        self.assertEqual(kind.find(self.SPACE + "glob").get("pattern"), "*.eprun")
        self.assertEqual(kind.find(self.SPACE + "sub-class-of").get("type"), "application/json")

    def test_the_desktop_entry_opens_it(self):
        self.assertIn(MIME_TYPE, desktop()["MimeType"].split(";"))


class InfoPlist(unittest.TestCase):
    def setUp(self):
        text = (SOURCE / "resources/macos/Info.plist.in").read_text(encoding="utf-8")
        for name, value in (("PROJECT_VERSION", "1.2.3"), ("EP_MACOS_MINIMUM", "13.0"),
                            ("EP_BUNDLE_IDENTIFIER", "org.example.ep")):
            text = text.replace(f"@{name}@", value)
        self.assertNotIn("@", text)
        self.plist = plistlib.loads(text.encode())

    def test_what_macos_asks_for(self):
        expected = {
            "CFBundlePackageType": "APPL",
            "CFBundleExecutable": "energy-profiler",
            "CFBundleIconFile": "energy-profiler.icns",
            "CFBundleShortVersionString": "1.2.3",
            "LSMinimumSystemVersion": "13.0",
            "NSHighResolutionCapable": True,
            "NSPrincipalClass": "NSApplication",
            "LSApplicationCategoryType": "public.app-category.developer-tools",
        }
        for key, value in expected.items():
            self.assertEqual(self.plist[key], value, key)
        for key, value in self.plist.items():
            if key.endswith("UsageDescription"):
                self.assertRegex(value, r"^Energy Profiler .*\.$")

    def test_run_files_are_documents(self):
        types = [kind for document in self.plist["CFBundleDocumentTypes"]
                 for kind in document["LSItemContentTypes"]]
        exported = self.plist["UTExportedTypeDeclarations"][0]
        self.assertIn(exported["UTTypeIdentifier"], types)
        tags = exported["UTTypeTagSpecification"]
        self.assertEqual(tags["public.filename-extension"], ["eprun"])
        self.assertEqual(tags["public.mime-type"], [MIME_TYPE])

    def test_entitlements(self):
        with open(SOURCE / "resources/macos/entitlements.plist", "rb") as file:
            self.assertTrue(all(value is True for value in plistlib.load(file).values()))


if __name__ == "__main__":
    unittest.main()
