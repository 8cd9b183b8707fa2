// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/figures.h"

#include <string>

// What `runs show` and a finished run say about energy, beside the table of phases.
namespace ep::app {

// Gross and net, static share, uncertainty; per rail with the row that no rail explains; peaks;
// EDP; cost and CO2. One fact a line, each with its own title; empty without energy.
std::string energyDetails(const Run& run, const energy::Tariff& tariff);
// "split by cost: ...", "split by time (reason)"
std::string attributionLine(const AttributionRecord& record);
std::string baselineLine(const BaselineRecord& baseline);
// Verdict and its reasons.
std::string verdictLine(const PowerQuality& quality);

} // namespace ep::app
