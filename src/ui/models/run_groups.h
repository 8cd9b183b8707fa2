// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"
#include "ep/energy/statistics.h"

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
    energy::SampleStatistics perToken{}; // joules
    energy::SampleStatistics perTotalToken{}; // joules, by input and output
    energy::SampleStatistics rate{}; // tokens per second
};

// Grouped by experiment, then by equal settings, each in the order of its first run; pairs of an
// experiment are one group.
std::vector<RepeatedRuns> foldRepeats(const std::vector<const RunSummary*>& runs);

// "1.52 J (1.48 J – 1.57 J)": the mean and, with at least three runs, its 95 % interval.
QString meanText(const energy::SampleStatistics& sample, QString (*value)(double));
QString joulesText(double joules);
QString rateText(double rate); // tokens per second

// Total energy and tokens of several runs. If a run has no energy, the sum is a lower bound.
struct RunSum {
    Tally sum;
    std::int64_t runs = 0;
    std::int64_t tokens = 0; // generated tokens
};
RunSum sumOf(const std::vector<const RunSummary*>& runs);
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
    RunSum sum{};
    std::optional<double> perToken{}; // joules; sum of energies / sum of their tokens
    std::optional<double> perTotalToken{}; // like perToken, for runs whose input is known
    std::optional<double> rate{}; // tokens per second
};
// Groups in the order of their first runs.
std::vector<ListGroup> groupRuns(const std::vector<const RunSummary*>& runs, const GroupBy& by);
std::vector<ListGroup> groupByOrigin(const std::vector<const RunSummary*>& runs);

} // namespace ep::ui
