// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run_groups.h"

#include "ep/ui/run_repository.h"

#include <QSet>
#include <QTableWidget>

#include <map>
#include <string>
#include <vector>

namespace ep::ui {

QString groupingTitle(const GroupBy& by); // in the language of the window

// The listed runs in groups, one row each: repeats of one setting of an experiment with mean and
// interval, comparisons with their verdict, or runs that share a property with their sum. A row
// that is opened lists its runs below it.
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
    void runOpened(const QString& id);

private:
    enum Column { Experiment, Model, Varies, Prompt, Runs, Energy, PerToken, PerTotalToken, Rate };
    void fill(const std::vector<RepeatedRuns>& groups);
    void fill(const std::vector<ListGroup>& groups, const QString& heading);
    void nameColumns(const QString& group, bool sums);
    void put(int row, Column column, const QString& text, bool number = false);
    QString verdictOf(const std::vector<const RunSummary*>& runs);
    void putRuns(const std::vector<const RunSummary*>& runs, bool sums);
    void toggle(int row);
    void selectRowsOf(const QSet<QString>& ids);
    void selectionChangedTo();

    std::vector<QStringList> m_ids; // by row
    QSet<QString> m_unfolded; // groups whose runs are listed, by their oldest run
    struct KnownVerdict {
        std::ptrdiff_t runs = 0; // number of complete runs
        QString text;
    };
    std::map<std::string, KnownVerdict> m_verdicts; // by experiment
    std::vector<const RunSummary*> m_runs; // as given
    const GroupBy* m_by = nullptr;
};

} // namespace ep::ui
