// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/repeat_table.h"

#include "models/run_groups.h"
#include "text.h"

#include "ep/core/utf8.h"
#include "ep/ui/rich_text.h"

#include <QHeaderView>

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
    setHorizontalHeaderLabels({tr("Experiment"), tr("Model"), tr("Prompt"), tr("Runs"),
                               tr("Energy (mean, 95 %)"), tr("J/token (mean, 95 %)"),
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

void RepeatTable::setRuns(const std::vector<const RunSummary*>& runs)
{
    const QSignalBlocker quiet(this);
    const std::vector<RepeatedRuns> groups = foldRepeats(runs);
    clearSelection();
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
        put(Prompt, toQString(previewUtf8(first.prompt, kPromptBytes)).simplified());
        put(Runs, QString::number(group.runs.size()), true);
        put(Energy, meanText(group.energy, &joulesText), true);
        put(PerToken, meanText(group.perToken, &joulesText), true);
        put(Rate, meanText(group.rate, &rateText), true);
    }
}

void RepeatTable::selectionChangedTo()
{
    QStringList ids;
    for (const QModelIndex& row : selectionModel()->selectedRows())
        ids << m_ids[static_cast<std::size_t>(row.row())];
    Q_EMIT groupsSelected(ids);
}

} // namespace ep::ui
