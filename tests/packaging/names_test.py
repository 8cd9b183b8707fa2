# SPDX-License-Identifier: GPL-3.0-or-later
"""A part of a run has one name on screen: that of its table, in every source, translation, schema and page."""

import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["EP_SOURCE_DIR"])

# Tables that name components, operations, sections, phases and parts.
ROW = re.compile(r'EP_(?:COMPONENT|OPERATION)\(\w+,\s*"([^"]+)",\s*"([^"]+)",\s*"([^"]+)"')
LIST = re.compile(r"std::string_view, k\w+Count> k(?:Phases|Sections|Titles)\s*\{(.*?)\}", re.S)

# Other names of the same parts, in the field or in earlier versions.
OTHER_NAMES = {
    "LM head": ("lm-head", "language model head", "unembedding", "output layer", "vocabulary projection"),
    "Output head": ("head part", "model head"),
    "Final norm": ("output norm", "last norm", "head norm"),
    "Norms and residuals": ("norms", "normalisation", "normalization", "layer norms", "layernorms"),
    "Between parts": ("rest", "the rest", "outside the model", "host overhead", "host overhead and gaps", "remainder"),
    "MLP": ("feed-forward", "feed forward", "ffn"),
    "Embedding": ("token embedding", "word embedding"),
}


def literals(text):
    text = re.sub(r"(?m)(?<!:)//.*$", "", text)
    for found in re.finditer(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', text):
        yield "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found[0]))


def normalised(name):
    return re.sub(r"[\s_.-]", "", name).lower()


def named():
    """The spellings of each name: word in files, title, short title, and the title within a sentence."""
    names = {}

    def add(title, *others):
        names.setdefault(normalised(title), set()).update({title, title.lower(), title[0].lower() + title[1:], *others})

    for table in ("components.def", "operations.def"):
        for word, title, short in ROW.findall((SOURCE / "include/ep/core" / table).read_text(encoding="utf-8")):
            add(title, word, short)
    for source in ("src/viz/metric.cpp", "src/core/run_part.cpp"):
        for body in LIST.findall((SOURCE / source).read_text(encoding="utf-8")):
            for title in re.findall(r'"([^"]+)"', body):
                add(title, title.lower().replace(" ", "_").replace("-", "_"))
    return names


# Tensors of files, modules of frameworks, and fields of JSON and of databases have the names of their makers.
FOREIGN = ("src/model", "src/spans", "src/store", "src/session/stored/explanation_text.cpp",
           "src/energy/diagnosis/cause_difference.cpp")


def isTechnical(text):
    """An option, a path or its part, the name of an object, or the beginning of a sentence."""
    return text.startswith(("-", ".")) or text.endswith((".", "_", " ")) or re.fullmatch("[a-z]+[A-Z][A-Za-z]*", text)


def shown():
    """(file, text) of everything that may reach a screen."""
    for folder in ("src", "include"):
        for file in sorted((SOURCE / folder).rglob("*")):
            if file.suffix in (".cpp", ".h", ".def") and not any(file.is_relative_to(SOURCE / f) for f in FOREIGN):
                for text in literals(file.read_text(encoding="utf-8")):
                    if not isTechnical(text):
                        yield file.relative_to(SOURCE), text.strip()
    translation = SOURCE / "resources/translations/energy-profiler_de.ts"
    for text in re.findall(r"<source>(.*?)</source>", translation.read_text(encoding="utf-8"), re.S):
        yield translation.relative_to(SOURCE), text


class Names(unittest.TestCase):
    maxDiff = None
    def test_a_part_is_spelled_in_one_way(self):
        names = named()
        self.assertGreater(len(names), 60)
        wrong = {f"{file}: {text}" for file, text in shown()
                 if text not in names.get(normalised(text), {text})}
        self.assertEqual(sorted(wrong), [])

    def test_no_part_has_another_name(self):
        titles = {name for spellings in named().values() for name in spellings}
        for title in OTHER_NAMES:
            self.assertIn(title, titles)
        other = {name: title for title, names in OTHER_NAMES.items() for name in names}
        wrong = {f"{file}: {text} is {other[text.lower()]}" for file, text in shown() if text.lower() in other}
        self.assertEqual(sorted(wrong), [])


if __name__ == "__main__":
    unittest.main()
