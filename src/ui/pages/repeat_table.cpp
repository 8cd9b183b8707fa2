// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/repeat_table.h"

#include "text.h"
#include "widgets/assembly.h"

#include "ep/core/run_figure.h"
#include "ep/core/utf8.h"
#include "ep/energy/comparison.h"
#include "ep/session/pays_runner.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"

#include <QHeaderView>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kPromptBytes = 80;

QStringList idsOf(const std::vector<const RunSummary*>& runs)
{
    QStringList ids;
    for (const RunSummary* run : runs)
        ids << toQString(run->info.id);
    return ids;
}

} // namespace

QString groupingTitle(const GroupBy& by)
{
    for (const auto& [id, title] :
         {std::pair("model", RepeatTable::tr("Model")),
          std::pair("dtype", RepeatTable::tr("Format")),
          std::pair("device", RepeatTable::tr("Device")),
          std::pair("experiment", RepeatTable::tr("Experiment")),
          std::pair("prompt", RepeatTable::tr("Prompt")),
          std::pair("batch", RepeatTable::tr("Batch")), std::pair("day", RepeatTable::tr("Day"))}) {
        if (by.id == id)
            return title;
    }
    return {};
}

RepeatTable::RepeatTable(QWidget* parent)
    : QTableWidget(0, Rate + 1, parent)
{
    setObjectName(u"historyRepeats"_s);
    setAccessibleName(tr("Experiments with their repeats folded"));
    nameColumns(tr("Experiment"), false);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    prepareTable(*this);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(Prompt, QHeaderView::Stretch);
    connect(this, &QTableWidget::itemSelectionChanged, this, &RepeatTable::selectionChangedTo);
    connect(this, &QTableWidget::itemActivated, this,
            [this](const QTableWidgetItem* item) { toggle(item->row()); });
}

void RepeatTable::nameColumns(const QString& group, bool sums)
{
    const auto named = [&](const QString& figure) {
        return sums ? figure : tr("%1 (mean, 95 %)").arg(figure);
    };
    setHorizontalHeaderLabels(
        {group, tr("Model"), sums ? tr("Energies") : tr("Settings"), tr("Prompt"), tr("Runs"),
         sums ? tr("Energy (sum)") : tr("Energy (mean, 95 %)"), named(energyPerTokenTitle()),
         named(term(heading(RunFigure::JoulesPerTotalToken))),
         named(term(heading(RunFigure::TokensPerSecond)))});
    for (const Column ofRepeats : {Model, Prompt})
        setColumnHidden(ofRepeats, sums);
    setColumnHidden(Varies, false);
    horizontalHeader()->setSectionResizeMode(
        Prompt, sums ? QHeaderView::ResizeToContents : QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(
        Experiment, sums ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
}

void RepeatTable::setRuns(const std::vector<const RunSummary*>& runs, const GroupBy* by,
                          const QStringList& selected)
{
    m_runs = runs;
    m_by = by;
    {
        const QSignalBlocker quiet(this);
        clearSelection();
        clearSpans();
        setRowCount(0);
        m_ids.clear();
        if (by)
            fill(groupRuns(runs, *by), groupingTitle(*by));
        else
            fill(foldRepeats(runs));
    }
    selectRowsOf({selected.begin(), selected.end()});
}

void RepeatTable::selectRowsOf(const QSet<QString>& ids)
{
    QItemSelection rows;
    for (int row = 0; row < rowCount(); ++row) {
        if (std::ranges::any_of(m_ids[static_cast<std::size_t>(row)],
                                [&](const QString& id) { return ids.contains(id); }))
            rows.select(model()->index(row, 0), model()->index(row, 0));
    }
    selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    // Actions apply to the highlighted rows, even if a row now has more runs.
    selectionChangedTo();
}

void RepeatTable::fill(const std::vector<RepeatedRuns>& groups)
{
    std::vector<const RunInfo*> firsts;
    for (const RepeatedRuns& group : groups)
        firsts.push_back(&group.runs.front()->info);
    // Experiment, model and prompt have columns of their own.
    constexpr std::array<std::string_view, 3> kShownElsewhere{"experiment", "model", "prompt"};
    const std::vector<Message> settings = energy::differingSettings(firsts, kShownElsewhere);
    nameColumns(tr("Experiment"), false);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const RepeatedRuns& group = groups[i];
        const int row = rowCount();
        insertRow(row);
        m_ids.push_back(idsOf(group.runs));
        const RunInfo& first = group.runs.front()->info;
        put(row, Experiment,
            group.comparison               ? verdictOf(group.runs)
                : first.experiment.empty() ? missingText()
                                           : toQString(first.experiment));
        if (group.comparison) { // its sides share prompt and nearly all settings
            setSpan(row, Experiment, 1, Prompt - Experiment + 1);
            item(row, Experiment)->setSizeHint(QSize(1, 1)); // other rows set the width
        }
        put(row, Model, toQString(first.model.name));
        put(row, Varies, term(settings[i]));
        put(row, Prompt, toQString(previewUtf8(first.prompt, kPromptBytes)).simplified());
        put(row, Runs, QString::number(group.runs.size()), true);
        if (!group.comparison) { // a mean over both sides would fit neither
            put(row, Energy, term(cellText(RunFigure::Energy, group.energy)), true);
            put(row, PerToken, term(cellText(RunFigure::JoulesPerToken, group.perToken)), true);
            put(row, PerTotalToken,
                term(cellText(RunFigure::JoulesPerTotalToken, group.perTotalToken)), true);
            put(row, Rate, term(cellText(RunFigure::TokensPerSecond, group.rate)), true);
        }
        putRuns(group.runs, false);
    }
    setColumnHidden(Varies, m_unfolded.isEmpty() && std::ranges::all_of(settings, &Message::empty));
}

void RepeatTable::fill(const std::vector<ListGroup>& groups, const QString& heading)
{
    nameColumns(heading, true);
    for (const ListGroup& group : groups) {
        const int row = rowCount();
        insertRow(row);
        m_ids.push_back(idsOf(group.runs));
        put(row, Experiment, group.name.isEmpty() ? missingText() : group.name);
        put(row, Varies, group.origin.empty() ? missingText() : term(group.origin));
        put(row, Runs, QString::number(group.runs.size()), true);
        put(row, Energy, toQString(formatEnergy(group.total.energy)), true);
        put(row, PerToken, energyPerTokenText(group.total.per_output), true);
        put(row, PerTotalToken, energyPerTokenText(group.total.per_total), true);
        put(row, Rate, numberText(group.rate), true);
        putRuns(group.runs, true);
    }
}

// Returns the sentence that Live and Compare show for these runs.
QString RepeatTable::verdictOf(const std::vector<const RunSummary*>& runs)
{
    KnownVerdict& known = m_verdicts[runs.front()->info.experiment];
    const auto complete = std::ranges::count_if(
        runs, [](const RunSummary* run) { return run->info.status == RunStatus::Complete; });
    if (known.runs == complete && !known.text.isEmpty())
        return known.text;
    std::vector<RunSummary> copies;
    for (const RunSummary* run : runs)
        copies.push_back(*run);
    const session::StoredPairs pairs = session::pairsOf(copies);
    session::PaysDecision decision = session::decide(pairs.table, {}, pairs.until_known);
    if (!pairs.a.empty() && !pairs.b.empty()) {
        decision.a = pairs.a;
        decision.b = pairs.b;
    }
    known = {complete, term(session::verdictSentence(decision))};
    return known.text;
}

// Adds the runs below their group's row, if it is unfolded.
void RepeatTable::putRuns(const std::vector<const RunSummary*>& runs, bool sums)
{
    if (runs.size() < 2 || !m_unfolded.contains(toQString(runs.back()->info.id)))
        return;
    for (const RunSummary* run : runs) {
        const int row = rowCount();
        insertRow(row);
        m_ids.push_back({toQString(run->info.id)});
        put(row, Experiment, u"    "_s + dateText(run->info.created_at_ms));
        put(row, Model, toQString(run->info.model.name));
        put(row, Varies, sums ? QString() : toQString(run->info.dtype));
        put(row, Prompt, toQString(previewUtf8(run->info.prompt, kPromptBytes)).simplified());
        const RunMetrics& metrics = run->metrics;
        put(row, Runs, QString(), true);
        put(row, Energy, energyText(*run), true);
        put(row, PerToken, energyPerTokenText(metrics.joules_per_token), true);
        const auto total = valueOf(RunFigure::JoulesPerTotalToken, *run);
        put(row, PerTotalToken, energyPerTokenText(total), true);
        put(row, Rate, numberText(metrics.tokens_per_second), true);
    }
}

// A group lists its runs or folds them again; a single run is opened.
void RepeatTable::toggle(int row)
{
    const QStringList ids = m_ids[static_cast<std::size_t>(row)];
    if (ids.size() == 1)
        return Q_EMIT runOpened(ids.front());
    if (!m_unfolded.remove(ids.back()))
        m_unfolded.insert(ids.back());
    setRuns(std::vector(m_runs), m_by, ids);
}

void RepeatTable::put(int row, Column column, const QString& text, bool number)
{
    auto* item = new QTableWidgetItem(text);
    item->setToolTip(richText(text));
    if (number)
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setItem(row, column, item);
}

void RepeatTable::selectionChangedTo()
{
    QStringList ids;
    for (const QModelIndex& row : selectionModel()->selectedRows())
        ids << m_ids[static_cast<std::size_t>(row.row())];
    Q_EMIT groupsSelected(ids);
}

} // namespace ep::ui
