// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/units.h"
#include "ep/energy/ledger.h"

#include <optional>
#include <span>

// What charts show of a run instead of the sums of what was drawn. The results are excerpts: views
// take them as they take the excerpt of a selection.
namespace ep::energy {

// The typical token: of each node the median over the decoded tokens that nothing disturbed
// (typicalTokens()). Medians of parts do not add up to that of the whole: at each node they are
// scaled by a common factor until they do, energies and times separately, so that the tree closes
// and the whole is the median of the tokens. The deviation of a node is the median of those of the
// tokens, an upper bound, since the errors that are not common to all tokens are less in a median.
//
// Its run has one decoded token; the sums of its components have one span, but count all tokens.
// An error if nothing was decoded.
Result<Excerpt> typicalToken(const Run& run, const Ledger::ReadSteps& steps);
Result<Excerpt> typicalToken(const Run& run); // for a run with its spans in memory

// The mean of repeats of one configuration, node by node, of at least two. A node has an energy if
// at least two repeats know it completely: their mean. Its interval is that of the mean over the
// repeats (Student's t), and at least what all repeats may be wrong by in common: what their own
// deviations have beyond their scatter. Counts (spans, tokens) are rounded means. Its phases and
// sections have no places in time but follow each other; there are no tokens and no samples.
// Everything else is that of the first.
Excerpt meanOfRepeats(std::span<const Excerpt> repeats);

// The deviation of the mean of repeats, as in meanOfRepeats(): their scatter (Student's t), and
// what their own deviations have beyond it. own: of the repeats that state one. Absent below two.
std::optional<Millijoules> deviationOfMean(std::span<const double> energies_mj,
                                           std::span<const double> own_mj);

// All of a run as an excerpt. totals: of its components.
Excerpt wholeOf(Run run, RunBreakdown parts, std::vector<ComponentTotal> totals);

} // namespace ep::energy
