// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/insights_charts.h"

#include "ep/core/quality_record.h"
#include "ep/session/quality.h"

// Energy against quality: which runs are not beaten in both by any other. Pure.
namespace ep::ui {

using Qualities = std::vector<QualityRecord>; // newest first

// Uses the text for which most runs can be shown.
viz::Scene qualityChart(const RunsInView& runs, const Qualities& qualities, double width,
                        double height);
std::string qualityFrontText(const RunsInView& runs, const Qualities& qualities);

// What is to be measured so that every run has a quality: each model, format and device once.
std::vector<session::QualityRequest> qualityRequests(const RunsInView& runs,
                                                     const Qualities& qualities);

} // namespace ep::ui
