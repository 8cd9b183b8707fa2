// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/models/run_list_model.h"

#include "text.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/utf8.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kListedPromptCharacters = 80;

QString tagsText(const RunInfo& info)
{
    QStringList tags;
    for (const std::string& tag : info.tags)
        tags << toQString(tag);
    return tags.join(", "_L1);
}

QString searchTextOf(const RunInfo& info)
{
    QStringList parts{toQString(info.title),      toQString(info.notes),
                      toQString(info.prompt),     toQString(info.response),
                      toQString(info.model.name), toQString(info.model.architecture),
                      statusText(info.status),    toQString(info.device),
                      toQString(info.dtype),      sourceText(info.power.source),
                      toQString(info.experiment), tagsText(info)};
    return parts.join(u'\n').toLower();
}

template <typename T>
QVariant valueOf(const std::optional<T>& value)
{
    return value ? QVariant(*value) : QVariant();
}

bool isNumeric(int column)
{
    switch (column) {
    case RunListModel::TokensIn:
    case RunListModel::TokensOut:
    case RunListModel::Duration:
    case RunListModel::Energy:
    case RunListModel::EnergyPerToken:
    case RunListModel::TokensPerSecond:
    case RunListModel::EnergyDelay:
        return true;
    default:
        return false;
    }
}

} // namespace

RunListModel::RunListModel(QObject* parent)
    : QAbstractTableModel(parent)
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

// Row by row, so that selection and scroll position stay. False: too much is different.
bool RunListModel::update()
{
    constexpr int kMostChanges = 64; // each of them moves all rows behind it
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
    if (next != stay.end() || changes > kMostChanges) // or in another order
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
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
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
    if (rowCount() > 0) {
        Q_EMIT dataChanged(index(0, State), index(rowCount() - 1, State), {Qt::ForegroundRole});
    }
}

const RunSummary& RunListModel::run(int row) const
{
    return *m_rows[static_cast<std::size_t>(row)].run;
}

std::optional<int> RunListModel::rowOf(const std::string& id) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (run(row).info.id == id)
            return row;
    }
    return std::nullopt;
}

int RunListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RunSummary& run = this->run(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return display(run, index.column());
    case kRawRole:
        return raw(run, index.column());
    case Qt::ToolTipRole:
        return toolTip(run, index.column());
    case Qt::ForegroundRole:
        return colour(run, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(
            Qt::AlignVCenter | (isNumeric(index.column()) ? Qt::AlignRight : Qt::AlignLeft)));
    default:
        return {};
    }
}

QVariant RunListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(
            Qt::AlignVCenter | (isNumeric(section) ? Qt::AlignRight : Qt::AlignLeft)));
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Date:
        return tr("Date");
    case Model:
        return tr("Model");
    case Prompt:
        return tr("Prompt");
    case State:
        return tr("Status");
    case TokensIn:
        return tr("In");
    case TokensOut:
        return tr("Out");
    case Duration:
        return tr("Duration");
    case Energy:
        return tr("Energy");
    case EnergyPerToken:
        return energyPerTokenTitle();
    case TokensPerSecond:
        return tr("Tokens/s");
    case Device:
        return tr("Device");
    case Source:
        return tr("Power source");
    case Tags:
        return tr("Tags");
    case Experiment:
        return tr("Experiment");
    case NumberFormat:
        return tr("Format");
    case ProfilingDepth:
        return tr("Depth");
    case EnergyDelay:
        return tr("EDP");
    case Quality:
        return tr("Quality");
    default:
        return {};
    }
}

QString RunListModel::display(const RunSummary& run, int column) const
{
    const RunInfo& info = run.info;
    const RunMetrics& metrics = run.metrics;
    switch (column) {
    case Date:
        return dateText(info.created_at_ms);
    case Model:
        return toQString(info.model.name);
    case Prompt:
        return toQString(
            previewUtf8(info.title.empty() ? info.prompt : info.title, kListedPromptCharacters));
    case State:
        return statusText(info.status);
    case TokensIn:
        return QString::number(info.input_tokens);
    case TokensOut:
        return QString::number(info.output_tokens);
    case Duration:
        return metrics.duration_ns > 0 ? durationText(metrics.duration_ns) : missingText();
    case Energy:
        return energyText(metrics.energy.total_mj);
    case EnergyPerToken:
        return energyPerTokenText(metrics.joules_per_token);
    case TokensPerSecond:
        return numberText(metrics.tokens_per_second);
    case Device:
        return toQString(info.device);
    case NumberFormat:
        return toQString(info.dtype);
    case Experiment:
        return toQString(info.experiment);
    case ProfilingDepth:
        return toQString(name(info.depth));
    case Source:
        return sourceText(info.power.source);
    case EnergyDelay:
        return metrics.edp_joule_seconds
            ? toQString(formatSignificant(*metrics.edp_joule_seconds)) + u" J·s"_s
            : missingText();
    case Quality:
        return info.power.quality ? toQString(name(info.power.quality->verdict)) : missingText();
    case Tags:
        return tagsText(info);
    default:
        return {};
    }
}

QVariant RunListModel::raw(const RunSummary& run, int column)
{
    const RunInfo& info = run.info;
    const RunMetrics& metrics = run.metrics;
    switch (column) {
    case Date:
        return QVariant::fromValue<qlonglong>(info.created_at_ms);
    case Model:
        return toQString(info.model.name);
    case Prompt:
        return toQString(info.title.empty() ? info.prompt : info.title);
    case State:
        return statusText(info.status);
    case TokensIn:
        return info.input_tokens;
    case TokensOut:
        return info.output_tokens;
    case Duration:
        return metrics.duration_ns > 0 ? QVariant::fromValue<qlonglong>(metrics.duration_ns)
                                       : QVariant();
    case Energy:
        return metrics.energy.total_mj ? QVariant(metrics.energy.total_mj->value) : QVariant();
    case EnergyPerToken:
        return valueOf(metrics.joules_per_token);
    case TokensPerSecond:
        return valueOf(metrics.tokens_per_second);
    case Device:
        return toQString(info.device);
    case NumberFormat:
        return toQString(info.dtype);
    case Experiment:
        return toQString(info.experiment);
    case ProfilingDepth:
        return toQString(name(info.depth));
    case Source:
        return toQString(info.power.source);
    case EnergyDelay:
        return valueOf(metrics.edp_joule_seconds);
    case Quality:
        return info.power.quality ? QVariant(static_cast<int>(info.power.quality->verdict))
                                  : QVariant();
    case Tags:
        return tagsText(info);
    default:
        return {};
    }
}

QString RunListModel::toolTip(const RunSummary& run, int column) const
{
    switch (column) {
    case Prompt:
        return toQString(previewUtf8(run.info.prompt, 600)).toHtmlEscaped()
            + (run.info.notes.empty() ? QString() : u"<hr>"_s)
            + toQString(previewUtf8(run.info.notes, 600)).toHtmlEscaped();
    case State:
        return toQString(run.info.status_message).toHtmlEscaped();
    case Energy:
    case EnergyPerToken: {
        const Provenance provenance = run.metrics.energy.provenance;
        return provenanceLabel(provenance) + u": "_s + provenanceExplanation(provenance);
    }
    case Source:
        return toQString(run.info.power.detail).toHtmlEscaped();
    case Quality: {
        QStringList reasons;
        if (run.info.power.quality) {
            for (const std::string& reason : run.info.power.quality->reasons)
                reasons << toQString(reason).toHtmlEscaped();
        }
        return reasons.join(u"<br>"_s);
    }
    default:
        return {};
    }
}

QVariant RunListModel::colour(const RunSummary& run, int column) const
{
    if (column != State)
        return {};
    switch (run.info.status) {
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
    RunListFilter filter = m_filter;
    filter.text = text;
    setFilter(filter);
}

void RunFilterProxy::setFilter(const RunListFilter& filter)
{
    m_filter = filter;
    m_words = filter.text.toLower().split(u' ', Qt::SkipEmptyParts);
    m_onlyText = filter.onlyText();
    m_nowMs = wallClockMs();
    invalidateFilter();
}

bool RunFilterProxy::filterAcceptsRow(int row, const QModelIndex&) const
{
    if (!m_onlyText && !m_filter.accepts(m_model.run(row), m_nowMs))
        return false;
    const QString& text = m_model.searchText(row);
    return std::all_of(m_words.begin(), m_words.end(),
                       [&text](const QString& word) { return text.contains(word); });
}

} // namespace ep::ui
