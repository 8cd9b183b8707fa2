// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/models/raw_sort_proxy.h"
#include "ep/ui/models/run_list_filter.h"
#include "ep/ui/run_repository.h"
#include "ep/ui/theme.h"

#include <QAbstractTableModel>

#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace ep::ui {

// The stored runs, one row each, in the order of the list. Raw values (kRawRole) in the units of
// the summaries.
class RunListModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Date,
        Model,
        Prompt,
        State,
        TokensIn,
        TokensOut,
        Duration,
        Energy,
        EnergyPerToken,
        TokensPerSecond,
        Device,
        Source,
        Tags,
        Experiment,
        NumberFormat,
        ProfilingDepth,
        EnergyDelay,
        Quality,
        ColumnCount
    };

    explicit RunListModel(QObject* parent = nullptr);

    // Null: none. Rows of runs that stay stay where they are, with their selection.
    void setRuns(RunList runs);
    void setTheme(const Theme& theme); // marks of runs that did not end well
    const RunSummary& run(int row) const;
    std::optional<int> rowOf(const std::string& id) const;
    // What a text filter looks at, in lower case.
    const QString& searchText(int row) const
    {
        return m_rows[static_cast<std::size_t>(row)].searchText;
    }

    int rowCount(const QModelIndex& parent = {}) const final;
    int columnCount(const QModelIndex& parent = {}) const final;
    QVariant data(const QModelIndex& index, int role) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

private:
    QString display(const RunSummary& run, int column) const;
    static QVariant raw(const RunSummary& run, int column);
    QString toolTip(const RunSummary& run, int column) const;
    QVariant colour(const RunSummary& run, int column) const;

    struct Row {
        explicit Row(const RunSummary& summary);
        const RunSummary* run; // one of m_runs
        QString searchText;
    };
    bool update();
    void removeMissing(const std::set<std::string_view>& ids);
    void insert(int first, int count);

    RunList m_runs;
    std::vector<Row> m_rows;
    Theme m_theme;
};

// Runs that contain every word of a text in prompt, response, model, status, device, source,
// experiment or tags, whatever the case.
class RunFilterProxy final : public RawSortProxy {
    Q_OBJECT

public:
    explicit RunFilterProxy(RunListModel& model, QObject* parent = nullptr);

    void setText(const QString& text); // of the filter; the rest of it stays
    void setFilter(const RunListFilter& filter);
    const RunListFilter& filter() const { return m_filter; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const final;

private:
    const RunListModel& m_model;
    RunListFilter m_filter;
    QStringList m_words;
    bool m_onlyText = true;
    qint64 m_nowMs = 0; // when the filter was set
};

} // namespace ep::ui
