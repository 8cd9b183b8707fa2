// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/report_charts.h"

#include "ep/core/run_figure.h"
#include "ep/energy/statistics.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Words and sizes that the reports of runs and of comparisons share.
namespace ep::ui {

using Rows = std::vector<std::vector<std::string>>;

inline constexpr ChartSize kWide{900.0, 300.0};
ChartSize gridSize(std::size_t rows);

// A text of the lower areas in the language of the window.
std::string worded(const Message& text);
std::string word(RunFigure figure);
std::string intervalText(RunFigure metric, const std::optional<energy::Interval>& interval,
                         bool sign);

} // namespace ep::ui
