// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/theme.h"

#include "ep/energy/energy_origin.h"
#include "ep/ui/terms.h"

namespace ep::ui {

namespace {

QColor hex(std::uint32_t value)
{
    return QColor::fromRgb(static_cast<QRgb>(value));
}

bool okabeIto = false;

// The accent that the user chose for the system, if the platform reports it.
QColor accentOf(const QPalette& palette)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
    return palette.color(QPalette::Accent);
#else
    return palette.color(QPalette::Highlight);
#endif
}

// "Color Universal Design", jfly.uni-koeln.de/color, 2008.
std::array<QColor, kChannelCount> okabeItoChannels(bool dark)
{
    return {dark ? hex(0x56b4e9) : hex(0x0072b2), hex(0x009e73), hex(0xe69f00), hex(0xcc79a7),
            hex(0xd55e00)};
}

// The colours that all charts share.
Theme themeOf(const viz::ScenePalette& palette)
{
    Theme theme;
    theme.surface = toColour(palette[viz::Ink::Surface]);
    theme.text = toColour(palette[viz::Ink::Text]);
    theme.mutedText = toColour(palette[viz::Ink::Muted]);
    theme.grid = toColour(palette[viz::Ink::Grid]);
    theme.outline = toColour(palette[viz::Ink::Outline]);
    theme.missing = toColour(palette[viz::Ink::Missing]);
    theme.sequential = palette.sequential;
    return theme;
}

} // namespace

QString title(Channel channel)
{
    static constexpr std::array<const char*, kChannelCount> kTitles{"CPU", "GPU", "ANE", "DRAM",
                                                                    "Total"};
    return term(kTitles[static_cast<std::size_t>(channel)]);
}

// The colours of channels, phases and parts were chosen by computed distance under protanopia,
// deuteranopia and tritanopia; parts also by low chroma and one hue per family in both themes. The
// limits are in tests/ui/charts/theme_test.cpp.
Theme Theme::light()
{
    Theme theme = themeOf(viz::ScenePalette::light());
    theme.focus = hex(0x0b5cad);
    theme.warning = hex(0x8a5300);
    theme.error = hex(0xb3261e);
    theme.success = hex(0x1a6e37);
    theme.channels = {hex(0x255093), hex(0x11a792), hex(0xd27701), hex(0xa572fd), hex(0x932e22)};
    theme.phases = {hex(0x727882), hex(0x583067), hex(0x5a8be3), hex(0xd66f31),
                    hex(0x145c3a), hex(0x010533), hex(0xa78d77)};
    theme.parts = {hex(0x184c4a), hex(0x5b67bb), hex(0xa77c0f), hex(0x28a776),
                   hex(0x492675), hex(0x868e98), hex(0x4e1d10), hex(0x63633e),
                   hex(0x868e98), hex(0x868e98), hex(0x868e98), hex(0x868e98)};
    return theme;
}

Theme Theme::darkTheme()
{
    Theme theme = themeOf(viz::ScenePalette::dark());
    theme.dark = true;
    theme.focus = hex(0x6cb2ff);
    theme.warning = hex(0xf0b35a);
    theme.error = hex(0xff8a80);
    theme.success = hex(0x7ccf96);
    theme.channels = {hex(0x4567c9), hex(0x71e0bf), hex(0xe9a11d), hex(0xc6b1ff), hex(0xc7354c)};
    theme.phases = {hex(0xb9c4cc), hex(0xe69aff), hex(0x2e7ba7), hex(0xcf8116),
                    hex(0x2bc196), hex(0xbcff15), hex(0x806170)};
    theme.parts = {hex(0xa3f8f2), hex(0xa2ade1), hex(0xbe8f20), hex(0x40b484),
                   hex(0x7c5dab), hex(0x7b828a), hex(0x8c6054), hex(0xeaea7f),
                   hex(0x7b828a), hex(0x7b828a), hex(0x7b828a), hex(0x7b828a)};
    return theme;
}

Theme Theme::fromPalette(const QPalette& palette)
{
    const QColor window = palette.color(QPalette::Window);
    const QColor text = palette.color(QPalette::WindowText);
    Theme theme = window.lightnessF() < text.lightnessF() ? darkTheme() : light();
    constexpr double kMinContrast = 3.5; // WCAG requires 3 for lines; some of ours are thin
    if (const QColor accent = accentOf(palette);
        viz::contrastRatio(toRgb(accent), toRgb(theme.surface)) >= kMinContrast)
        theme.focus = accent;
    if (okabeIto)
        theme.channels = okabeItoChannels(theme.dark);
    return theme;
}

void Theme::useOkabeIto(bool use)
{
    okabeIto = use;
}

QPen Theme::linePen(Channel c) const
{
    static constexpr std::array<Qt::PenStyle, kChannelCount> kStyles{
        Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::SolidLine};
    QPen pen(channel(c), c == Channel::Total ? 2.5 : 1.5, kStyles[static_cast<std::size_t>(c)]);
    pen.setCapStyle(Qt::FlatCap); // square caps would close the gaps of the dots
    return pen;
}

QColor Theme::band(Phase p) const
{
    return toColour(viz::mix(toRgb(surface), toRgb(phase(p)), dark ? 0.12 : 0.07));
}

const viz::ScenePalette& Theme::scenePalette() const
{
    return dark ? viz::ScenePalette::dark() : viz::ScenePalette::light();
}

QColor Theme::scale(double fraction) const
{
    return toColour(sequential.at(fraction));
}

QColor Theme::textOn(const QColor& background) const
{
    return toColour(viz::textColourOn(toRgb(background)));
}

QColor toColour(viz::Rgb colour)
{
    return {colour.red, colour.green, colour.blue};
}

viz::Rgb toRgb(const QColor& colour)
{
    return {static_cast<std::uint8_t>(colour.red()), static_cast<std::uint8_t>(colour.green()),
            static_cast<std::uint8_t>(colour.blue())};
}

QString provenanceLabel(Provenance provenance)
{
    return energyLabel({}, provenance);
}

QString provenanceExplanation(Provenance provenance)
{
    return energyExplanation({}, provenance);
}

QString powerOriginLabel(std::string_view source)
{
    return energy::measuresThisMachine(source) ? QString()
                                               : energyLabel(source, Provenance::Measured);
}

QString energyLabel(std::string_view source, Provenance provenance)
{
    return term(energy::originOf(source, provenance).label);
}

QString energyExplanation(std::string_view source, Provenance provenance)
{
    return term(energy::originOf(source, provenance).explanation);
}

QString explainedEnergyLabel(std::string_view source, Provenance provenance)
{
    return energyLabel(source, provenance) + QStringLiteral(": ")
        + energyExplanation(source, provenance);
}

Qt::BrushStyle provenancePattern(Provenance provenance)
{
    switch (provenance) {
    case Provenance::Modelled:
        return Qt::BDiagPattern;
    case Provenance::Imported:
        return Qt::FDiagPattern;
    case Provenance::Missing:
        return Qt::DiagCrossPattern;
    case Provenance::Measured:
    case Provenance::Attributed:
    case Provenance::Calibrated:
        break;
    }
    return Qt::SolidPattern;
}

} // namespace ep::ui
