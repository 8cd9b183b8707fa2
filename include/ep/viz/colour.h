// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ep::viz {

// 8-bit sRGB.
struct Rgb {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;

    bool operator==(const Rgb&) const = default;
};

constexpr Rgb rgb(std::uint32_t hex)
{
    return {static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U),
            static_cast<std::uint8_t>(hex)};
}

// Linear light of one sRGB channel, 0..1.
double linearLight(std::uint8_t channel);

// WCAG 2 relative luminance, 0..1, and contrast ratio, 1..21 (symmetric).
double relativeLuminance(Rgb colour);
double contrastRatio(Rgb a, Rgb b);

// Black or white, whichever has more contrast with the background (at least 4.5:1 on any colour).
Rgb textColourOn(Rgb background);

// Interpolates perceptually (in OKLab) between a at 0 and b at 1.
Rgb mix(Rgb a, Rgb b, double fraction);

// Upper end of a colour scale for these values: the largest, or their 95th percentile if the
// largest is more than twice that, so that one outlier does not make all others pale. 0
// without a value.
double scaleTop(std::vector<double> values);

// Sequential map: evenly spaced control points, interpolated in OKLab. Values outside 0..1 are
// clamped; NaN gives the lowest colour (callers show missing values differently).
class ColourScale {
public:
    ColourScale() = default;
    explicit ColourScale(std::span<const Rgb> controlPoints);

    Rgb at(double fraction) const;
    bool operator==(const ColourScale&) const = default;

private:
    std::vector<Rgb> m_table; // precomputed, because at() is called for each cell of a heatmap
};

// Blue to yellow through grey with monotonic lightness, readable with colour-vision deficiency and
// in greyscale. Light theme: darker means more; dark theme: brighter means more.
ColourScale sequentialScale(bool dark);

} // namespace ep::viz
