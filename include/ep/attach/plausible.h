// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/dialect.h"

#include <string>
#include <vector>

namespace ep::attach {

// Bounds for the counts in an answer.
struct CountBounds {
    std::int64_t most_output = 0; // tokens requested over all sequences; 0: not stated
    Nanoseconds duration_ns = 0; // duration of the whole request
    std::size_t parts = 0; // number of parts that arrived
};

// Removes impossible counts: more output than requested, more tokens than any machine computes in
// that time, parts larger than their whole. Returns one sentence for each.
std::vector<ep::Message> dropImplausible(Figures& figures, const CountBounds& bounds);

} // namespace ep::attach
