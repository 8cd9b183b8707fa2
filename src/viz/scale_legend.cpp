// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/scale_legend.h"

#include "chart_axes.h"

#include <algorithm>
#include <cmath>

namespace ep::viz {

namespace {

// Adds the parts of a legend from left to right.
class LegendLine {
public:
    LegendLine(Scene& scene, const Rect& line, const SceneFont& font)
        : m_scene(scene)
        , m_line(line)
        , m_font(font)
        , m_x(line.x)
    {
    }

    double left() const { return m_x; }
    void skip() { m_x += m_font.char_width; }

    void word(const std::string& text)
    {
        m_scene.items.push_back(SceneText{.at = {m_x, m_line.centre().y}, .text = text});
        m_x += m_font.width(text) + m_font.char_width;
    }

    // A bar of the colours, or hatching without colours.
    void swatch(double width, double height, int colours, Provenance hatch)
    {
        const Rect area{m_x, m_line.centre().y - height / 2.0, width, height};
        addColourBar(m_scene, area, colours,
                     [](double fraction) { return Paint{.amount = fraction}; });
        m_scene.items.push_back(SceneRect{
            .rect = {area.x + 1.0, area.y + 1.0, width - 2.0, height - 2.0}, .hatch = hatch});
        m_x = area.right() + m_font.char_width;
    }

private:
    Scene& m_scene;
    Rect m_line;
    const SceneFont& m_font;
    double m_x;
};

} // namespace

double scaleLegendHeight(const SceneFont& font, double width)
{
    const bool narrow = width < 75.0 * font.char_width;
    return std::ceil(font.line_height * (narrow ? 2.0 : 1.0) + 10.0);
}

void addScaleLegend(Scene& scene, const Rect& area, const ScaleLegend& legend,
                    const SceneFont& font)
{
    constexpr int kColours = 41; // odd, so that one is the middle of the scale
    const bool twoLines = area.height >= 2.0 * font.line_height;
    Rect line = area;
    if (twoLines)
        line.height /= 2.0;
    const double barHeight = std::min(12.0, line.height);
    LegendLine parts(scene, line, font);
    if (!legend.high.empty()) {
        parts.word(legend.low);
        parts.swatch(std::round(std::clamp(area.width * 0.2, 40.0, 140.0)), barHeight, kColours,
                     legend.provenance);
        parts.word(legend.high);
        parts.skip();
    }
    if (!legend.missing.empty()) {
        parts.swatch(barHeight * 1.5, barHeight, 0, Provenance::Missing);
        parts.word(legend.missing);
        parts.skip();
    }
    const double left = twoLines ? line.x : parts.left();
    if (left < area.right())
        scene.items.push_back(
            SceneText{.at = {left, twoLines ? line.centre().y + line.height : line.centre().y},
                      .text = legend.caption,
                      .ink = Ink::Muted,
                      .room = area.right() - left});
}

} // namespace ep::viz
