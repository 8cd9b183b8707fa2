// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/palettes.h"

#include "ep/ui/theme.h"

#include <algorithm>

namespace ep::ui {

namespace {

struct Colours {
    QRgb window, base, alternate, text, muted, button, highlight, highlightedText, link, light, mid,
        dark, shadow, disabled;
};

constexpr Colours kLight{.window = 0xfff2f2f2,
                         .base = 0xffffffff,
                         .alternate = 0xfff6f7f9,
                         .text = 0xff1b1b1b,
                         .muted = 0xff6a6a6a,
                         .button = 0xfff7f7f7,
                         .highlight = 0xff255093,
                         .highlightedText = 0xffffffff,
                         .link = 0xff1a5fb4,
                         .light = 0xffffffff,
                         .mid = 0xffb8b8b8,
                         .dark = 0xff9a9a9a,
                         .shadow = 0xff6e6e6e,
                         .disabled = 0xff8f8f8f};

constexpr Colours kDark{.window = 0xff2a2a2c,
                        .base = 0xff1e1e1e,
                        .alternate = 0xff252527,
                        .text = 0xffececec,
                        .muted = 0xffa6a6a6,
                        .button = 0xff3a3a3d,
                        .highlight = 0xff4567c9,
                        .highlightedText = 0xffffffff,
                        .link = 0xff8ab4f8,
                        .light = 0xff4a4a4e,
                        .mid = 0xff47474a,
                        .dark = 0xff141415,
                        .shadow = 0xff0a0a0a,
                        .disabled = 0xff7d7d7d};

QPalette build(const Colours& c)
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, QRgb colour) {
        palette.setColor(role, QColor(colour));
    };
    set(QPalette::Window, c.window);
    set(QPalette::WindowText, c.text);
    set(QPalette::Base, c.base);
    set(QPalette::AlternateBase, c.alternate);
    set(QPalette::ToolTipBase, c.base);
    set(QPalette::ToolTipText, c.text);
    set(QPalette::PlaceholderText, c.muted);
    set(QPalette::Text, c.text);
    set(QPalette::Button, c.button);
    set(QPalette::ButtonText, c.text);
    set(QPalette::BrightText, c.highlightedText);
    set(QPalette::Highlight, c.highlight);
    set(QPalette::HighlightedText, c.highlightedText);
#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
    set(QPalette::Accent, c.highlight);
#endif
    set(QPalette::Link, c.link);
    set(QPalette::LinkVisited, c.link);
    set(QPalette::Light, c.light);
    set(QPalette::Midlight, c.button);
    set(QPalette::Mid, c.mid);
    set(QPalette::Dark, c.dark);
    set(QPalette::Shadow, c.shadow);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(c.disabled));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(c.mid));
    return palette;
}

// A colour, possibly translucent, as it appears on an opaque ground.
QColor painted(const QColor& colour, const QColor& ground)
{
    const float a = colour.alphaF();
    return QColor::fromRgbF(a * colour.redF() + (1.0F - a) * ground.redF(),
                            a * colour.greenF() + (1.0F - a) * ground.greenF(),
                            a * colour.blueF() + (1.0F - a) * ground.blueF());
}

// The lower of a text's contrasts on windows and in fields.
double contrastOn(const QPalette& palette, const QColor& text)
{
    const auto on = [&](QPalette::ColorRole role) {
        const QColor ground = palette.color(QPalette::Active, role);
        return viz::contrastRatio(toRgb(painted(text, ground)), toRgb(ground));
    };
    return std::min(on(QPalette::Window), on(QPalette::Base));
}

} // namespace

std::optional<QColor> legibleMuted(const QPalette& palette)
{
    constexpr double kMin = 4.5; // WCAG 2, level AA
    if (contrastOn(palette, palette.color(QPalette::Active, QPalette::PlaceholderText)) >= kMin)
        return std::nullopt;
    const viz::Rgb text = toRgb(palette.color(QPalette::Active, QPalette::WindowText));
    const viz::Rgb window = toRgb(palette.color(QPalette::Active, QPalette::Window));
    for (double faded = 0.4; faded > 0.0; faded -= 0.05) {
        const QColor muted = toColour(viz::mix(text, window, faded));
        if (contrastOn(palette, muted) >= kMin)
            return muted;
    }
    return toColour(text);
}

QPalette paletteFor(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::System:
        break;
    case ThemeChoice::Light:
        return build(kLight);
    case ThemeChoice::Dark:
        return build(kDark);
    }
    return {};
}

} // namespace ep::ui
