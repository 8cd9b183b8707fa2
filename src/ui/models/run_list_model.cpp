// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/models/run_list_model.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ep::ui {

namespace {

constexpr QStringView kStatusColumn(u"status");

QVariant alignmentOf(const RunColumn& column)
{
    return QVariant::fromValue(
        Qt::Alignment(Qt::AlignVCenter | (column.numeric ? Qt::AlignRight : Qt::AlignLeft)));
}

} // namespace

RunListModel::RunListModel(QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(runColumns())
    , m_theme(Theme::light())
{
}

RunListModel::Row::Row(const RunSummary& summary)
    : run(&summary)
    , searchText(searchTextOf(summary.info))
{
}

void RunListModel::setRuns(RunList runs)
{
    const RunList before = std::exchange(m_runs, std::move(runs)); // rows still point into it
    if (!m_rows.empty() && m_runs && update())
        return;
    beginResetModel();
    m_rows.clear();
    if (m_runs) {
        m_rows.reserve(m_runs->size());
        for (const RunSummary& run : *m_runs)
            m_rows.emplace_back(run);
    }
    endResetModel();
}

// Updates row by row, so that selection and scroll position are kept. False: too many changes.
bool RunListModel::update()
{
    constexpr int kMaxChanges = 64; // each change moves all rows after it
    std::set<std::string_view> present;
    for (const Row& row : m_rows)
        present.insert(row.run->info.id);
    std::set<std::string_view> wanted;
    int changes = 0;
    bool inserting = false;
    for (const RunSummary& run : *m_runs) {
        const bool fresh = !present.contains(run.info.id);
        changes += fresh && !inserting ? 1 : 0;
        inserting = fresh;
        wanted.insert(run.info.id);
    }
    std::vector<std::string_view> stay;
    for (const Row& row : m_rows) {
        if (wanted.contains(row.run->info.id))
            stay.push_back(row.run->info.id);
        else
            ++changes;
    }
    auto next = stay.begin();
    for (const RunSummary& run : *m_runs)
        next += next != stay.end() && *next == run.info.id ? 1 : 0;
    if (next != stay.end() || changes > kMaxChanges) // or their order differs
        return false;

    removeMissing(wanted);
    for (int row = 0; row < static_cast<int>(m_runs->size()); ++row) {
        const auto at = static_cast<std::size_t>(row);
        int fresh = 0;
        while (at + static_cast<std::size_t>(fresh) < m_runs->size()
               && (at == m_rows.size()
                   || (*m_runs)[at + static_cast<std::size_t>(fresh)].info.id
                       != m_rows[at].run->info.id))
            ++fresh;
        if (fresh > 0) {
            insert(row, fresh);
            row += fresh - 1;
            continue;
        }
        if (*m_rows[at].run == (*m_runs)[at]) {
            m_rows[at].run = &(*m_runs)[at];
        } else {
            m_rows[at] = Row((*m_runs)[at]);
            Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
        }
    }
    return true;
}

void RunListModel::removeMissing(const std::set<std::string_view>& ids)
{
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (ids.contains(run(row).info.id))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
}

void RunListModel::insert(int first, int count)
{
    std::vector<Row> rows;
    for (int row = first; row < first + count; ++row)
        rows.emplace_back((*m_runs)[static_cast<std::size_t>(row)]);
    beginInsertRows({}, first, first + count - 1);
    m_rows.insert(m_rows.begin() + first, std::make_move_iterator(rows.begin()),
                  std::make_move_iterator(rows.end()));
    endInsertRows();
}

void RunListModel::setTheme(const Theme& theme)
{
    m_theme = theme;
    const int status = columnOf(kStatusColumn);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, status), index(rowCount() - 1, status), {Qt::ForegroundRole});
}

std::optional<int> RunListModel::rowOf(const std::string& id) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (run(row).info.id == id)
            return row;
    }
    return std::nullopt;
}

int RunListModel::columnOf(QStringView id) const
{
    const auto found = std::find_if(m_columns.begin(), m_columns.end(),
                                    [id](const RunColumn& column) { return column.id == id; });
    return found == m_columns.end() ? -1 : static_cast<int>(found - m_columns.begin());
}

QVariant RunListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RunSummary& run = this->run(index.row());
    const RunColumn& column = m_columns[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return column.text(run);
    case kRawRole:
        return column.key(run);
    case Qt::ToolTipRole:
        return column.toolTip ? column.toolTip(run) : QString();
    case Qt::ForegroundRole:
        return column.id == kStatusColumn ? statusColour(run.info.status) : QVariant();
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    default:
        return {};
    }
}

QVariant RunListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const RunColumn& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(column);
    return role == Qt::DisplayRole ? column.title : QVariant();
}

QVariant RunListModel::statusColour(RunStatus status) const
{
    switch (status) {
    case RunStatus::Failed:
        return m_theme.error;
    case RunStatus::Cancelled:
    case RunStatus::Interrupted:
        return m_theme.warning;
    case RunStatus::Running:
        return m_theme.success;
    case RunStatus::Complete:
        break;
    }
    return {};
}

RunFilterProxy::RunFilterProxy(RunListModel& model, QObject* parent)
    : RawSortProxy(parent)
    , m_model(model)
{
    setSourceModel(&model);
}

void RunFilterProxy::setText(const QString& text)
{
    RunFilter filter = m_filter;
    filter.text = text.toStdString();
    setFilter(filter);
}

void RunFilterProxy::setFilter(const RunFilter& filter)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 10, 0)
    beginFilterChange(); // replaces invalidateFilter(), which is deprecated since 6.13
#endif
    m_filter = filter;
    m_words = searchWords(filter.text);
    m_onlyText = filter.onlyText();
    m_nowMs = wallClockMs();
#if QT_VERSION >= QT_VERSION_CHECK(6, 10, 0)
    endFilterChange(Direction::Rows);
#else
    invalidateFilter();
#endif
}

bool RunFilterProxy::filterAcceptsRow(int row, const QModelIndex&) const
{
    return (m_onlyText || m_filter.acceptsRecord(m_model.run(row), m_nowMs))
        && containsAll(m_model.searchText(row), m_words);
}

} // namespace ep::ui
