// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/command_palette.h"

#include <gtest/gtest.h>

namespace ep::ui {
namespace {

PaletteEntry entry(const char* title, const char* kind, const char* detail = "")
{
    return {.title = QString::fromUtf8(title),
            .kind = QString::fromUtf8(kind),
            .detail = QString::fromUtf8(detail),
            .keys = {},
            .choose = [] {}};
}

TEST(PaletteSearch, RanksBeginningsBeforeTheRest)
{
    const std::vector<PaletteEntry> entries{
        entry("Restart", "Run"), entry("Show Start", "View"), entry("Start", "Run"),
        entry("Other", "File", "says start"), entry("Else", "File")};
    EXPECT_EQ(paletteMatches(QStringLiteral("start"), entries, 10),
              (std::vector<std::size_t>{2, 1, 0, 3}));
    EXPECT_EQ(paletteMatches(QStringLiteral("START"), entries, 1), (std::vector<std::size_t>{2}));
}

TEST(PaletteSearch, AllWordsMustMatchInAnyOrder)
{
    const PaletteEntry run = entry("The old man", "Run", "demo-llama-5m, 7.52 J");
    EXPECT_TRUE(paletteScore(QStringLiteral("man run"), run));
    EXPECT_TRUE(paletteScore(QStringLiteral("llama old"), run));
    EXPECT_FALSE(paletteScore(QStringLiteral("old woman"), run));
}

TEST(PaletteSearch, AnEmptyQueryListsEverythingInOrder)
{
    const std::vector<PaletteEntry> entries{entry("B", "x"), entry("A", "x")};
    EXPECT_EQ(paletteMatches({}, entries, 10), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(paletteMatches(QStringLiteral("  "), entries, 1), (std::vector<std::size_t>{0}));
}

} // namespace
} // namespace ep::ui
