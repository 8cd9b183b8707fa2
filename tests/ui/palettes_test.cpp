// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/palettes.h"

#include "ep/ui/theme.h"

#include <gtest/gtest.h>

#include <ostream>

namespace {

using namespace ep;

// The colours that desktops give a program. Many do not adapt the muted text to their light theme.
struct Desktop {
    const char* name;
    QRgb window, base, text;
    QRgb muted; // with alpha
    bool legible; // already without a correction
};

void PrintTo(const Desktop& desktop, std::ostream* stream)
{
    *stream << desktop.name;
}

QPalette paletteOf(const Desktop& desktop)
{
    QPalette palette;
    palette.setColor(QPalette::Window, QColor::fromRgb(desktop.window));
    palette.setColor(QPalette::Base, QColor::fromRgb(desktop.base));
    palette.setColor(QPalette::WindowText, QColor::fromRgb(desktop.text));
    palette.setColor(QPalette::Text, QColor::fromRgb(desktop.text));
    palette.setColor(QPalette::PlaceholderText, QColor::fromRgba(desktop.muted));
    return palette;
}

double contrast(const QColor& text, QRgb ground)
{
    return viz::contrastRatio(ui::toRgb(text), ui::toRgb(QColor::fromRgb(ground)));
}

class LegibleMuted : public testing::TestWithParam<Desktop> { };

TEST_P(LegibleMuted, HasAContrastOfFourAndAHalf)
{
    const Desktop& desktop = GetParam();
    const auto muted = ui::legibleMuted(paletteOf(desktop));
    ASSERT_EQ(muted.has_value(), !desktop.legible);
    if (!muted)
        return;
    EXPECT_GE(contrast(*muted, desktop.window), 4.5);
    EXPECT_GE(contrast(*muted, desktop.base), 4.5);
    // Setting it must end here, or each palette change would trigger another one forever.
    QPalette mended = paletteOf(desktop);
    mended.setColor(QPalette::PlaceholderText, *muted);
    EXPECT_FALSE(ui::legibleMuted(mended));
}

INSTANTIATE_TEST_SUITE_P(
    Desktops, LegibleMuted,
    testing::Values(
        Desktop{"light", 0xefefef, 0xffffff, 0x1b1b1b, 0xff606060, true},
        Desktop{"dark with black at half", 0x2a2e32, 0x1b1e20, 0xfcfcfc, 0x80000000, false},
        Desktop{"dark with its text faded", 0x2a2e32, 0x1b1e20, 0xfcfcfc, 0xb0fcfcfc, true},
        Desktop{"high contrast, black", 0x000000, 0x000000, 0xffffff, 0x80000000, false},
        Desktop{"high contrast, white", 0xffffff, 0xffffff, 0x000000, 0x40000000, false},
        Desktop{"window and fields differ", 0x404040, 0x101010, 0xf0f0f0, 0xff808080, false}));

TEST(Palettes, OursAreLegible)
{
    for (const ui::ThemeChoice theme : {ui::ThemeChoice::Light, ui::ThemeChoice::Dark})
        EXPECT_FALSE(ui::legibleMuted(ui::paletteFor(theme)));
}

} // namespace
