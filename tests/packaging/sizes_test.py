# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check_sizes.py finds the largest files and functions."""
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["EP_SOURCE_DIR"]) / "scripts"))
import check_sizes

SOURCE = r"""
namespace ep {
template <typename T, class U>
struct Pair { // {{{
    explicit Pair(int one)
        : m_list{one, 2}
        , m_more(3)
    {
        const char brace = '}', wide = u'{';
    }
    int digits() const { return 1'000'000; }
    std::vector<int> m_list{};
};
constexpr auto kTable = std::to_array<int>({
    1,
});
static const char* const kText = R"(}}} " {)";
void
Pair::longer(const Options& options = {}) const
{
    const auto call = [&](int a) {
        return a;
    };
    if (call(1)) {
        /* } */
    }
}
TEST(Sizes, Named)
{
}
} // namespace ep
"""


class Sizes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        root = pathlib.Path(self.folder.name)
        (root / "src").mkdir()
        self.file = root / "src/one.cpp"
        self.before = check_sizes.ROOT
        check_sizes.ROOT = root

    def tearDown(self):
        check_sizes.ROOT = self.before

    def has(self, lines, function_lines=3):
        body = "    work();\n" * (function_lines - 3)
        function = "void run()\n{\n" + body + "}\n"
        self.file.write_text(function + "\n" * (lines - function_lines), encoding="utf-8")

    def test_finds_the_functions(self):
        self.assertEqual([("Pair", 5, 6), ("digits", 11, 1), ("Pair::longer", 19, 9), ("TEST(Sizes, Named)", 28, 3)],
                         list(check_sizes.functions_of(SOURCE)))

    def test_orders_by_size(self):
        self.has(40, 8)
        self.assertEqual(([(40, "src/one.cpp")], [(8, "src/one.cpp:run")]), check_sizes.largest())


if __name__ == "__main__":
    unittest.main()
