// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <functional>
#include <ostream>
#include <vector>

namespace ep::test {

// A change of the sample run that a store must survive.
struct RunVariation {
    const char* name;
    std::function<void(ep::Run&)> apply;
};

inline void PrintTo(const RunVariation& variation, std::ostream* out)
{
    *out << variation.name;
}

std::vector<RunVariation> runVariations();

} // namespace ep::test
