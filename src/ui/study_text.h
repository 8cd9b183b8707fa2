// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/study.h"

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace ep::ui {

// "1, 4": values of a setting; empty if any part is none.
std::vector<std::string> valuesIn(const QString& text, std::string_view setting);
// One prompt per paragraph.
std::vector<session::StudyPrompt> promptsIn(const QString& text);
// The cells of each machine with their figures, and what restricts the conclusions.
QString studyReportText(const session::StudyReport& report);

} // namespace ep::ui
