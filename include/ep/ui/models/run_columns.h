// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QString>
#include <QVariant>

#include <functional>
#include <vector>

namespace ep::ui {

// A column of History, described completely by its row in runColumns().
struct RunColumn {
    QString id; // in settings and tests: "experiment"
    QString title;
    int width = 12; // in characters
    bool numeric = false;
    bool shown = true; // whether it is shown by default
    std::function<QString(const RunSummary&)> text;
    std::function<QVariant(const RunSummary&)> key; // sort key; null: missing
    std::function<QString(const RunSummary&)> toolTip{}; // absent: none
};

// In the default order; every figure of a run has a column.
std::vector<RunColumn> runColumns();

} // namespace ep::ui
