// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/html_page.h"
#include "report/report_charts.h"

#include "ep/session/explain.h"
#include "ep/viz/energy_roofline.h"

namespace ep::ui {

// The answer, its bars, causes and remedies.
void addWhy(HtmlPage& page, const session::Explanation& explanation);

// Adds the parts of a run to the energy roofline; lines show the machine's limits, if known.
// series: number of the run among the overlaid ones.
void addToRoofline(viz::RooflineChart& chart, const energy::Diagnosis& diagnosis,
                   const std::string& label);
viz::RooflineChart rooflineOf(const energy::Diagnosis& diagnosis, const std::string& label,
                              ChartSize size);

} // namespace ep::ui
