// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/html_page.h"

#include "ep/energy/comparison.h"

#include <vector>

// Reports of a run and of a comparison: figures, charts, tables, manifest, and in words how the
// numbers were obtained. Pure.
namespace ep::ui {

HtmlPage runReport(const energy::ComparedRun& run, HtmlPage::Charts charts);
HtmlPage comparisonReport(const std::vector<energy::RunGroup>& groups,
                          const energy::Comparison& comparison, HtmlPage::Charts charts);

// Name and value of everything that describes a run, for a table.
std::vector<std::vector<std::string>> manifestOf(const RunInfo& info);
// How the joules of a run were obtained, a paragraph each.
std::vector<std::string> methodOf(const Run& run);
// A name for the file of a chart, from its title: "power".
std::string fileNameOf(const viz::Scene& scene);

} // namespace ep::ui
