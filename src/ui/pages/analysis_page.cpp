// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/analysis_page.h"

#include "pages/run_charts.h"
#include "pages/run_view.h"
#include "text.h"
#include "theme/design.h"
#include "widgets/aggregate_selector.h"
#include "widgets/elided_label.h"
#include "widgets/empty_state.h"
#include "widgets/message_bar.h"

#include "ep/energy/comparison.h"
#include "ep/ui/rich_text.h"

#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

AnalysisPage::AnalysisPage(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_message(new MessageBar(this))
    , m_view(new RunView(this))
    , m_edit(iconButton(u"editNotes"_s, "edit"_L1,
                        tr("Edit the title, experiment, tags and notes of this run (M)"), m_view))
    , m_notes(new ElidedLabel(this))
{
    setObjectName(u"analysisPage"_s);
    m_message->setObjectName(u"analysisMessage"_s);
    QPushButton* history = m_empty->addButton(tr("Open a Run in History"));
    history->setObjectName(u"emptyHistoryButton"_s);
    QPushButton* live = m_empty->addButton(tr("Make a Run in Live"));
    live->setObjectName(u"emptyLiveButton"_s);
    connect(history, &QPushButton::clicked, this, &AnalysisPage::historyRequested);
    connect(live, &QPushButton::clicked, this, &AnalysisPage::liveRequested);

    m_notes->setObjectName(u"runNotes"_s);
    m_notes->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_view->addToTitle(m_edit);
    connect(m_edit, &QToolButton::clicked, this, &AnalysisPage::editRequested);

    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    auto* layout = new QVBoxLayout(this);
    m_message->floatOverParent();
    layout->addWidget(m_notes);
    layout->addWidget(m_stack, 1);
    connect(m_view, &RunView::tariffEdited, this, &AnalysisPage::tariffEdited);
    connect(m_view, &RunView::limitsRequested, this, &AnalysisPage::limitsRequested);
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

void AnalysisPage::showLoading(const QString& what)
{
    m_message->showMessage(MessageBar::Kind::Notice, what);
}

void AnalysisPage::showRun(RunPtr run, const TotalsPtr& totals)
{
    m_run = std::move(run);
    m_message->clear();
    m_view->setRun(m_run, totals);
    if (m_run) {
        m_stack->setCurrentWidget(m_view);
    } else {
        m_empty->setText(tr("No run is open"), tr("Open a run in History, or make one in Live."));
        m_stack->setCurrentWidget(m_empty);
    }
    showNotes();
    findRepeats();
    Q_EMIT runChanged();
    if (m_run)
        Q_EMIT explanationWanted(toQString(m_run->info.id));
    if (m_view->charts().wantsBreakdown())
        Q_EMIT breakdownWanted(toQString(m_run->info.id));
}

void AnalysisPage::setStored(const RunList& runs)
{
    const bool before = stored() != nullptr;
    m_runs = runs;
    if (before && stored() == nullptr) {
        showRun(nullptr);
        m_message->showMessage(MessageBar::Kind::Notice,
                               tr("The open run was deleted by another program."));
        return;
    }
    showNotes();
    findRepeats();
    Q_EMIT runChanged();
}

void AnalysisPage::showRepeats()
{
    m_view->aggregates().showRepeats();
}

// Stored runs that repeat the one shown, which comes first.
void AnalysisPage::findRepeats()
{
    QStringList ids;
    const RunInfo* own = stored();
    if (own && own->status == RunStatus::Complete) {
        const std::string key = energy::repeatKey(*own);
        ids << toQString(own->id);
        for (const RunSummary& run : *m_runs) {
            // The key is long: first what differs most often.
            const RunInfo& info = run.info;
            if (info.id != own->id && info.status == RunStatus::Complete
                && info.model.name == own->model.name && info.prompt == own->prompt
                && info.depth == own->depth && energy::repeatKey(info) == key)
                ids << toQString(info.id);
        }
    }
    m_view->aggregates().setRepeats(ids);
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
    m_edit->setVisible(info != nullptr);
    m_notes->setVisible(false);
    if (!info)
        return;
    QStringList parts;
    if (!info->title.empty())
        parts << toQString(info->title);
    if (const QString tags = shownTagsText(info->tags); !tags.isEmpty())
        parts << tr("Tags: %1").arg(tags);
    if (!info->notes.empty())
        parts << toQString(info->notes).simplified();
    m_notes->setText(parts.join(u" · "_s));
    m_notes->setVisible(!parts.isEmpty());
    m_notes->setToolTip(richText(info->notes));
}

void AnalysisPage::setBreakdown(const QString& id, const BreakdownPtr& breakdown)
{
    if (m_run && id == toQString(m_run->info.id))
        m_view->setBreakdown(breakdown);
}

void AnalysisPage::setExplanation(const QString& id, const ExplanationPtr& explanation)
{
    if (m_run && id == toQString(m_run->info.id))
        m_view->setExplanation(explanation);
}

SelectionController& AnalysisPage::controller()
{
    return m_view->controller();
}

StepCache& AnalysisPage::steps()
{
    return m_view->steps();
}

void AnalysisPage::focusSearch()
{
    m_view->focusSearch();
}

void AnalysisPage::setTariff(const energy::Tariff& tariff)
{
    m_view->setTariff(tariff);
}

void AnalysisPage::showProblem(const QString& problem)
{
    m_view->steps().giveUp(); // the failure may concern them
    m_message->showMessage(MessageBar::Kind::Error, problem);
}

} // namespace ep::ui
