// SPDX-License-Identifier: GPL-3.0-or-later
#include "colour_vision.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ep::test {

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr std::array<Matrix, 4> kMatrices{{
    {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}},
    {{{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
}};

constexpr Matrix kToXyz{{{0.4124564, 0.3575761, 0.1804375},
                         {0.2126729, 0.7151522, 0.0721750},
                         {0.0193339, 0.1191920, 0.9503041}}};
constexpr Vector kWhite{0.95047, 1.0, 1.08883};

Vector times(const Matrix& matrix, const Vector& v)
{
    Vector result{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            result[i] += matrix[i][j] * v[j];
    return result;
}

double radians(double degrees)
{
    return degrees * std::numbers::pi / 180.0;
}

double hueOf(double a, double b)
{
    const double degrees = std::atan2(b, a) * 180.0 / std::numbers::pi;
    return degrees < 0.0 ? degrees + 360.0 : degrees;
}

} // namespace

Lab seenBy(Vision vision, viz::Rgb colour)
{
    Vector linear = times(kMatrices[static_cast<std::size_t>(vision)],
                          {viz::linearLight(colour.red), viz::linearLight(colour.green),
                           viz::linearLight(colour.blue)});
    for (double& channel : linear)
        channel = std::clamp(channel, 0.0, 1.0);
    Vector f = times(kToXyz, linear);
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = f[i] / kWhite[i];
        f[i] = t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
    }
    return {116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])};
}

double ciede2000(const Lab& first, const Lab& second)
{
    const auto seventh = [](double c) {
        return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + 6103515625.0));
    };
    const double meanChroma = (std::hypot(first.a, first.b) + std::hypot(second.a, second.b)) / 2.0;
    const double g = 1.0 + 0.5 * (1.0 - seventh(meanChroma));
    const double chroma1 = std::hypot(first.a * g, first.b);
    const double chroma2 = std::hypot(second.a * g, second.b);
    const double hue1 = hueOf(first.a * g, first.b);
    const double hue2 = hueOf(second.a * g, second.b);
    const bool grey = chroma1 * chroma2 == 0.0;

    double hueStep = grey ? 0.0 : hue2 - hue1;
    if (hueStep > 180.0)
        hueStep -= 360.0;
    else if (hueStep < -180.0)
        hueStep += 360.0;
    double hue = grey ? hue1 + hue2 : (hue1 + hue2) / 2.0;
    if (!grey && std::abs(hue1 - hue2) > 180.0)
        hue += hue1 + hue2 < 360.0 ? 180.0 : -180.0;

    const double lightness = (first.l + second.l) / 2.0;
    const double chroma = (chroma1 + chroma2) / 2.0;
    const double t = 1.0 - 0.17 * std::cos(radians(hue - 30.0))
        + 0.24 * std::cos(radians(2.0 * hue)) + 0.32 * std::cos(radians(3.0 * hue + 6.0))
        - 0.20 * std::cos(radians(4.0 * hue - 63.0));
    const double offset = (lightness - 50.0) * (lightness - 50.0);
    const double dL = (second.l - first.l) / (1.0 + 0.015 * offset / std::sqrt(20.0 + offset));
    const double dC = (chroma2 - chroma1) / (1.0 + 0.045 * chroma);
    const double dH = 2.0 * std::sqrt(chroma1 * chroma2) * std::sin(radians(hueStep / 2.0))
        / (1.0 + 0.015 * chroma * t);
    const double turn = 60.0 * std::exp(-std::pow((hue - 275.0) / 25.0, 2.0));
    const double rotation = -std::sin(radians(turn)) * 2.0 * seventh(chroma);
    return std::sqrt(dL * dL + dC * dC + dH * dH + rotation * dC * dH);
}

} // namespace ep::test
