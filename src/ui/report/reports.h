// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/html_page.h"
#include "report/report_charts.h"

#include "ep/core/result.h"
#include "ep/core/run_figure.h"
#include "ep/energy/comparison.h"
#include "ep/energy/statistics.h"
#include "ep/session/explain.h"
#include "ep/session/study.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ep::store {
class Store;
}

// Reports of a run and of a comparison: figures, charts, tables, manifest, and an explanation of
// how the numbers were obtained. Pure, except that the study reads its runs.
namespace ep::ui {

// why: null if unknown.
HtmlPage runReport(const energy::ComparedRun& run, HtmlPage::Charts charts,
                   const session::Explanation* why = nullptr);
HtmlPage comparisonReport(const std::vector<energy::RunGroup>& groups,
                          const energy::Comparison& comparison, HtmlPage::Charts charts);
// Adds the comparison to another page, without a title.
void addComparison(HtmlPage& page, const std::vector<energy::RunGroup>& groups,
                   const energy::Comparison& comparison);
// Keeps machines and power sources apart: a table of all cells, and comparisons in blocks.
Result<HtmlPage> studyReport(const store::Store& store, const session::StudyReport& report,
                             HtmlPage::Charts charts);

// How the energies of a run were obtained, one paragraph each.
std::vector<std::string> methodOf(const Run& run);
// A file name for a chart, derived from its title: "power".
std::string fileNameOf(const viz::Scene& scene);

// Words and sizes that the reports share.
using Rows = std::vector<std::vector<std::string>>;

// Names and values of all properties of a run.
Rows manifestOf(const RunInfo& info);

// Prompt and response of a run, or of so many sequences of its batch, and its notes. length: of
// each text, in bytes.
void addTexts(HtmlPage& page, const RunInfo& info, std::size_t length, std::size_t sequences);

inline constexpr ChartSize kWide{900.0, 300.0};
ChartSize gridSize(std::size_t rows);

// A text of the lower areas in the language of the window.
std::string worded(const Message& text);
std::string word(RunFigure figure);

} // namespace ep::ui
