// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/html_page.h"

#include "ep/core/result.h"
#include "ep/energy/comparison.h"
#include "ep/session/study.h"

#include <vector>

namespace ep::store {
class Store;
}

// Reports of a run and of a comparison: figures, charts, tables, manifest, and in words how the
// numbers were obtained. Pure, but for the study, which reads its runs.
namespace ep::ui {

HtmlPage runReport(const energy::ComparedRun& run, HtmlPage::Charts charts);
HtmlPage comparisonReport(const std::vector<energy::RunGroup>& groups,
                          const energy::Comparison& comparison, HtmlPage::Charts charts);
// The same without a title, on a page that says more.
void addComparison(HtmlPage& page, const std::vector<energy::RunGroup>& groups,
                   const energy::Comparison& comparison);
// Every machine and power source by itself: a table of all cells, and comparisons in blocks.
Result<HtmlPage> studyReport(const store::Store& store, const session::StudyReport& report,
                             HtmlPage::Charts charts);

// Name and value of everything that describes a run, for a table.
std::vector<std::vector<std::string>> manifestOf(const RunInfo& info);
// How the joules of a run were obtained, a paragraph each.
std::vector<std::string> methodOf(const Run& run);
// A name for the file of a chart, from its title: "power".
std::string fileNameOf(const viz::Scene& scene);

} // namespace ep::ui
