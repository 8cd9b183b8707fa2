// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/figures.h"

#include <string>

// Energy details that `runs show` and a finished run print below the table of phases.
namespace ep::app {

// Gross and net energy, static share, uncertainty, rails (with a row for energy in no rail),
// peaks, EDP, cost and CO2. One titled fact per line; empty if the run has no energy.
std::string energyDetails(const Run& run, const energy::Tariff& tariff);
// "split by cost: ...", "split by time (reason)"
std::string attributionLine(const AttributionRecord& record);
std::string baselineLine(const BaselineRecord& baseline);
// The verdict and its reasons.
std::string verdictLine(const PowerQuality& quality);

} // namespace ep::app
