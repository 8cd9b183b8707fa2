// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ep::viz {

namespace {

struct OkLab {
    double lightness = 0.0;
    double a = 0.0;
    double b = 0.0;
};

// Björn Ottosson's OKLab: equal steps look equal, unlike with RGB interpolation.
OkLab toOkLab(Rgb colour)
{
    const double r = linearLight(colour.red);
    const double g = linearLight(colour.green);
    const double b = linearLight(colour.blue);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

std::uint8_t gammaEncoded(double linear)
{
    const double clamped = std::clamp(linear, 0.0, 1.0);
    const double encoded =
        clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * std::pow(clamped, 1.0 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(encoded * 255.0));
}

Rgb fromOkLab(const OkLab& lab)
{
    const double l = std::pow(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3.0);
    const double m = std::pow(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3.0);
    const double s = std::pow(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3.0);
    return {gammaEncoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            gammaEncoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            gammaEncoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

constexpr int kTableSize = 256;

} // namespace

double linearLight(std::uint8_t channel)
{
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double relativeLuminance(Rgb colour)
{
    return 0.2126 * linearLight(colour.red) + 0.7152 * linearLight(colour.green)
        + 0.0722 * linearLight(colour.blue);
}

double contrastRatio(Rgb a, Rgb b)
{
    const auto [darker, lighter] = std::minmax({relativeLuminance(a), relativeLuminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

Rgb textColourOn(Rgb background)
{
    constexpr Rgb kBlack{0, 0, 0};
    constexpr Rgb kWhite{255, 255, 255};
    return contrastRatio(background, kBlack) >= contrastRatio(background, kWhite) ? kBlack : kWhite;
}

Rgb mix(Rgb a, Rgb b, double fraction)
{
    const OkLab from = toOkLab(a);
    const OkLab to = toOkLab(b);
    const double t = std::clamp(fraction, 0.0, 1.0);
    return fromOkLab({std::lerp(from.lightness, to.lightness, t), std::lerp(from.a, to.a, t),
                      std::lerp(from.b, to.b, t)});
}

ColourScale::ColourScale(std::span<const Rgb> controlPoints)
{
    if (controlPoints.empty())
        return;
    m_table.reserve(kTableSize);
    const auto last = static_cast<double>(controlPoints.size() - 1);
    for (int i = 0; i < kTableSize; ++i) {
        const double position = last * i / (kTableSize - 1);
        const auto lower = static_cast<std::size_t>(position);
        const std::size_t upper = std::min(lower + 1, controlPoints.size() - 1);
        m_table.push_back(
            mix(controlPoints[lower], controlPoints[upper], position - static_cast<double>(lower)));
    }
}

Rgb ColourScale::at(double fraction) const
{
    if (m_table.empty())
        return {};
    const double clamped = fraction > 0.0 ? std::min(fraction, 1.0) : 0.0; // NaN becomes 0
    return m_table[static_cast<std::size_t>(std::lround(clamped * (kTableSize - 1)))];
}

ColourScale sequentialScale(bool dark)
{
    static constexpr std::array kLight{rgb(0xf8f0cf), rgb(0xe4cf8d), rgb(0xb8ab7c), rgb(0x838685),
                                       rgb(0x53648a), rgb(0x234283), rgb(0x0c1f50)};
    static constexpr std::array kDark{rgb(0x22305c), rgb(0x37497f), rgb(0x5c6a86), rgb(0x868883),
                                      rgb(0xb2a673), rgb(0xdcc85c), rgb(0xfdee7a)};
    static const std::array kScales{ColourScale(kLight), ColourScale(kDark)}; // mixing is slow
    return kScales[dark ? 1 : 0];
}

double scaleTop(std::vector<double> values)
{
    constexpr std::size_t kFew = 10; // with fewer, none is an outlier
    constexpr double kStandsOut = 2.0;
    if (values.empty())
        return 0.0;
    const double largest = *std::max_element(values.begin(), values.end());
    if (values.size() < kFew)
        return largest;
    const auto usual = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * 95 / 100);
    std::nth_element(values.begin(), usual, values.end());
    return *usual > 0.0 && largest > kStandsOut * *usual ? *usual : largest;
}

} // namespace ep::viz
