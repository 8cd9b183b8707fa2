// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/comparison_charts.h"
#include "report/html_page.h"

#include "ep/session/explain.h"
#include "ep/viz/energy_roofline.h"

namespace ep::ui {

// The answer, its bars, causes and remedies.
void addWhy(HtmlPage& page, const session::Explanation& explanation);

// The parts of a run on the energy roofline; the lines are the machine's limits, where known.
// series: number of the run among those shown over each other.
void addToRoofline(viz::RooflineChart& chart, const energy::Diagnosis& diagnosis,
                   const std::string& label);
viz::RooflineChart rooflineOf(const energy::Diagnosis& diagnosis, const std::string& label,
                              ChartSize size);

} // namespace ep::ui
