# SPDX-License-Identifier: GPL-3.0-or-later
"""The look of the window is defined in ui/theme: pages do not define colours, fonts or distances."""
import os
import pathlib
import re
import unittest

UI = pathlib.Path(os.environ["EP_SOURCE_DIR"]) / "src/ui"
GRID = 4  # half of kGrid in theme/design.h


def sources():
    for path in sorted(UI.rglob("*.cpp")):
        if path.parent.name != "theme":
            yield path, path.read_text(encoding="utf-8")


class Design(unittest.TestCase):
    def test_grid_is_that_of_the_theme(self):
        self.assertIn(f"kGrid = {2 * GRID};", (UI / "theme/design.h").read_text(encoding="utf-8"))

    def test_distances_lie_on_the_grid(self):
        setter = r"(?:set(?:Contents)?Margins|set(?:\w*)Spacing|addSpacing)\(([^;]*)\);|Space\{([^}]*)\}"
        found = 0
        for path, text in sources():
            for match in re.finditer(setter, text):
                found += 1
                for number in re.findall(r"(?<![\w.])\d+(?![\w.])(?! \*)", match[1] or match[2] or ""):
                    self.assertEqual(0, int(number) % GRID, f"{path}: {match[0]}")
        self.assertGreater(found, 50)

    def test_colours_come_from_the_theme(self):
        for path, text in sources():
            own = re.findall(r"QColor\((?:0x|u?\"|\d)[^)]*\)|Qt::(?:red|green|blue|gray|yellow|black)\b", text)
            self.assertEqual([], own, str(path))

    def test_style_sheets_set_no_colour_and_no_font(self):
        for path, text in sources():
            for sheet in re.findall(r"setStyleSheet\(([^;]*)\);", text, re.S):
                self.assertNotRegex(sheet, r"color|font|background|border", str(path))

    def test_widgets_have_the_three_sizes_of_type(self):
        # Paper and saved charts have their own sizes; a scene is laid out for one size and scaled.
        others = {"paper.cpp", "chart_export.cpp", "scene_view.cpp"}
        for path, text in sources():
            if path.name not in others:
                self.assertNotRegex(text, r"setP(?:oint|ixel)SizeF?\(", str(path))

    def test_line_icons_are_drawings_without_colour(self):
        icons = sorted((UI.parent.parent / "resources/icons/line").glob("*"))
        self.assertGreater(len(icons), 20)
        for icon in icons:
            self.assertEqual(".svg", icon.suffix)
            self.assertNotRegex(icon.read_text(encoding="utf-8"), r"#[0-9a-fA-F]{3,}|rgb\(", icon.name)


if __name__ == "__main__":
    unittest.main()
