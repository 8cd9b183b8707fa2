// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run_groups.h"

#include "ep/ui/run_repository.h"

#include <QSet>
#include <QTableWidget>

#include <vector>

namespace ep::ui {

// The listed runs with the repeats of each experiment folded into one row: mean and interval.
class RepeatTable : public QTableWidget {
    Q_OBJECT

public:
    explicit RepeatTable(QWidget* parent = nullptr);

    // Selects the rows that contain any of the selected runs.
    void setRuns(const std::vector<const RunSummary*>& runs, const QStringList& selected);

Q_SIGNALS:
    void groupsSelected(const QStringList& ids); // of all runs in the selected rows
    void groupOpened(); // its runs are to be listed one by one

private:
    enum Column { Experiment, Model, Varies, Prompt, Runs, Energy, PerToken, Rate };
    void fill(const std::vector<RepeatedRuns>& groups);
    void selectRowsOf(const QSet<QString>& ids);
    void selectionChangedTo();

    std::vector<QStringList> m_ids; // by row
};

} // namespace ep::ui
