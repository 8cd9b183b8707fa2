// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/scene.h"

#include <algorithm>

namespace ep::viz {

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

} // namespace ep::viz
