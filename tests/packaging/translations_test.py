# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the window: those that users read can be translated, and translations match their originals."""
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
sys.path.insert(0, str(SOURCE / "tests/docs"))
import troubleshooting_test  # noqa: E402
LITERAL = r'"((?:[^"\\]|\\.)*)"'


def ui_sources():
    for path in sorted((SOURCE / "src/ui").rglob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        yield path, re.sub(r'"\s*\n\s*(?:u?)"', "", text)


def readable(text):
    """Whether the text begins with a capital and has words: for users, not a name or a path."""
    return re.match(r"[A-Z][a-z]+ [a-z]+ [a-z]+", text) is not None


# Areas below the window whose sentences it shows.
WRITTEN_BELOW = ("attach/request_phases.cpp", "energy/compare/compare.cpp", "energy/compare/tree_test.cpp",
                 "energy/compare/warnings.cpp",
                 "energy/calibration/calibration.cpp", "energy/diagnosis/cause_difference.cpp",
                 "energy/figures.cpp", "energy/quality.cpp", "energy/server_rules.cpp",
                 "energy/stats/sides.cpp", "energy/stats/statistics.cpp",
                 "power/sources/battery_source.cpp", "power/sources/modelled_source.cpp",
                 "power/sources/counter_source.cpp", "power/source.cpp",
                 "session/pays/decide.cpp", "session/pays/kept_cards.cpp",
                 "session/pays/stored_pairs.cpp",
                 "session/power/clock_watch.cpp", "session/power/run_power.cpp",
                 "session/run/measured_power.cpp", "session/run/settle.cpp",
                 "session/run/transcript.cpp", "session/stored/babble.cpp",
                 "session/study/study_report.cpp")


def patterns():
    """The messages with arguments that areas below the window make, by file."""
    found = {}
    for path in sorted([*(SOURCE / "src").rglob("*"), *(SOURCE / "include/ep").rglob("*")]):
        if path.suffix not in (".cpp", ".h"):
            continue
        text = re.sub(r"^\s*//.*", "", path.read_text(encoding="utf-8"), flags=re.M)
        text = re.sub(r'"\s*\n\s*"', "", text)
        in_window = "ui" in path.relative_to(SOURCE).parts  # other literals there go through tr()
        for literal in re.findall((r"(?:Message\(|Error\{ErrorCode::\w+,\s*\{)\s*" if in_window else "") + LITERAL,
                                  text):
            if re.search(r"%[1-9](?![.0-9])", literal) and re.search("[A-Za-z]{2}", literal):
                found[literal.replace('\\"', '"').replace("\\n", "\n")] = path
    return found


def without_numbers(text):
    """The window looks texts up without their numbers."""
    return re.sub(r"%?\d+(?:[.,]\d+)?", "%", text)


def prose_of(path):
    """The fixed parts of the sentences in a source, sentence by sentence."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    for literal in re.findall(LITERAL, re.sub(r'"\s*\n\s*"', "", text)):
        for part in re.split(r"(?<=[.;]) ", literal.replace('\\"', '"')):
            part = re.sub(r"^[^A-Za-z]+", "", part).rstrip(" (:")
            if len(re.findall(r"[A-Za-z]{2,}", part)) >= 3 and " " in part:
                yield part


class Texts(unittest.TestCase):
    def test_sentences_go_through_tr(self):
        for path, text in ui_sources():
            for match in re.finditer(r'u' + LITERAL + r'_s', text):
                self.assertFalse(readable(match[1]), f"{path}: not translated: {match[1]}")

    def test_reports_and_their_charts_get_no_plain_literals(self):
        """A report is in the language of the window that saves it."""
        call = r"\b(?:heading|subheading|paragraph|note|warning|frameOf|table|HtmlPage page)\((?:size, |\{)?\s*"
        word = r"(?:\.(?:title|empty|note|x_title)\s*\+?=\s*|\breturn )"
        checked = 0
        for path, text in ui_sources():
            if "report" not in path.parts:
                continue
            for match in re.finditer(f"(?:{call}|{word})" + LITERAL, text):
                self.assertNotRegex(match[1], r"^[A-Z]?[a-z]+( |$)", f"{path}: not translated")
            checked += text.count("said(")
        self.assertGreater(checked, 100)

    def test_widgets_get_no_plain_literals(self):
        setters = r"set(?:Text|ToolTip|WindowTitle|PlaceholderText|Title)\(\s*u?" + LITERAL
        for path, text in ui_sources():
            for match in re.finditer(setters, text):
                self.assertLess(len(match[1]), 4, f"{path}: not translated: {match[1]}")


class Translations(unittest.TestCase):
    def messages(self):
        for file in sorted((SOURCE / "resources/translations").glob("*.ts")):
            root = ElementTree.parse(file).getroot()
            self.assertRegex(file.stem, r"^energy-profiler_[a-z]{2}$")
            self.assertTrue(root.get("language").startswith(file.stem[-2:]))
            for context in root.findall("context"):
                for message in context.findall("message"):
                    yield (context.findtext("name"), message.findtext("source"),
                           message.findtext("translation"))

    def test_placeholders_are_kept(self):
        for context, source, translation in self.messages():
            self.assertTrue(translation, f"{context}: {source}")
            for what in (r"%\d", r"\*\.\w+"):
                self.assertEqual(sorted(re.findall(what, source)),
                                 sorted(re.findall(what, translation)), source)
            self.assertEqual(source.endswith("…"), translation.endswith("…"), source)
            self.assertEqual(len(source) - len(source.lstrip()),
                             len(translation) - len(translation.lstrip()), source)
            self.assertEqual("&" in source, "&" in translation, source)

    def test_nothing_is_left_untranslated(self):
        """Everything that lupdate finds in the sources has a translation, whichever class it is in."""
        lupdate = shutil.which("lupdate", path="/usr/lib/qt6/bin:" + os.environ.get("PATH", ""))
        if not lupdate:
            self.skipTest("lupdate is not installed (Debian: qt6-l10n-tools)")
        translated = {source for _, source, _ in self.messages()}
        with tempfile.TemporaryDirectory() as folder:
            found = pathlib.Path(folder) / "found_de.ts"
            subprocess.run([lupdate, "-silent", "-locations", "none", "-I", SOURCE / "include",
                            "-I", SOURCE / "src/ui", SOURCE / "src/ui", SOURCE / "include/ep/ui",
                            "-ts", found], check=True, capture_output=True)
            sources = [message.findtext("source")
                       for message in ElementTree.parse(found).getroot().iter("message")]
        self.assertGreater(len(sources), 500)
        self.assertEqual([], [source for source in sources if source not in translated])

    def test_free_functions_are_translated(self):
        """lupdate knows only tr(): these are in the context of the free functions."""
        translated = {source for context, source, _ in self.messages() if context == "ep::ui"}
        sources = set()
        for _, text in ui_sources():
            sources |= {each.replace('\\"', '"').replace("\\n", "\n")
                        for each in re.findall(r"\b(?:translated|said)\(\s*" + LITERAL, text)}
        self.assertGreater(len(sources), 50)
        self.assertEqual(set(), sources - translated)

    def test_menus_are_translated_and_their_letters_differ(self):
        """lupdate does not see the texts of the menus, which a table holds."""
        translated = {source: text for context, source, text in self.messages()
                      if context == "ep::ui::MainWindow"}
        code = (SOURCE / "src/ui/window/window_actions.cpp").read_text(encoding="utf-8")
        code = re.sub(r'"\s*\n\s*"', "", code)
        menus, letters = 0, set()
        for menu, action in re.findall(r"MenuFiller \w+\(window, " + LITERAL + r"\)|\badd\(\s*u\"\w+\"_s,\s*"
                                       + LITERAL, code):
            text = menu or action
            self.assertIn(text, translated)
            if menu:
                menus, letters = menus + 1, set()
                continue
            letter = re.search("&(.)", translated[text])
            if letter:
                self.assertNotIn(letter[1].lower(), letters, translated[text])
                letters.add(letter[1].lower())
        self.assertEqual(6, menus)

    def test_sentences_of_a_diagnosis_are_translated(self):
        """The window shows sentences of the diagnosis, which are written in an area below it."""
        translated = {source for context, source, _ in self.messages() if context == "ep::terms"}
        folder = SOURCE / "src/energy/diagnosis"
        sentences = set()
        for name in ("remedies.cpp", "diagnose.cpp"):
            text = re.sub(r'"\s*\n\s*"', "", (folder / name).read_text(encoding="utf-8"))
            found = re.findall(r"\.(?:what|how) = " + LITERAL + r"(?=[,}])", text)
            found += re.findall(r"(?:return |push_back\(\s*|why_time = )" + LITERAL, text)
            options = r"--[\w-]+ \w+"
            sentences |= {each for each in found
                          if " " in each and not re.fullmatch(options, each)}
        self.assertGreater(len(sentences), 20)
        self.assertEqual(set(), sentences - translated - {"cannot tell"})

    def test_sentences_from_below_the_window_are_translated(self):
        translated = {source for context, source, _ in self.messages() if context == "ep::terms"}
        made = patterns()
        self.assertGreater(len(made), 500)
        for pattern, path in made.items():
            self.assertTrue(pattern in translated, f"{path}: not translated: {pattern}")
        known = "\n".join(map(without_numbers, translated))
        for file in WRITTEN_BELOW:
            self.assertEqual([], [text for text in prose_of(SOURCE / "src" / file)
                                  if without_numbers(text) not in known], file)

    def test_facts_of_a_run_are_translated(self):
        translated = {source for context, source, _ in self.messages() if context == "ep::terms"}
        table = (SOURCE / "src/energy/run_facts.cpp").read_text(encoding="utf-8")
        terms = set(re.findall(r'^ *\{"[^"]+", "([^"]+)", k', table, re.M))
        self.assertGreater(len(terms), 50)
        self.assertEqual(set(), terms - translated)

    def test_the_window_names_no_switches(self):
        """Texts from areas below lose their command-line switches, which are documented elsewhere."""
        terminal_only = ("--backup", "--prompt", "--messages", "--proxy", "--table", "--append",
                         "--format", "--repeats", "--token-file", "db --backups", "--by job")
        other_programs = ("--save-detailed", "--log-timestamps")
        code = (SOURCE / "src/ui/theme/terms.cpp").read_text(encoding="utf-8")
        code = re.sub(r'"\s*\n\s*"', "", code)
        words = re.findall(r"WindowWords\{" + LITERAL + r",\s*" + LITERAL, code)
        self.assertGreater(len(words), 15)
        code = (SOURCE / "src/ui/diagnosis_text.cpp").read_text(encoding="utf-8")
        code = re.sub(r'"\s*\n\s*"', "", code)
        instructions = {text for text, _ in re.findall(
            r"Instruction\{\s*" + LITERAL + r",\s*" + LITERAL, code)}
        self.assertGreater(len(instructions), 5)
        remedies = (SOURCE / "src/energy/diagnosis/remedies.cpp").read_text(encoding="utf-8")
        tried_by_a_button = {text for text in re.findall(r"\.how = " + LITERAL, remedies)
                             if not text.endswith(".")}
        here = {source: text for context, source, text in self.messages() if context == "ep::terms"}
        aside = instructions | tried_by_a_button | {terminal for terminal, _ in words}
        checked = 0
        for source, translation in here.items():
            if source in aside or "--" not in source:
                continue
            if any(each in source for each in terminal_only + other_programs):
                continue
            for terminal, window in words:
                source = source.replace(terminal, window)
                translation = translation.replace(here.get(terminal, terminal),
                                                  here.get(window, window))
            self.assertNotIn("--", source)
            self.assertNotIn("--", translation)
            checked += 1
        self.assertGreater(checked, 20)

    def test_no_message_stands_twice(self):
        for file in sorted((SOURCE / "resources/translations").glob("*.ts")):
            for context in ElementTree.parse(file).getroot().iter("context"):
                keys = [(m.findtext("source"), m.findtext("comment")) for m in context.iter("message")]
                twice = {key for key in keys if keys.count(key) > 1}
                self.assertEqual(twice, set(), context.findtext("name"))

    def test_errors_are_translated(self):
        """Every message that a user can see has a translation."""
        translated = "\n".join(source for context, source, _ in self.messages() if context == "ep::terms")
        found, _ = troubleshooting_test.messages(SOURCE)
        self.assertGreater(len(found), 200)
        missing = [f"{path}: {text}" for path, text in found if text not in translated]
        self.assertEqual(missing, [])

    def test_most_originals_are_in_use(self):
        everything = "\n".join([text for _, text in ui_sources()] + list(patterns()))
        everything = everything.replace("\\n", "\n").replace('\\"', '"')
        sources = {source for _, source, _ in self.messages()}
        unused = {source for source in sources if source not in everything}
        self.assertGreater(len(sources), 150)
        self.assertLess(len(unused), len(sources) // 4, sorted(unused))


if __name__ == "__main__":
    unittest.main()
