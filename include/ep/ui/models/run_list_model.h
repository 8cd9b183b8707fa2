// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run_filter.h"
#include "ep/ui/models/raw_sort_proxy.h"
#include "ep/ui/models/run_columns.h"
#include "ep/ui/run_repository.h"
#include "ep/ui/theme.h"

#include <QAbstractTableModel>

#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace ep::ui {

// The stored runs, one row each, in the order of the list, with the columns of runColumns(). Raw
// values (kRawRole) are the sort keys of these columns.
class RunListModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit RunListModel(QObject* parent = nullptr);

    // Null: no runs. Rows of unchanged runs keep their place and selection.
    void setRuns(RunList runs);
    void setTheme(const Theme& theme); // for the marks of unsuccessful runs
    const RunSummary& run(int row) const { return *m_rows[static_cast<std::size_t>(row)].run; }
    std::optional<int> rowOf(const std::string& id) const;
    const std::vector<RunColumn>& columns() const { return m_columns; }
    int columnOf(QStringView id) const; // -1: none
    // The text that filters search: the run's searchTextOf().
    const std::string& searchText(int row) const
    {
        return m_rows[static_cast<std::size_t>(row)].searchText;
    }

    int rowCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }
    QVariant data(const QModelIndex& index, int role) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

private:
    QVariant statusColour(RunStatus status) const;

    struct Row {
        explicit Row(const RunSummary& summary);
        const RunSummary* run; // points into m_runs
        std::string searchText;
    };
    bool update();
    void removeMissing(const std::set<std::string_view>& ids);
    void insert(int first, int count);

    const std::vector<RunColumn> m_columns;
    RunList m_runs;
    std::vector<Row> m_rows;
    Theme m_theme;
};

// The runs accepted by a filter.
class RunFilterProxy final : public RawSortProxy {
    Q_OBJECT

public:
    explicit RunFilterProxy(RunListModel& model, QObject* parent = nullptr);

    void setText(const QString& text); // changes only the text of the filter
    void setFilter(const RunFilter& filter);
    const RunFilter& filter() const { return m_filter; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const final;

private:
    const RunListModel& m_model;
    RunFilter m_filter;
    std::vector<std::string> m_words;
    bool m_onlyText = true;
    std::int64_t m_nowMs = 0; // time when the filter was set
};

} // namespace ep::ui
