// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/study.h"

#include <QString>

#include <vector>

namespace ep::ui {

// "1, 4": numbers from 1 to `most`; absent if any part is not such a number.
std::vector<int> numbersIn(const QString& text, int most);
// One prompt per paragraph.
std::vector<session::StudyPrompt> promptsIn(const QString& text);
// The cells of each machine with their figures, and what restricts the conclusions.
QString studyReportText(const session::StudyReport& report);

} // namespace ep::ui
