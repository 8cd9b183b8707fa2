// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/units.h"
#include "ep/energy/ledger.h"

#include <optional>
#include <span>

// Aggregates that charts show instead of a run's sums. The results are excerpts, so views treat
// them like the excerpt of a selection.
namespace ep::energy {

// The typical token: for each node the median over the undisturbed decoded tokens
// (typicalTokens()). Medians of parts do not add up to the median of the whole, so at each node
// they are scaled by a common factor until they do, energies and times separately: the tree adds
// up, and the whole is the median of the tokens. The deviation of a node is the median of the
// tokens' deviations, an upper bound, since errors that tokens do not share are smaller in a
// median.
//
// Its run has one decoded token; the sums of its components have one span, but count all tokens. An
// error if nothing was decoded.
Result<Excerpt> typicalToken(const Run& run, const Ledger::ReadSteps& steps);
Result<Excerpt> typicalToken(const Run& run); // for a run with its spans in memory

// The mean of at least two repeats of one configuration, node by node. The energy of a node is the
// mean over the repeats that know it completely; a figure is the mean over the repeats that have
// it. Its interval is Student's t interval of the mean over the repeats, widened by the error that
// all repeats may share: the part of their own deviations that exceeds their scatter. Counts
// (spans, tokens) are rounded means. Phases and sections have no places in time but follow each
// other; there are no tokens and no samples. Everything else is taken from the first repeat.
Excerpt meanOfRepeats(std::span<const Excerpt> repeats);

// Deviation of the mean of repeats, as in meanOfRepeats(): their scatter (Student's t), and the
// part of their own deviations that exceeds this scatter. own_mj: the deviations of the repeats
// that state one. Absent with fewer than two energies.
std::optional<Millijoules> deviationOfMean(std::span<const double> energies_mj,
                                           std::span<const double> own_mj);

// A whole run as an excerpt. totals: the totals of its components.
Excerpt wholeOf(Run run, RunBreakdown parts, std::vector<ComponentTotal> totals);

} // namespace ep::energy
