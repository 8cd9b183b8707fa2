// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/colour.h"

#include <array>

namespace ep::test {

enum class Vision { Normal, Protanopia, Deuteranopia, Tritanopia };
inline constexpr std::array kVisions{Vision::Normal, Vision::Protanopia, Vision::Deuteranopia,
                                     Vision::Tritanopia};

struct Lab { // CIE L*a*b*, D65
    double l = 0.0;
    double a = 0.0;
    double b = 0.0;
};

// The colour as perceived with that vision (Machado, Oliveira and Fernandes 2009, severity 1).
Lab seenBy(Vision vision, viz::Rgb colour);

// CIEDE2000 colour difference; about 1 is just noticeable, above 10 is obvious.
double ciede2000(const Lab& first, const Lab& second);

} // namespace ep::test
