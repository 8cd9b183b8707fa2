// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/answer_sections.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_tree.h"
#include "ep/store/run_source.h"

#include <vector>

namespace ep::store {

// Sums that an export writes before the steps it computes them from.
struct RunSums {
    KnownEnergies known;
    AnswerSections answer;
    SectionSums sections{};
    std::vector<Span> outside{}; // sections outside of steps

    static Result<RunSums> of(const RunSource& run); // reads the steps once
};

} // namespace ep::store
