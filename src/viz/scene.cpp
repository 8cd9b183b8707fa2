// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/scene.h"

#include "ep/core/safe_text.h"
#include "ep/core/utf8.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace ep::viz {
namespace {

// Two decimals without trailing zeros, in any locale.
std::string number(double value)
{
    const long long hundredths = std::llround(std::isfinite(value) ? value * 100.0 : 0.0);
    const long long magnitude = hundredths < 0 ? -hundredths : hundredths;
    std::string text = hundredths < 0 ? "-" : "";
    text += std::to_string(magnitude / 100);
    if (const long long rest = magnitude % 100; rest != 0) {
        text += '.';
        text += static_cast<char>('0' + rest / 10);
        if (rest % 10 != 0)
            text += static_cast<char>('0' + rest % 10);
    }
    return text;
}

std::string hex(Rgb colour)
{
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<unsigned>(colour.red),
                  static_cast<unsigned>(colour.green), static_cast<unsigned>(colour.blue));
    return text;
}

const char* dashArray(Dash dash)
{
    switch (dash) {
    case Dash::Dashed:
        return " stroke-dasharray=\"6 4\"";
    case Dash::Dotted:
        return " stroke-dasharray=\"2 3\"";
    case Dash::DashDot:
        return " stroke-dasharray=\"8 3 2 3\"";
    case Dash::Solid:
        break;
    }
    return "";
}

std::string cutInMiddle(const std::string& text, double room)
{
    const auto begins = [&](std::size_t at) { // a character
        return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    };
    std::string cut = text;
    for (std::size_t kept = text.size(); textWidth(cut, kSceneFont) > room && kept > 0; --kept) {
        std::size_t head = (kept + 1) / 2;
        std::size_t tail = text.size() - kept / 2;
        while (!begins(head))
            --head;
        while (!begins(tail))
            ++tail;
        cut = text.substr(0, head) + "\u2026" + text.substr(tail);
    }
    return cut;
}

// Estimates the width without a font; a widget would measure it.
std::string shownText(const SceneText& text)
{
    if (!text.room || textWidth(text.text, kSceneFont) <= *text.room)
        return text.text;
    if (text.cut_in_middle)
        return cutInMiddle(text.text, *text.room);
    const double characters = std::floor(*text.room / textWidth("x", kSceneFont)) - 1.0;
    return previewUtf8(text.text, static_cast<std::size_t>(std::max(1.0, characters)));
}

// A fill of lines, as in the window.
std::string pattern(Provenance provenance, int angle, bool crossed, const std::string& stroke)
{
    const auto line = [&stroke](const char* end) {
        return std::string("<line x1=\"0\" y1=\"0\" ") + end + " stroke=\"" + stroke
            + "\" stroke-width=\"1\"/>";
    };
    return "<pattern id=\"" + std::string(name(provenance))
        + "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate("
        + std::to_string(angle) + ")\">" + line("x2=\"0\" y2=\"6\"")
        + (crossed ? line("x2=\"6\" y2=\"0\"") : std::string()) + "</pattern>";
}

std::string hatching(const ScenePalette& palette)
{
    const std::string over = hex(textColourOn(palette.sequential.at(0.5)))
        + "\" stroke-opacity=\"0.35"; // so that the colours below stay visible
    return pattern(Provenance::Missing, 45, true, hex(palette[Ink::Missing]))
        + pattern(Provenance::Modelled, 45, false, over)
        + pattern(Provenance::Imported, -45, false, over);
}

class Writer {
public:
    explicit Writer(const ScenePalette& palette)
        : m_palette(palette)
    {
    }

    void operator()(const SceneRect& shape)
    {
        m_text += "<rect x=\"" + number(shape.rect.x) + "\" y=\"" + number(shape.rect.y)
            + "\" width=\"" + number(std::max(0.0, shape.rect.width)) + "\" height=\""
            + number(std::max(0.0, shape.rect.height)) + '"';
        if (shape.hatch >= Provenance::Modelled)
            m_text += " fill=\"url(#" + std::string(name(shape.hatch)) + ")\"";
        else
            m_text += shape.fill ? fill(*shape.fill) : " fill=\"none\"";
        if (shape.stroke)
            m_text += stroke(*shape.stroke);
        m_text += "/>\n";
    }

    void operator()(const ScenePath& path)
    {
        if (path.points.size() < 2)
            return;
        m_text += path.filled ? "<polygon points=\"" : "<polyline points=\"";
        for (const Point& point : path.points)
            m_text += number(point.x) + ',' + number(point.y) + ' ';
        m_text.back() = '"';
        if (path.filled) {
            m_text += fill(path.paint) + "/>\n";
            return;
        }
        m_text += " fill=\"none\"" + stroke(path.paint) + " stroke-width=\"" + number(path.width)
            + '"' + dashArray(path.dash) + "/>\n";
    }

    void operator()(const SceneMarker& marker)
    {
        const double r = marker.size / 2.0;
        const Point c = marker.at;
        const std::string look = marker.hollow
            ? " fill=\"none\"" + stroke(marker.paint) + " stroke-width=\"1.5\"/>\n"
            : fill(marker.paint) + "/>\n";
        switch (marker.shape) {
        case MarkerShape::Circle:
            m_text += "<circle cx=\"" + number(c.x) + "\" cy=\"" + number(c.y) + "\" r=\""
                + number(r) + '"' + look;
            break;
        case MarkerShape::Square:
            m_text += "<rect x=\"" + number(c.x - r) + "\" y=\"" + number(c.y - r) + "\" width=\""
                + number(2 * r) + "\" height=\"" + number(2 * r) + '"' + look;
            break;
        case MarkerShape::Triangle:
            polygon({{c.x, c.y - r}, {c.x + r, c.y + r}, {c.x - r, c.y + r}}, look);
            break;
        case MarkerShape::Diamond:
            polygon({{c.x, c.y - r}, {c.x + r, c.y}, {c.x, c.y + r}, {c.x - r, c.y}}, look);
            break;
        }
    }

    void operator()(const SceneText& text)
    {
        const Rgb colour = text.on ? textColourOn(text.on->colour(m_palette)) : m_palette[text.ink];
        const std::string x = number(text.at.x);
        const std::string y = number(text.at.y);
        m_text += "<text x=\"" + x + "\" y=\"" + y + "\" dy=\"0.35em\" fill=\"" + hex(colour) + '"';
        if (text.align != TextAlign::Left)
            m_text += text.align == TextAlign::Centre ? " text-anchor=\"middle\""
                                                      : " text-anchor=\"end\"";
        if (text.bold)
            m_text += " font-weight=\"600\"";
        if (text.upwards)
            m_text += " transform=\"rotate(-90 " + x + ' ' + y + ")\"";
        m_text += '>' + xmlText(shownText(text)) + "</text>\n";
    }

    std::string take() { return std::move(m_text); }

private:
    std::string fill(const Paint& paint) const
    {
        std::string text = " fill=\"" + hex(paint.colour(m_palette)) + '"';
        if (paint.opacity < 1.0)
            text += " fill-opacity=\"" + number(paint.opacity) + '"';
        return text;
    }
    std::string stroke(const Paint& paint) const
    {
        std::string text = " stroke=\"" + hex(paint.colour(m_palette)) + '"';
        if (paint.opacity < 1.0)
            text += " stroke-opacity=\"" + number(paint.opacity) + '"';
        return text;
    }
    void polygon(std::initializer_list<Point> points, const std::string& look)
    {
        m_text += "<polygon points=\"";
        for (const Point& point : points)
            m_text += number(point.x) + ',' + number(point.y) + ' ';
        m_text.back() = '"';
        m_text += look;
    }

    const ScenePalette& m_palette;
    std::string m_text;
};

} // namespace

const ScenePalette& ScenePalette::light()
{
    static const ScenePalette palette{{rgb(0xffffff), rgb(0x1f2328), rgb(0x59636e), rgb(0xe1e4e8),
                                       rgb(0x868e98), rgb(0x7d8590), rgb(0x255093), rgb(0xb35a00),
                                       rgb(0x255093), rgb(0xb35a00), rgb(0x0b7d6e), rgb(0x8a4fe0)},
                                      sequentialScale(false)};
    return palette;
}

const ScenePalette& ScenePalette::dark()
{
    static const ScenePalette palette{{rgb(0x1e1e1e), rgb(0xe6e6e6), rgb(0xa8adb3), rgb(0x3a3d41),
                                       rgb(0x7b828a), rgb(0x8b929a), rgb(0x7fa8f0), rgb(0xe9a11d),
                                       rgb(0x7fa8f0), rgb(0xe9a11d), rgb(0x71e0bf), rgb(0xd0b8ff)},
                                      sequentialScale(true)};
    return palette;
}

Rgb divergingColour(const ScenePalette& palette, double fraction)
{
    const double depth = std::clamp(fraction < 0.0 ? -fraction : fraction, 0.0, 1.0);
    return mix(palette[Ink::Surface], palette[fraction < 0.0 ? Ink::Less : Ink::More], depth);
}

double textWidth(std::string_view text, double fontSize)
{
    const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    });
    return 0.62 * fontSize * static_cast<double>(characters);
}

const SceneMark* Scene::markAt(Point point) const
{
    const auto found = std::find_if(marks.rbegin(), marks.rend(), [&](const SceneMark& mark) {
        return mark.area.contains(point);
    });
    return found == marks.rend() ? nullptr : &*found;
}

void addNotice(Scene& scene, const Rect& area, const std::string& text, const SceneFont& font)
{
    constexpr double kPadding = 8.0;
    const double width = std::min(area.width, font.width(text) + 2.0 * kPadding);
    const double height = std::min(area.height, font.line_height + kPadding);
    const Point at = area.centre();
    scene.items.push_back(
        SceneRect{.rect = {at.x - width / 2.0, at.y - height / 2.0, width, height},
                  .fill = Paint{Ink::Surface}});
    scene.items.push_back(
        SceneText{.at = at, .text = text, .align = TextAlign::Centre, .room = width});
}

std::string toSvg(const Scene& scene, const ScenePalette& palette)
{
    const std::string size = number(scene.width) + ' ' + number(scene.height);
    std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 "
        + size + "\" width=\"" + number(scene.width) + "\" height=\"" + number(scene.height)
        + "\" font-family=\"system-ui, 'Helvetica Neue', 'DejaVu Sans', sans-serif\" font-size=\""
        + number(kSceneFont) + "\">\n<title>" + xmlText(scene.title) + "</title>\n<desc>"
        + xmlText(scene.summary.english()) + "</desc>\n";
    text += "<defs>" + hatching(palette) + "</defs>\n";
    text += "<rect width=\"100%\" height=\"100%\" fill=\"" + hex(palette[Ink::Surface]) + "\"/>\n";
    Writer writer(palette);
    if (!scene.empty.empty()) {
        writer(SceneText{.at = {scene.width / 2.0, scene.height / 2.0},
                         .text = scene.empty,
                         .align = TextAlign::Centre,
                         .ink = Ink::Muted});
    } else {
        for (const SceneItem& item : scene.items)
            std::visit(writer, item);
    }
    return text + writer.take() + "</svg>\n";
}

} // namespace ep::viz
