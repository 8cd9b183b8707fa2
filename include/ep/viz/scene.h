// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/words.h"
#include "ep/viz/colour.h"
#include "ep/viz/geometry.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// A chart as shapes: laid out once, then painted by a widget or written as SVG. Logical pixels, y
// points downwards; text is UTF-8.
namespace ep::viz {

// Colours by meaning; a palette maps them to RGB values.
enum class Ink : std::uint8_t {
    Surface,
    Text,
    Muted,
    Grid,
    Outline,
    Missing,
    Less, // a negative difference
    More,
    Series0, // distinguishable with any colour vision; each also has a dash pattern and a marker
    Series1,
    Series2,
    Series3,
};
inline constexpr std::size_t kInkCount = 12;
inline constexpr std::size_t kSeriesCount = 4;
constexpr Ink seriesInk(std::size_t index)
{
    return static_cast<Ink>(static_cast<std::size_t>(Ink::Series0) + index % kSeriesCount);
}

struct ScenePalette {
    std::array<Rgb, kInkCount> inks{};
    ColourScale sequential; // for amounts

    Rgb operator[](Ink ink) const { return inks[static_cast<std::size_t>(ink)]; }
    static const ScenePalette& light();
    static const ScenePalette& dark();
};

// Blue for negative values, the surface colour at zero, orange for positive ones; -1..1.
Rgb divergingColour(const ScenePalette& palette, double fraction);

struct Paint {
    Ink ink = Ink::Text;
    double opacity = 1.0;
    std::optional<double> difference{}; // -1..1: uses divergingColour() instead of the ink
    std::optional<double> amount{}; // 0..1: uses the sequential scale instead of the ink

    bool operator==(const Paint&) const = default;
    Rgb colour(const ScenePalette& palette) const
    {
        if (amount)
            return palette.sequential.at(*amount);
        return difference ? divergingColour(palette, *difference) : palette[ink];
    }
};

enum class Dash : std::uint8_t { Solid, Dashed, Dotted, DashDot };
enum class MarkerShape : std::uint8_t { Circle, Square, Triangle, Diamond };
enum class TextAlign : std::uint8_t { Left, Centre, Right };

struct SceneRect {
    Rect rect;
    std::optional<Paint> fill{};
    std::optional<Paint> stroke{};
    Provenance hatch = Provenance::Measured; // from Modelled on: lines instead of the fill

    bool operator==(const SceneRect&) const = default;
};
struct ScenePath {
    std::vector<Point> points;
    Paint paint{};
    double width = 1.5;
    Dash dash = Dash::Solid;
    bool filled = false; // a closed shape without an outline

    bool operator==(const ScenePath&) const = default;
};
struct SceneMarker {
    Point at;
    double size = 7.0; // diameter
    MarkerShape shape = MarkerShape::Circle;
    Paint paint{};
    bool hollow = false;

    bool operator==(const SceneMarker&) const = default;
};
struct SceneText {
    Point at; // vertically centred on the line
    std::string text;
    TextAlign align = TextAlign::Left;
    Ink ink = Ink::Text;
    std::optional<Paint> on{}; // black or white, readable on this colour
    bool bold = false;
    bool upwards = false; // rotated by 90 degrees to the left
    // Maximum width in pixels; longer text is shortened with an ellipsis. Absent: no maximum.
    std::optional<double> room{};
    bool cut_in_middle = false; // instead of at the end: names may differ at either end

    bool operator==(const SceneText&) const = default;
};
using SceneItem = std::variant<SceneRect, ScenePath, SceneMarker, SceneText>;

// An area with a tool tip.
struct SceneMark {
    Rect area;
    std::string text; // tooltip
    std::string link; // id of a run; empty: none

    bool operator==(const SceneMark&) const = default;
};

// The content of a scene as a table, for screen readers and export.
struct SceneTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;

    bool operator==(const SceneTable&) const = default;
};

struct Scene {
    double width = 0.0;
    double height = 0.0;
    std::string title;
    Message summary; // one sentence for assistive technology
    std::string empty; // why there is no data; shown instead of the items
    std::vector<SceneItem> items; // in painting order
    std::vector<SceneMark> marks; // later ones are above earlier ones
    SceneTable table;

    bool operator==(const Scene&) const = default;
    const SceneMark* markAt(Point point) const; // null: none there
};

// Estimated width of text without a font: 0.62 em per character.
double textWidth(std::string_view text, double fontSize);
inline constexpr double kSceneFont = 12.0; // pixels

// Sizes of the font that paints a scene, in pixels: estimated by default; a widget measures them.
struct SceneFont {
    double char_width = textWidth("x", kSceneFont); // mean
    double line_height = 15.0;
    std::function<double(std::string_view)> width = [](std::string_view text) {
        return textWidth(text, kSceneFont);
    };
};

// Adds a text on a box of surface colour in the middle of the area, readable on any hatching.
void addNotice(Scene& scene, const Rect& area, const std::string& text, const SceneFont& font);

// A standalone <svg> element with title and description; text is escaped. No scripts, no links.
std::string toSvg(const Scene& scene, const ScenePalette& palette);

} // namespace ep::viz
