// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/analysis_page.h"

#include "models/run_notes.h"
#include "pages/run_header.h"
#include "pages/run_sidebar.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/aggregate_selector.h"
#include "widgets/assembly.h"
#include "widgets/elided_label.h"
#include "widgets/empty_state.h"
#include "widgets/message_bar.h"

#include "ep/core/run_title.h"
#include "ep/core/utf8.h"
#include "ep/energy/comparison.h"
#include "ep/ui/rich_text.h"

#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kSidebarWidth = 24 * kGrid;
constexpr int kRoomForSidebar = 1000; // pixels; narrower charts need the room of the list
constexpr int kRoomForTools = 900;
constexpr int kMinContent = 640;
constexpr int kComparable = 8; // runs in the menu of Compare
constexpr std::size_t kComparableBytes = 40;

QMenu* menuOf(QToolButton* button)
{
    auto* menu = new QMenu(button);
    menu->setToolTipsVisible(true);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    return menu;
}

} // namespace

AnalysisPage::AnalysisPage(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_message(named(new MessageBar(this), u"analysisMessage"_s))
    , m_view(new RunView(this))
    , m_sidebar(new RunSidebar(this))
    , m_showRuns(
          iconButton(u"analysisRuns"_s, "history"_L1, tr("Show or fold the list of runs"), m_view))
    , m_again(
          iconButton(u"analysisAgain"_s, "again"_L1, tr("Prepare the same run in Live"), m_view))
    , m_notes(named(new ElidedLabel(this), u"runNotes"_s))
{
    setObjectName(u"analysisPage"_s);
    QPushButton* history =
        named(m_empty->addButton(tr("Open a Run in History")), u"emptyHistoryButton"_s);
    QPushButton* live = named(m_empty->addButton(tr("Make a Run in Live")), u"emptyLiveButton"_s);
    connect(history, &QPushButton::clicked, this, &AnalysisPage::historyRequested);
    connect(live, &QPushButton::clicked, this, &AnalysisPage::liveRequested);

    m_notes->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    buildTools();

    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    auto* content = new QWidget(this);
    flush(inColumn(content, {m_notes, {m_stack, 1}}));
    content->setMinimumWidth(kMinContent); // below this width the title's tools give way
    m_sidebar->setMinimumWidth(kSidebarWidth);
    auto* splitter = named(new QSplitter(Qt::Horizontal, this), u"analysisRunsSplitter"_s);
    addParts(*splitter, {{m_sidebar, 1}, {content, 9}}); // wide windows show longer prompts
    splitter->setSizes({kSidebarWidth, kRoomForSidebar});
    auto* layout = new QVBoxLayout(this);
    m_message->floatOverParent();
    layout->addWidget(splitter, 1);
    connect(m_view, &RunView::tryRequested, this,
            [this](const ExplanationPtr& explanation, int remedy) {
                if (m_run)
                    Q_EMIT tryRequested(m_run, explanation, remedy);
            });
    connect(m_view, &RunView::annotationsEdited, this,
            [this](const std::vector<Annotation>& annotations) {
                if (m_run)
                    Q_EMIT annotationsEdited(toQString(m_run->info.id), annotations);
            });
    showRun(nullptr);
}

// Builds the tools for the run, next to its title.
void AnalysisPage::buildTools()
{
    m_showRuns->setCheckable(true);
    connect(m_showRuns, &QToolButton::clicked, this, [this](bool shown) {
        m_runsWanted = shown;
        showSidebar();
    });
    m_view->header().addBeforeTitle(m_showRuns);
    connect(m_again, &QToolButton::clicked, this, [this] { Q_EMIT againRequested(0.0); });
    connect(m_view, &RunView::baselineRequested, this, [this] {
        constexpr double kBaselineSeconds = 10.0;
        Q_EMIT againRequested(kBaselineSeconds);
    });
    auto* compare =
        iconButton(u"analysisCompare"_s, "compare"_L1, tr("Compare this run with…"), m_view);
    m_compare = menuOf(compare);
    m_compare->setObjectName(u"analysisCompareMenu"_s);
    connect(m_compare, &QMenu::aboutToShow, this, &AnalysisPage::fillCompareMenu);
    auto* save = iconButton(u"analysisExport"_s, "export"_L1,
                            tr("Save a report or export this run"), m_view);
    QMenu* files = menuOf(save);
    const auto add = [&](const QString& id, const QString& text, auto reaction) {
        named(files->addAction(text, this, reaction), id);
    };
    add(u"analysisReport"_s, tr("Save Report…"), [this] { Q_EMIT reportRequested(); });
    files->addSeparator();
    using Format = RunRepository::Format;
    for (const auto& [id, text, format] :
         {std::tuple{u"analysisExportJson"_s, tr("Export as JSON…"), Format::Json},
          std::tuple{u"analysisExportCsv"_s, tr("Export as CSV…"), Format::Csv},
          std::tuple{u"analysisExportTrace"_s, tr("Export as Trace…"), Format::Trace}})
        add(id, text, [this, wanted = format] { Q_EMIT exportRequested(wanted); });
    auto* tools = named(new QWidget(m_view), u"analysisTools"_s);
    auto* row = flush(new QHBoxLayout(tools));
    row->setSpacing(kGrid);
    for (QToolButton* tool : {m_again, compare, save})
        row->addWidget(tool);
    m_view->header().addToTitle(tools);
    connect(m_sidebar, &RunSidebar::openRequested, this, &AnalysisPage::openRequested);
    connect(m_sidebar, &RunSidebar::compareRequested, this, &AnalysisPage::compareRequested);
    connect(m_sidebar, &RunSidebar::listed, this, &AnalysisPage::runChanged);
}

// Lists runs of the same model first, newest first, because there the user changed a setting.
void AnalysisPage::fillCompareMenu()
{
    m_compare->clear();
    const RunInfo* own = stored();
    if (own) {
        for (const RunSummary& run : *m_runs) {
            const RunInfo& info = run.info;
            if (info.id == own->id || info.model.name != own->model.name)
                continue;
            QAction* action = m_compare->addAction(
                dateText(info.created_at_ms) + u"  "_s
                + toQString(previewUtf8(runTitle(info), kComparableBytes)).simplified() + u"  "_s
                + energyPerTokenText(run.metrics.joules_per_token));
            connect(action, &QAction::triggered, this,
                    [this, ids = QStringList{toQString(own->id), toQString(info.id)}] {
                        Q_EMIT compareRequested(ids);
                    });
            if (m_compare->actions().size() == kComparable)
                break;
        }
        m_compare->addSeparator();
    }
    m_compare->addAction(tr("Choose in History…"), this, &AnalysisPage::historyRequested);
}

void AnalysisPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showSidebar();
    // If the tools do not fit, the menus and the list of runs offer the same.
    auto* tools = findChild<QWidget*>(u"analysisTools"_s);
    if (const bool room = width() >= kRoomForTools; tools->isHidden() == room)
        tools->setVisible(room);
}

// A list of a single run would be useless.
void AnalysisPage::showSidebar()
{
    const bool several = m_runs && m_runs->size() > 1;
    const bool shown = several && m_runsWanted.value_or(width() >= kRoomForSidebar);
    m_showRuns->setVisible(several);
    m_showRuns->setChecked(shown);
    if (m_sidebar->isHidden() == shown)
        m_sidebar->setVisible(shown);
}

bool AnalysisPage::canStep(int step) const
{
    return !m_sidebar->neighbour(step).isEmpty();
}

void AnalysisPage::step(int step)
{
    if (const QString id = m_sidebar->neighbour(step); !id.isEmpty())
        Q_EMIT openRequested(id);
}

void AnalysisPage::showNotice(const QString& what)
{
    m_message->showMessage(MessageBar::Kind::Notice, what);
}

void AnalysisPage::showRun(RunPtr run, const TotalsPtr& totals)
{
    m_run = std::move(run);
    m_opensLast = m_opensLast && !m_run;
    m_message->clear();
    m_view->setRun(m_run, totals);
    m_again->setVisible(m_run && canRecordAgain(m_run->info));
    m_sidebar->setCurrent(m_run ? toQString(m_run->info.id) : QString());
    // A hidden view must not make the page taller.
    m_view->setSizePolicy(m_run ? QSizePolicy::Preferred : QSizePolicy::Ignored,
                          m_run ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    if (m_run) {
        m_stack->setCurrentWidget(m_view);
    } else {
        m_empty->setText(tr("No run is open"), tr("Open a run in History, or make one in Live."));
        m_stack->setCurrentWidget(m_empty);
    }
    showNotes();
    findRepeats();
    Q_EMIT runChanged();
    document().wantExplanation();
    document().wantBreakdown();
    document().wantQualities();
}

void AnalysisPage::setStored(const RunList& runs)
{
    const bool before = stored() != nullptr;
    m_runs = runs;
    m_sidebar->setRuns(runs);
    showSidebar();
    if (before && stored() == nullptr) {
        showRun(nullptr);
        m_message->showMessage(MessageBar::Kind::Notice,
                               tr("The open run was deleted by another program."));
        return;
    }
    showNotes();
    findRepeats();
    Q_EMIT runChanged();
    if (isVisible())
        openLast();
}

void AnalysisPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    openLast();
}

// The user continues where they left off.
void AnalysisPage::openLast()
{
    if (!m_opensLast || !m_runs)
        return;
    const auto last = std::ranges::find_if(
        *m_runs, [](const RunSummary& run) { return run.info.status != RunStatus::Running; });
    if (last == m_runs->end())
        return;
    m_opensLast = false;
    Q_EMIT openRequested(toQString(last->info.id));
}

void AnalysisPage::showRepeats()
{
    m_view->aggregates().showRepeats();
}

// Finds the stored runs that repeat the shown run, which comes first.
void AnalysisPage::findRepeats()
{
    QStringList ids;
    int leftOut = 0;
    const RunInfo* own = stored();
    if (own && energy::isSound(*own)) {
        const std::string key = energy::repeatKey(*own);
        ids << toQString(own->id);
        for (const RunSummary& run : *m_runs) {
            // The key is long, so the facts that differ most often are compared first.
            const RunInfo& info = run.info;
            if (info.id == own->id || info.status == RunStatus::Running
                || info.model.name != own->model.name || info.prompt != own->prompt
                || info.depth != own->depth || energy::repeatKey(info) != key)
                continue;
            if (energy::isSound(info))
                ids << toQString(info.id);
            else
                ++leftOut;
        }
    }
    m_view->aggregates().setRepeats(ids, leftOut);
}

const RunInfo* AnalysisPage::stored() const
{
    if (!m_run || !m_runs)
        return nullptr;
    const auto found = std::find_if(m_runs->begin(), m_runs->end(), [this](const RunSummary& run) {
        return run.info.id == m_run->info.id;
    });
    return found != m_runs->end() ? &found->info : nullptr;
}

// Current values from the database, which may have changed since the run was opened.
void AnalysisPage::showNotes()
{
    const RunInfo* info = stored();
    m_view->setStored(info);
    m_notes->setVisible(false);
    if (!info)
        return;
    QStringList parts;
    if (!info->title.empty())
        parts << toQString(info->title);
    if (const QString tags = factText({*info, {}}, "tags"); !tags.isEmpty())
        parts << tr("Tags: %1").arg(tags);
    if (!info->notes.empty())
        parts << notesOf(*info).simplified();
    m_notes->setText(parts.join(u" · "_s));
    m_notes->setVisible(!parts.isEmpty());
    m_notes->setToolTip(richText(notesOf(*info).toStdString()));
}

void AnalysisPage::showProblem(const QString& problem)
{
    document().dropStepRequests(); // the failed request may have been for a step
    m_message->showMessage(MessageBar::Kind::Error, problem);
}

} // namespace ep::ui
