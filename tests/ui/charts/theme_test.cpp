// SPDX-License-Identifier: GPL-3.0-or-later
#include "colour_vision.h"
#include "cost_text.h"

#include "ep/ui/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

namespace ep::ui {
namespace {

using test::ciede2000;
using test::kVisions;
using test::Lab;
using test::seenBy;

// Pairs from the paper that published the test data of the formula (Sharma, Wu and Dalal 2005).
TEST(Ciede2000, AgreesWithThePublishedPairs)
{
    struct Case {
        Lab first;
        Lab second;
        double distance;
    };
    for (const Case& c : {Case{{50.0, 2.6772, -79.7751}, {50.0, 0.0, -82.7485}, 2.0425},
                          Case{{50.0, -1.0, 2.0}, {50.0, 0.0, 0.0}, 2.3669},
                          Case{{50.0, 2.49, -0.001}, {50.0, -2.49, 0.0011}, 7.2195},
                          Case{{50.0, 2.5, 0.0}, {73.0, 25.0, -18.0}, 27.1492},
                          Case{{22.7233, 20.0904, -46.694}, {23.0331, 14.973, -42.5619}, 2.0373},
                          Case{{2.0776, 0.0795, -1.135}, {0.9033, -0.0636, -0.5514}, 0.9082}}) {
        EXPECT_NEAR(ciede2000(c.first, c.second), c.distance, 1e-4);
        EXPECT_NEAR(ciede2000(c.second, c.first), c.distance, 1e-4);
    }
}

void setAccent(QPalette& palette, const QColor& colour)
{
    palette.setColor(QPalette::Highlight, colour);
#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
    palette.setColor(QPalette::Accent, colour);
#endif
}

double worstDistance(std::span<const QColor> colours)
{
    double worst = 1e9;
    for (const test::Vision vision : kVisions)
        for (std::size_t i = 0; i < colours.size(); ++i)
            for (std::size_t j = i + 1; j < colours.size(); ++j)
                worst = std::min(worst,
                                 ciede2000(seenBy(vision, toRgb(colours[i])),
                                           seenBy(vision, toRgb(colours[j]))));
    return worst;
}

class ThemeTest : public testing::TestWithParam<bool> {
protected:
    const Theme m_theme = GetParam() ? Theme::darkTheme() : Theme::light();

    double onSurface(const QColor& colour) const
    {
        return viz::contrastRatio(toRgb(colour), toRgb(m_theme.surface));
    }
};

TEST_P(ThemeTest, ChannelsAreTellableApartByEveryVision)
{
    EXPECT_GE(worstDistance(m_theme.channels), 23.0);
}

TEST_P(ThemeTest, PhasesAreTellableApartByEveryVision)
{
    EXPECT_GE(worstDistance(m_theme.phases), 14.0);
}

TEST_P(ThemeTest, PartsAreTellableApartByEveryVision)
{
    // What is no part of the model has the same grey and is distinguished by a hatch.
    std::vector<QColor> colours;
    std::set<Qt::BrushStyle> patterns{Qt::SolidPattern};
    for (const RunPart part : kRunParts) {
        if (partPattern(part) == Qt::SolidPattern) {
            colours.push_back(m_theme.part(part));
        } else {
            EXPECT_TRUE(patterns.insert(partPattern(part)).second) << title(part);
            EXPECT_EQ(m_theme.part(part), m_theme.part(RunPart::Rest)) << title(part);
        }
    }
    EXPECT_GE(worstDistance(colours), 16.0);
}

TEST_P(ThemeTest, GraphicsStandOutFromTheSurface)
{
    for (const QColor& colour : m_theme.channels)
        EXPECT_GE(onSurface(colour), 2.95) << colour.name().toStdString();
    for (const QColor& colour : m_theme.phases)
        EXPECT_GE(onSurface(colour), 3.0) << colour.name().toStdString();
    for (const QColor& colour : m_theme.parts)
        EXPECT_GE(onSurface(colour), 3.0) << colour.name().toStdString();
    for (const QColor& colour : {m_theme.outline, m_theme.focus, m_theme.missing})
        EXPECT_GE(onSurface(colour), 3.0) << colour.name().toStdString();
}

TEST_P(ThemeTest, TextIsReadableOnSurfaceAndBands)
{
    for (const QColor& colour :
         {m_theme.text, m_theme.mutedText, m_theme.warning, m_theme.error, m_theme.success})
        EXPECT_GE(onSurface(colour), 4.5) << colour.name().toStdString();
    for (std::size_t i = 0; i < kPhaseCount; ++i) {
        const auto phase = static_cast<Phase>(i);
        EXPECT_GE(viz::contrastRatio(toRgb(m_theme.mutedText), toRgb(m_theme.band(phase))), 4.5)
            << name(phase);
        const QColor bar = m_theme.phase(phase);
        EXPECT_GE(viz::contrastRatio(toRgb(m_theme.textOn(bar)), toRgb(bar)), 4.5) << name(phase);
    }
}

TEST_P(ThemeTest, EachChannelHasItsOwnLine)
{
    std::set<std::pair<Qt::PenStyle, double>> styles;
    for (const Channel channel : kChannels) {
        const QPen pen = m_theme.linePen(channel);
        EXPECT_EQ(pen.color(), m_theme.channel(channel));
        EXPECT_TRUE(styles.emplace(pen.style(), pen.widthF()).second);
        EXPECT_LE(pen.widthF(), m_theme.linePen(Channel::Total).widthF());
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, ThemeTest, testing::Bool(),
                         [](const auto& theme) { return theme.param ? "dark" : "light"; });

// The CIE LCh chroma of a colour, and its hue in degrees.
std::pair<double, double> chromaAndHue(const QColor& colour)
{
    const Lab lab = seenBy(test::Vision::Normal, toRgb(colour));
    return {std::hypot(lab.a, lab.b), std::atan2(lab.b, lab.a) * 180.0 / std::numbers::pi};
}

TEST(Theme, AFamilyOfComponentsHasOneMutedHueInBothThemes)
{
    for (const RunPart part : kRunParts) {
        const auto [chroma, hue] = chromaAndHue(Theme::light().part(part));
        const auto [darkChroma, darkHue] = chromaAndHue(Theme::darkTheme().part(part));
        EXPECT_LE(std::max(chroma, darkChroma), 62.0) << title(part);
        EXPECT_LE(std::abs(std::remainder(hue - darkHue, 360.0)), 10.0) << title(part);
    }
}

TEST(Theme, FollowsTheLightnessOfTheWindow)
{
    QPalette palette;
    palette.setColor(QPalette::Window, QColor(40, 40, 40));
    palette.setColor(QPalette::WindowText, QColor(230, 230, 230));
    setAccent(palette, Theme::darkTheme().surface); // cannot be seen: the theme's own is used
    EXPECT_EQ(Theme::fromPalette(palette), Theme::darkTheme());
    palette.setColor(QPalette::Window, QColor(240, 240, 240));
    palette.setColor(QPalette::WindowText, QColor(20, 20, 20));
    setAccent(palette, Theme::light().surface);
    EXPECT_EQ(Theme::fromPalette(palette), Theme::light());
}

TEST(Theme, TheAccentIsThatOfTheSystemWhereItCanBeSeen)
{
    QPalette palette;
    palette.setColor(QPalette::Window, Qt::white);
    palette.setColor(QPalette::WindowText, Qt::black);
    setAccent(palette, QColor(0xe95420));
    EXPECT_EQ(Theme::fromPalette(palette).focus, QColor(0xe95420));
    setAccent(palette, QColor(0xffe08a));
    EXPECT_EQ(Theme::fromPalette(palette).focus, Theme::light().focus);
}

TEST(Theme, ProvenanceIsAWordAndAPattern)
{
    std::set<QString> labels;
    for (const Provenance provenance :
         {Provenance::Measured, Provenance::Attributed, Provenance::Calibrated,
          Provenance::Modelled, Provenance::Imported, Provenance::Missing}) {
        EXPECT_EQ(provenanceLabel(provenance).toStdString(), name(provenance));
        EXPECT_TRUE(labels.insert(provenanceExplanation(provenance)).second);
    }
    EXPECT_NE(provenancePattern(Provenance::Modelled), provenancePattern(Provenance::Measured));
    EXPECT_NE(provenancePattern(Provenance::Modelled), provenancePattern(Provenance::Missing));
}

} // namespace
} // namespace ep::ui
