// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/run_sidebar.h"

#include "text.h"
#include "theme/design.h"

#include "ep/core/run_filter.h"
#include "ep/core/run_title.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/utf8.h"
#include "ep/ui/rich_text.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kRunTitleBytes = 48;
constexpr int kIdRole = Qt::UserRole; // id of a run; empty for a group

QString groupTitle(const RunInfo& info)
{
    const QString model =
        info.model.name.empty() ? RunSidebar::tr("Without a model") : toQString(info.model.name);
    return info.experiment.empty() ? model : model + u" · "_s + toQString(info.experiment);
}

// The time for today's runs, the date for older ones.
QString shortDate(std::int64_t wallClockMs)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(wallClockMs);
    const bool today = time.date() == QDate::currentDate();
    return today ? QLocale().toString(time.time(), u"HH:mm"_s)
                 : QLocale().toString(
                     time.date(), RunSidebar::tr("d MMM", "the date of a run, without its year"));
}

// Settings in which runs of one group may differ, since their prompts are often the same.
struct RunSettings {
    QSet<QString> formats;
    QSet<int> batches;

    void add(const RunInfo& info)
    {
        formats.insert(toQString(info.dtype));
        batches.insert(batchSize(info));
    }
    // The date of the run and the settings that differ within the group: "18:05 · int8 · batch 3".
    QString textOf(const RunInfo& info) const
    {
        QStringList words{shortDate(info.created_at_ms)};
        if (formats.size() > 1 && !info.dtype.empty())
            words << toQString(info.dtype);
        if (batches.size() > 1)
            words << RunSidebar::tr("batch %1").arg(batchSize(info));
        return words.join(u" · "_s);
    }
};

} // namespace

RunSidebar::RunSidebar(QWidget* parent)
    : DrawnWhenSeen(parent)
    , m_search(new QLineEdit(this))
    , m_none(new QLabel(tr("No run matches"), this))
    , m_list(new QTreeWidget(this))
    , m_compare(new QPushButton(tr("Compare Selected"), this))
{
    setObjectName(u"runSidebar"_s);
    m_search->setObjectName(u"runSidebarSearch"_s);
    m_search->setPlaceholderText(tr("Search runs"));
    m_search->setAccessibleName(tr("Search runs"));
    m_search->setClearButtonEnabled(true);
    connect(m_search, &QLineEdit::textChanged, this, &RunSidebar::draw);
    m_none->setAlignment(Qt::AlignCenter);
    setMuted(*m_none);
    m_none->hide();
    m_list->setObjectName(u"runSidebarList"_s);
    m_list->setAccessibleName(tr("Stored runs"));
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setUniformRowHeights(false); // a run has two lines, a group one
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setTabKeyNavigation(false);
    m_list->setIndentation(kGrid + kHalfGrid);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setMinimumSectionSize(0);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_compare->setObjectName(u"runSidebarCompare"_s);
    m_compare->setToolTip(tr("Select several runs with Ctrl or Shift"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, kGrid, 0);
    column->setSpacing(kHalfGrid);
    column->addWidget(m_search);
    column->addWidget(m_none, 1);
    column->addWidget(m_list, 1);
    column->addWidget(m_compare);

    const auto open = [this](const QTreeWidgetItem* item) {
        const QString id = item->data(0, kIdRole).toString();
        if (!id.isEmpty() && id != m_current && chosen().size() == 1)
            Q_EMIT openRequested(id);
    };
    connect(m_list, &QTreeWidget::itemClicked, this, open);
    connect(m_list, &QTreeWidget::itemActivated, this, open);
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, &RunSidebar::choiceChanged);
    connect(m_list, &QTreeWidget::itemCollapsed, this,
            [this](const QTreeWidgetItem* group) { m_folded.insert(group->text(0)); });
    connect(m_list, &QTreeWidget::itemExpanded, this,
            [this](const QTreeWidgetItem* group) { m_folded.remove(group->text(0)); });
    connect(m_compare, &QPushButton::clicked, this, [this] { Q_EMIT compareRequested(chosen()); });
    choiceChanged();
}

void RunSidebar::draw()
{
    const QSignalBlocker quiet(m_list);
    const QStringList selected = chosen();
    m_list->clear();
    m_items.clear();
    m_order.clear();
    const std::vector<std::string> words = searchWords(m_search->text().toStdString());
    QHash<QString, QTreeWidgetItem*> groups;
    QHash<QString, RunSettings> settings; // by group
    for (const RunSummary& run : m_runs ? *m_runs : std::vector<RunSummary>())
        settings[groupTitle(run.info)].add(run.info);
    for (const RunSummary& run : m_runs ? *m_runs : std::vector<RunSummary>()) {
        const RunInfo& info = run.info;
        if (!words.empty() && !containsAll(searchTextOf(info), words))
            continue;
        const QString title = groupTitle(info);
        QTreeWidgetItem*& group = groups[title];
        if (!group) {
            group = new QTreeWidgetItem(m_list, {title});
            group->setFlags(Qt::ItemIsEnabled);
            group->setFirstColumnSpanned(true);
            group->setToolTip(0, richText(title));
        }
        const QString id = toQString(info.id);
        auto* item =
            new QTreeWidgetItem(group,
                                {toQString(previewUtf8(runTitle(info), kRunTitleBytes)).simplified()
                                     + u'\n' + settings[title].textOf(info),
                                 energyText(run) + u"\n "_s});
        item->setData(0, kIdRole, id);
        item->setSizeHint(0, {0, 2 * m_list->fontMetrics().lineSpacing() + kGrid});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter); // beside the first line
        item->setToolTip(0, richText(runLineText(info, run.metrics.energy.provenance)));
        item->setSelected(selected.contains(id));
        m_items.insert(id, item);
    }
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        QTreeWidgetItem* group = m_list->topLevelItem(row);
        group->setText(1, QString::number(group->childCount()));
        group->setExpanded(!m_folded.contains(group->text(0)));
        for (int child = 0; child < group->childCount(); ++child)
            m_order << group->child(child)->data(0, kIdRole).toString();
    }
    m_none->setVisible(m_order.isEmpty());
    m_list->setVisible(!m_order.isEmpty());
    markCurrent();
    Q_EMIT listed();
}

void RunSidebar::setCurrent(const QString& id)
{
    if (std::exchange(m_current, id) == id)
        return;
    const QSignalBlocker quiet(m_list);
    m_list->clearSelection();
    markCurrent();
    Q_EMIT listed();
}

void RunSidebar::markCurrent()
{
    if (QTreeWidgetItem* item = m_items.value(m_current)) {
        const QSignalBlocker quiet(m_list);
        item->parent()->setExpanded(true);
        m_list->setCurrentItem(item, 0, QItemSelectionModel::Select | QItemSelectionModel::Rows);
        m_list->scrollToItem(item);
    }
    choiceChanged();
}

QString RunSidebar::neighbour(int step) const
{
    const auto at = m_order.indexOf(m_current);
    if (at < 0) // the search does not match the current run
        return step > 0 && !m_order.isEmpty() ? m_order.first() : QString();
    return m_order.value(at + step);
}

QStringList RunSidebar::chosen() const
{
    QStringList ids;
    for (const QTreeWidgetItem* item : m_list->selectedItems())
        ids << item->data(0, kIdRole).toString();
    return ids;
}

void RunSidebar::choiceChanged()
{
    m_compare->setVisible(chosen().size() > 1);
}

} // namespace ep::ui
