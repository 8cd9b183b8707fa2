// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QString>
#include <QVariant>

#include <functional>
#include <vector>

namespace ep::ui {

// A column of History. All that is said about it stands in its row of runColumns().
struct RunColumn {
    QString id; // in settings and tests: "experiment"
    QString title;
    int width = 12; // characters
    bool numeric = false;
    bool shown = true; // unless the person chooses otherwise
    std::function<QString(const RunSummary&)> text;
    std::function<QVariant(const RunSummary&)> key; // what it is sorted by; null: missing
    std::function<QString(const RunSummary&)> toolTip{}; // absent: none
};

// In the order in which they are shown at first; every figure of a run has one.
std::vector<RunColumn> runColumns();

} // namespace ep::ui
