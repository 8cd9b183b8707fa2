# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/package_macos.sh on a bundle tree of text files, with tools that note how they are called.

A "Mach-O file" here is text: `lib NAME` for each library it links, `rpath PATH` for each search path,
`minos VERSION` for the oldest macOS that it was built for.
The fake otool prints that as the real one does, the fake install_name_tool changes it.
"""
import os
import pathlib
import plistlib
import shutil
import stat
import subprocess
import sys
import tempfile
import textwrap
import unittest

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])

# In the shell, since Python takes ten times as long to start, and one bundle takes eighty calls.
FAKE_TOOL = textwrap.dedent(r"""
    #!/bin/sh
    tool=${0##*/}
    echo "$tool $*" >>"$FAKE_LOG"
    for last; do :; done
    rewrite() { # FUNCTION: calls it with each line of the last argument; what it prints is the new file
        new=$(while IFS= read -r line; do "$@" "$line"; done <"$last") && echo "$new" >"$last"
    }
    change() { [ "$3" = "lib $1" ] && echo "lib $2" || echo "$3"; }
    rename() { case $2 in */"${last##*/}") echo "lib $1" ;; *) echo "$2" ;; esac; }
    drop() { # PATH LINE: the first rpath of several
        if [ -z "$dropped" ] && [ "$2" = "rpath $1" ]; then dropped=yes; else echo "$2"; fi
    }
    case "$tool $1" in
    "otool -L")
        echo "$2:"
        while read -r what value; do
            [ "$what" != lib ] || printf '\t%s (compatibility version 1.0.0, current version 1.0.0)\n' "$value"
        done <"$2"
        ;;
    otool*)
        while read -r what value; do
            case $what in
            rpath) printf '          cmd LC_RPATH\n      cmdsize 48\n         path %s (offset 12)\n' "$value" ;;
            minos) printf '      cmd LC_BUILD_VERSION\n  cmdsize 32\n platform 1\n    minos %s\n      sdk 27.0\n' "$value" ;;
            esac
        done <"$2"
        # A real library has more commands than a pipe holds; whoever stops reading early makes otool fail.
        cat "$FAKE_REST"
        ;;
    qtpaths*) echo "$FAKE_QT/plugins" ;;
    "install_name_tool -change") rewrite change "$2" "$3" ;;
    "install_name_tool -id") rewrite rename "$2" ;;
    "install_name_tool -delete_rpath") grep -qxF "rpath $2" "$last" && rewrite drop "$2" ;;
    "install_name_tool -add_rpath") echo "rpath $2" >>"$last" ;;
    hdiutil*)
        printf image >"$last"
        while [ "$1" != -srcfolder ]; do shift; done
        ls "$2"
        ;;
    esac
    """).lstrip()


class PackageTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.tools = self.folder / "tools"
        self.tools.mkdir()
        for name in ("otool", "install_name_tool", "codesign", "macdeployqt", "qtpaths", "hdiutil",
                     "xcrun"):
            tool = self.tools / name
            tool.write_text(FAKE_TOOL)
            tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
        (self.folder / "rest").write_text("Load command\n      cmd LC_SEGMENT_64\n  cmdsize 72\n" * 1300)
        self.torch = self.folder / "torch"
        self.app = self.folder / "Energy Profiler.app"
        self.contents = self.app / "Contents"
        self.out = self.folder / "out"
        self.write(self.torch / "libtorch.dylib", "lib @rpath/libtorch.dylib", "lib @rpath/libc10.dylib",
                   "rpath @loader_path")
        self.write(self.torch / "libc10.dylib", "lib @rpath/libc10.dylib",
                   "lib /usr/lib/libc++.1.dylib", f"lib {self.torch}/libomp.dylib")
        self.write(self.torch / "libomp.dylib", f"lib {self.torch}/libomp.dylib")
        self.write(self.contents / "Frameworks/ep-engine.so", "lib @rpath/libtorch.dylib",
                   "lib /usr/lib/libSystem.B.dylib", "rpath @loader_path", f"rpath {self.torch}")
        self.write(self.contents / "MacOS/energy-profiler",
                   "lib @executable_path/../Frameworks/QtCore.framework/QtCore",
                   "lib /usr/lib/libsqlite3.dylib", "rpath /opt/homebrew/lib")
        self.write(self.contents / "Frameworks/QtCore.framework/QtCore", "minos 14.0")
        (self.contents / "Info.plist").write_bytes(plistlib.dumps(
            {"CFBundleShortVersionString": "1.2.3", "LSMinimumSystemVersion": "13.0"}))
        self.brew = self.folder / "brew"
        self.write(self.folder / "qt/plugins/platforms/libqoffscreen.dylib",
                   "lib @executable_path/../Frameworks/QtCore.framework/QtCore")

    @staticmethod
    def write(file, *lines):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n")

    def finish(self, check=False, **extra):
        environment = {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}",
                       "FAKE_LOG": str(self.folder / "log"), "FAKE_REST": str(self.folder / "rest"),
                       "EP_ICON_LARGEST": "32", "FAKE_QT": str(self.folder / "qt"),
                       "EP_BREW_PREFIX": str(self.brew), **extra}
        for name in ("EP_SIGN_IDENTITY", "EP_NOTARY_PROFILE"):
            if name not in extra:
                environment.pop(name, None)
        return subprocess.run(
            ["bash", SOURCE / "scripts/package_macos.sh", "--check" if check else "--finish", self.app,
             self.out],
            capture_output=True, text=True, check=False, env=environment)

    def log(self, tool):
        return [line for line in (self.folder / "log").read_text().splitlines()
                if line.startswith(tool + " ")]

    def lines(self, name):
        return (self.contents / name).read_text().splitlines()

    def test_ad_hoc(self):
        done = self.finish()
        self.assertEqual(done.returncode, 0, done.stderr)
        image = pathlib.Path(done.stdout.splitlines()[-1])
        self.assertEqual(image.parent, self.out)
        self.assertTrue(image.name.startswith("energy-profiler-1.2.3-"), image.name)
        self.assertTrue(image.exists())
        self.assertIn("Applications\nEnergy Profiler.app\n", done.stderr)
        self.assertTrue((self.contents / "Resources/energy-profiler.icns").read_bytes()
                        .startswith(b"icns"))
        self.assertEqual((self.contents / "PkgInfo").read_text(), "APPL????")
        self.assertTrue(all(" --sign - " in line for line in self.log("codesign")
                            if "--verify" not in line))
        self.assertEqual(self.log("xcrun"), [])
        self.assertIn("not notarised", done.stderr)

    def test_libraries_are_gathered_and_point_into_the_bundle(self):
        self.assertEqual(self.finish().returncode, 0)
        for name in ("libtorch.dylib", "libc10.dylib", "libomp.dylib"):
            self.assertTrue((self.contents / "Frameworks" / name).exists(), name)
        self.assertIn("lib @rpath/libomp.dylib", self.lines("Frameworks/libc10.dylib"))
        rpaths = [line for line in self.lines("Frameworks/ep-engine.so") if line.startswith("rpath")]
        self.assertEqual(rpaths, ["rpath @loader_path"])
        program = self.lines("MacOS/energy-profiler")
        self.assertIn("rpath @executable_path/../Frameworks", program)
        self.assertNotIn("rpath /opt/homebrew/lib", program)

    def test_signed_from_the_inside_outwards(self):
        identity = "Developer ID Application: Somebody (ABCDE12345)"
        done = self.finish(EP_SIGN_IDENTITY=identity, EP_NOTARY_PROFILE="mine")
        self.assertEqual(done.returncode, 0, done.stderr)
        signed = [line for line in self.log("codesign") if "--verify" not in line]
        for line in signed:
            self.assertIn(f"--sign {identity}", line)
            self.assertIn("--options runtime", line)
            self.assertIn("--timestamp", line)
        places = [next(index for index, line in enumerate(signed) if line.endswith(end))
                  for end in ("libtorch.dylib", "QtCore.framework", "Energy Profiler.app", ".dmg")]
        self.assertEqual(places, sorted(places))
        self.assertIn("--entitlements", signed[places[2]])
        notary = self.log("xcrun")
        self.assertIn("notarytool submit", notary[0])
        self.assertIn("--keychain-profile mine --wait", notary[0])
        self.assertIn("stapler staple", notary[1])

    def test_a_library_that_is_nowhere_ends_it(self):
        (self.torch / "libc10.dylib").unlink()
        done = self.finish()
        self.assertEqual(done.returncode, 1)
        self.assertIn("libc10.dylib, which is nowhere to be found", done.stderr)

    def test_a_reference_that_nothing_answers_ends_it(self):
        for name in ("/opt/homebrew/lib/x.dylib", "@rpath/x.dylib", "@loader_path/x.dylib",
                     "@rpath/X.framework/Versions/A/X"):
            self.write(self.contents / "PlugIns/platforms/libqcocoa.dylib", "lib " + name)
            done = self.finish()
            self.assertEqual(done.returncode, 1, name)
            self.assertIn(f"libqcocoa.dylib needs {name}, which is nowhere to be found", done.stderr)

    def test_what_macdeployqt_left_out_is_added(self):
        self.write(self.contents / "Frameworks/libbrotlidec.1.dylib",
                   "lib @rpath/libbrotlidec.1.dylib", "lib @rpath/libbrotlicommon.1.dylib",
                   "rpath @loader_path/../../nowhere")
        self.write(self.brew / "opt/brotli/lib/libbrotlicommon.1.dylib",
                   "lib @rpath/libbrotlicommon.1.dylib")
        self.write(self.contents / "PlugIns/imageformats/libqpdf.dylib",
                   "lib @rpath/QtPdf.framework/Versions/A/QtPdf")
        pdf = self.brew / "lib/QtPdf.framework"
        self.write(pdf / "Versions/A/QtPdf", "lib @rpath/QtPdf.framework/Versions/A/QtPdf",
                   "lib @rpath/libbrotlicommon.1.dylib", "minos 15.1")
        self.write(pdf / "Versions/A/Headers/pdf.h", "")
        done = self.finish()
        self.assertEqual(done.returncode, 0, done.stderr)
        inside = "lib @executable_path/../Frameworks/"
        self.assertIn(inside + "libbrotlicommon.1.dylib",
                      self.lines("Frameworks/libbrotlidec.1.dylib"))
        self.assertIn(inside + "QtPdf.framework/Versions/A/QtPdf",
                      self.lines("PlugIns/imageformats/libqpdf.dylib"))
        self.assertFalse((self.contents / "Frameworks/QtPdf.framework/Versions/A/Headers").exists())
        self.assertIn("QtPdf.framework", " ".join(self.log("codesign")))

    def test_an_rpath_is_there_once_and_leads_inside(self):
        self.write(self.torch / "libc10.dylib", "lib @rpath/libc10.dylib", "rpath @loader_path",
                   "rpath @loader_path", "rpath /opt/with a blank/lib")
        self.write(self.contents / "PlugIns/styles/libstyle.dylib",
                   "lib @rpath/QtCore.framework/QtCore", "rpath @loader_path/../../Frameworks",
                   "rpath @loader_path/../../Frameworks", "rpath /opt/homebrew/lib")
        done = self.finish()
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, wanted in (("Frameworks/libc10.dylib", "rpath @loader_path"),
                             ("PlugIns/styles/libstyle.dylib",
                              "rpath @executable_path/../Frameworks")):
            self.assertEqual([line for line in self.lines(name) if line.startswith("rpath")], [wanted])

    def test_it_says_on_which_macos_it_starts(self):
        self.write(self.torch / "libomp.dylib", f"lib {self.torch}/libomp.dylib", "minos 15.0")
        done = self.finish()
        self.assertEqual(done.returncode, 0, done.stderr)
        info = plistlib.loads((self.contents / "Info.plist").read_bytes())
        self.assertEqual(info["LSMinimumSystemVersion"], "15.0")
        self.assertIn("starts on macOS 15.0 and later", done.stderr)

    def test_a_finished_bundle_can_be_checked(self):
        self.assertEqual(self.finish().returncode, 0)
        self.assertEqual(self.finish(check=True).returncode, 0)
        self.write(self.contents / "Frameworks/QtCore.framework/QtCore", "lib @rpath/libgone.dylib",
                   "rpath /opt/homebrew/lib", "rpath @loader_path", "rpath @loader_path")
        (self.contents / "PlugIns/platforms/libqoffscreen.dylib").unlink()
        done = self.finish(check=True)
        self.assertEqual(done.returncode, 1)
        for what in ("libgone.dylib, which is not in the bundle", "leads out of the bundle",
                     "@loader_path twice", "libqoffscreen.dylib is missing"):
            self.assertIn(what, done.stderr)

    def test_a_bundle_must_not_need_what_lies_beside_it(self):
        self.assertEqual(self.finish().returncode, 0)
        self.write(self.folder / "outside.dylib", "lib @rpath/outside.dylib")
        library = self.contents / "Frameworks/libc10.dylib"
        whole = "\n".join(self.lines("Frameworks/libc10.dylib"))
        depth = "/".join([".."] * len(library.parent.relative_to(self.folder).parts))
        for name, said in ((f"@loader_path/{depth}/outside.dylib", "outside.dylib, which is not in the bundle"),
                           ("/opt/homebrew/lib/libx.dylib", "still refers to /opt/homebrew/lib/libx.dylib")):
            self.write(library, whole, "lib " + name)
            done = self.finish(check=True)
            self.assertEqual(done.returncode, 1, name)
            self.assertIn(said, done.stderr)

    def test_notarising_needs_an_identity(self):
        done = self.finish(EP_NOTARY_PROFILE="mine")
        self.assertEqual(done.returncode, 1)
        self.assertIn("EP_SIGN_IDENTITY", done.stderr)

    def package(self, setup):
        """As on a Mac without Qt, where scripts/setup.sh installs it; the build step ends the test."""
        tools = self.folder / "mac"
        scripts = self.folder / "checkout/scripts"
        scripts.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / "scripts/package_macos.sh", scripts)
        for tool, text in ((tools / "uname", "echo Darwin"), (scripts / "setup.sh", setup),
                           (scripts / "build.sh", "echo built >&2; exit 3")):
            self.write(tool, "#!/bin/sh", text)
            tool.chmod(0o755)
        missing = ("macdeployqt", "qtpaths")
        found = [pathlib.Path(shutil.which(tool)) for tool in ("bash", "dirname", "tail", "cp", "python3")]
        for tool in [*found, *(tool for tool in self.tools.iterdir() if tool.name not in missing)]:
            if not (tools / tool.name).exists():
                (tools / tool.name).symlink_to(tool)
        return subprocess.run(["bash", scripts / "package_macos.sh"], capture_output=True, text=True, check=False,
                              env={"PATH": str(tools), "QT": str(self.tools), "BIN": str(tools)})

    def test_tools_are_looked_for_after_they_were_installed(self):
        done = self.package(setup="exit 0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("macdeployqt is needed", done.stderr)
        self.assertNotIn("built", done.stderr)
        done = self.package(setup='cp "$QT/macdeployqt" "$QT/qtpaths" "$BIN"')
        self.assertNotIn("is needed", done.stderr)
        self.assertIn("built", done.stderr)
        self.assertEqual(done.returncode, 3)

    def test_wrong_arguments(self):
        for arguments, status in ((["--what"], 2), (["--finish"], 2), (["--check"], 2)):
            done = subprocess.run(["bash", SOURCE / "scripts/package_macos.sh", *arguments],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, status, done.stderr)


if __name__ == "__main__":
    unittest.main()
