// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run_groups.h"

#include "ep/ui/run_repository.h"

#include <QSet>
#include <QTableWidget>

#include <vector>

namespace ep::ui {

QString groupingTitle(const GroupBy& by); // in the language of the window

// The listed runs in groups, one row each: repeats of one setting of an experiment with mean and
// interval, or runs that share a property with their sum.
class RepeatTable : public QTableWidget {
    Q_OBJECT

public:
    explicit RepeatTable(QWidget* parent = nullptr);

    // Selects the rows that contain any of the selected runs.
    // by: null for repeats.
    void setRuns(const std::vector<const RunSummary*>& runs, const GroupBy* by,
                 const QStringList& selected);

Q_SIGNALS:
    void groupsSelected(const QStringList& ids); // of all runs in the selected rows
    void groupOpened(); // to list its runs one by one

private:
    enum Column { Experiment, Model, Varies, Prompt, Runs, Energy, PerToken, PerTotalToken, Rate };
    void fill(const std::vector<RepeatedRuns>& groups);
    void fill(const std::vector<ListGroup>& groups, const QString& heading);
    void nameColumns(const QString& group, bool sums);
    void put(int row, Column column, const QString& text, bool number = false);
    void selectRowsOf(const QSet<QString>& ids);
    void selectionChangedTo();

    std::vector<QStringList> m_ids; // by row
};

} // namespace ep::ui
