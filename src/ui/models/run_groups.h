// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"
#include "ep/energy/statistics.h"

#include <QString>

#include <vector>

namespace ep::ui {

// Repeats of one setting within an experiment, folded into one row.
struct RepeatedRuns {
    std::vector<const RunSummary*> runs; // at least one, in the given order
    energy::SampleStatistics energy; // joules, of the runs that have them
    energy::SampleStatistics perToken; // joules
    energy::SampleStatistics rate; // tokens per second
};

// By experiment, then by equal settings, each in the order of its first run.
std::vector<RepeatedRuns> foldRepeats(const std::vector<const RunSummary*>& runs);

// "1.52 J (1.48 J – 1.57 J)": the mean and, from three runs on, the 95 % interval of the mean.
QString meanText(const energy::SampleStatistics& sample, QString (*value)(double));

// What several runs took together. A run without energy makes it a lower bound.
struct RunSum {
    Tally sum;
    std::int64_t runs = 0;
    std::int64_t tokens = 0; // generated
};
RunSum sumOf(const std::vector<const RunSummary*>& runs);

} // namespace ep::ui
