// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/statistics.h"
#include "ep/energy/totals.h"

#include <QString>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::ui {

// Repeats of one setting within an experiment, or all pairs of a comparison, folded into one row.
struct RepeatedRuns {
    bool comparison = false;
    std::vector<const RunSummary*> runs; // at least one, in the given order
    energy::SampleStatistics energy{}; // joules, of the runs that have energy
    // Joules: sum of energies / sum of tokens, of the runs that count in a total (countedTokens()).
    energy::SampleStatistics perToken{};
    energy::SampleStatistics perTotalToken{};
    energy::SampleStatistics rate{}; // tokens per second
};

// Grouped by experiment, then by equal settings, each in the order of its first run; pairs of an
// experiment are one group.
std::vector<RepeatedRuns> foldRepeats(const std::vector<const RunSummary*>& runs);

// "1.52 J measured · 903 mJ modelled · 192 tokens": the energy of each origin by itself.
QString sumText(const std::vector<const RunSummary*>& runs);

// A property by which History can group runs, besides repeats.
struct GroupBy {
    std::string_view id;
    QString (*nameOf)(const RunSummary&); // name of a run's group; may be empty
};
const std::vector<GroupBy>& groupings();
const GroupBy* groupingWith(std::string_view id); // null: there is none

// Runs that share a property. Energies of different origin (measured, modelled, simulated, ...)
// are never added up, so they form separate groups.
struct ListGroup {
    QString name;
    std::string origin; // energy::energyOrigin(); empty if there is no energy
    std::vector<const RunSummary*> runs{};
    energy::RunTotal total{}; // as in Totals
    std::optional<double> rate{}; // tokens per second
};
// Groups in the order of their first runs.
std::vector<ListGroup> groupRuns(const std::vector<const RunSummary*>& runs, const GroupBy& by);
std::vector<ListGroup> groupByOrigin(const std::vector<const RunSummary*>& runs);

} // namespace ep::ui
