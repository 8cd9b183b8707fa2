// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/repeat_table.h"

#include "text.h"

#include "ep/core/utf8.h"
#include "ep/energy/comparison.h"
#include "ep/ui/rich_text.h"

#include <QHeaderView>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kPromptBytes = 80;

QString joulesText(double joules)
{
    return energyText(Millijoules{joules * 1e3});
}

QString rateText(double rate)
{
    return numberText(rate);
}

} // namespace

RepeatTable::RepeatTable(QWidget* parent)
    : QTableWidget(0, Rate + 1, parent)
{
    setObjectName(u"historyRepeats"_s);
    setAccessibleName(tr("Experiments with their repeats folded"));
    setHorizontalHeaderLabels({tr("Experiment"), tr("Model"), tr("Settings"), tr("Prompt"),
                               tr("Runs"), tr("Energy (mean, 95 %)"), tr("J/token (mean, 95 %)"),
                               tr("Tokens/s (mean, 95 %)")});
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(Prompt, QHeaderView::Stretch);
    connect(this, &QTableWidget::itemSelectionChanged, this, &RepeatTable::selectionChangedTo);
    connect(this, &QTableWidget::itemActivated, this, &RepeatTable::groupOpened);
}

void RepeatTable::setRuns(const std::vector<const RunSummary*>& runs, const QStringList& selected)
{
    const std::vector<RepeatedRuns> groups = foldRepeats(runs);
    {
        const QSignalBlocker quiet(this);
        clearSelection();
        fill(groups);
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
    // What is acted on is what is highlighted, also when a row has got further runs.
    selectionChangedTo();
}

void RepeatTable::fill(const std::vector<RepeatedRuns>& groups)
{
    std::vector<const RunInfo*> firsts;
    for (const RepeatedRuns& group : groups)
        firsts.push_back(&group.runs.front()->info);
    // Those that have columns of their own.
    constexpr std::array<std::string_view, 3> kShownElsewhere{"experiment", "model", "prompt"};
    const std::vector<std::string> settings = energy::differingSettings(firsts, kShownElsewhere);
    m_ids.clear();
    setRowCount(static_cast<int>(groups.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const RepeatedRuns& group = groups[static_cast<std::size_t>(row)];
        QStringList ids;
        for (const RunSummary* run : group.runs)
            ids << toQString(run->info.id);
        m_ids.push_back(ids);
        const RunInfo& first = group.runs.front()->info;
        const auto put = [&](Column column, const QString& text, bool number = false) {
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(richText(text));
            if (number)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            setItem(row, column, item);
        };
        put(Experiment, first.experiment.empty() ? missingText() : toQString(first.experiment));
        put(Model, toQString(first.model.name));
        put(Varies, toQString(settings[static_cast<std::size_t>(row)]));
        put(Prompt, toQString(previewUtf8(first.prompt, kPromptBytes)).simplified());
        put(Runs, QString::number(group.runs.size()), true);
        put(Energy, meanText(group.energy, &joulesText), true);
        put(PerToken, meanText(group.perToken, &joulesText), true);
        put(Rate, meanText(group.rate, &rateText), true);
    }
    setColumnHidden(Varies, std::ranges::all_of(settings, &std::string::empty));
}

void RepeatTable::selectionChangedTo()
{
    QStringList ids;
    for (const QModelIndex& row : selectionModel()->selectedRows())
        ids << m_ids[static_cast<std::size_t>(row.row())];
    Q_EMIT groupsSelected(ids);
}

} // namespace ep::ui
