// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/colour.h"
#include "ep/viz/geometry.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// A chart as shapes: laid out once, painted by a widget or written as SVG. Logical pixels, y
// downwards; text is UTF-8.
namespace ep::viz {

// Colours by what they mean; a palette says what they are.
enum class Ink : std::uint8_t {
    Surface,
    Text,
    Muted,
    Grid,
    Outline,
    Missing,
    Less, // a difference below zero
    More,
    Series0, // told apart for every kind of colour vision; each also has a dash and a marker
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

    Rgb operator[](Ink ink) const { return inks[static_cast<std::size_t>(ink)]; }
    static ScenePalette light();
    static ScenePalette dark();
};

// Blue below zero, the surface at zero, orange above; -1..1. Dark and light by the palette.
Rgb divergingColour(const ScenePalette& palette, double fraction);

struct Paint {
    Ink ink = Ink::Text;
    double opacity = 1.0;
    std::optional<double> difference{}; // -1..1: divergingColour() instead of the ink

    bool operator==(const Paint&) const = default;
    Rgb colour(const ScenePalette& palette) const
    {
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
    bool hatched = false; // a value that is missing

    bool operator==(const SceneRect&) const = default;
};
struct ScenePath {
    std::vector<Point> points;
    Paint paint{};
    double width = 1.5;
    Dash dash = Dash::Solid;
    bool filled = false; // a closed shape without outline

    bool operator==(const ScenePath&) const = default;
};
struct SceneMarker {
    Point at;
    double size = 7.0; // across
    MarkerShape shape = MarkerShape::Circle;
    Paint paint{};
    bool hollow = false;

    bool operator==(const SceneMarker&) const = default;
};
struct SceneText {
    Point at; // of the middle of the line's height
    std::string text;
    TextAlign align = TextAlign::Left;
    Ink ink = Ink::Text;
    std::optional<double> on{}; // black or white, whatever reads on that difference's colour
    bool bold = false;
    bool upwards = false; // turned by 90 degrees to the left

    bool operator==(const SceneText&) const = default;
};
using SceneItem = std::variant<SceneRect, ScenePath, SceneMarker, SceneText>;

// Something to point at.
struct SceneMark {
    Rect area;
    std::string text; // what a tool tip says
    std::string link; // id of a run; empty: none

    bool operator==(const SceneMark&) const = default;
};

// The same content for those who read rather than look.
struct SceneTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;

    bool operator==(const SceneTable&) const = default;
};

struct Scene {
    double width = 0.0;
    double height = 0.0;
    std::string title;
    std::string summary; // one sentence for assistive technology
    std::string empty; // why there is nothing; shown in place of the items
    std::vector<SceneItem> items; // in painting order
    std::vector<SceneMark> marks; // later ones lie above earlier ones
    SceneTable table;

    bool operator==(const Scene&) const = default;
    const SceneMark* markAt(Point point) const; // null: nothing there
};

// A length of text before there is a font: 0.62 em for each character.
double textWidth(std::string_view text, double fontSize);
inline constexpr double kSceneFont = 12.0; // pixels

// A standalone <svg> element with title and description; text is escaped. No scripts, no links.
std::string toSvg(const Scene& scene, const ScenePalette& palette);

// & < > " ' as entities; control characters but tab and line breaks dropped.
std::string escapeMarkup(std::string_view text);

} // namespace ep::viz
