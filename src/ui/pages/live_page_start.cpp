// SPDX-License-Identifier: GPL-3.0-or-later
// Starts and stops runs.
#include "dialogs/compare_dialog.h"
#include "dialogs/record_dialog.h"
#include "pages/comparison_view.h"
#include "pages/live_page.h"
#include "pages/live_view.h"
#include "text.h"
#include "widgets/message_bar.h"

#include "ep/core/clock.h"

#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>
#include <utility>
#include <vector>

namespace ep::ui {

void LivePage::start()
{
    startUntil(m_form->repeats());
}

void LivePage::startUntil(const session::RepeatPlan& plan, const QString& experiment)
{
    if (!canStart())
        return;
    session::RunRequest request = this->request();
    if (!experiment.isEmpty())
        request.experiment = experiment.toStdString();
    request.ignore_memory = std::exchange(m_ignoreMemory, false);
    startRequest(std::move(request), plan);
}

void LivePage::compareWith()
{
    const ModelChoice* model = m_form->models().current();
    if (m_form->state() != RunForm::State::Ready || m_form->busyElsewhere())
        return;
    if (!model && m_form->models().searching()) {
        connect(&m_form->models(), &ModelPicker::changed, this, &LivePage::compareWith,
                Qt::ConnectionType(Qt::SingleShotConnection | Qt::UniqueConnection));
        return;
    }
    if (!model)
        return;
    session::RunRequest run = request();
    if (run.prompt.empty() && run.conversations.empty()) {
        m_form->setPrompt(tr("The old man sat by the sea"));
        run = request();
    }
    if (lacksSensor())
        run.power.kind = "modelled"; // a verdict needs energies
    auto* dialog = new CompareDialog({.run = run,
                                      .models = m_form->models().choices(),
                                      .model = *model,
                                      .commands = m_commands,
                                      .template_used = m_form->usesTemplate()},
                                     this);
    connect(dialog, &QDialog::accepted, this, [this, dialog, run] {
        if (const auto spec = dialog->spec())
            startComparison(*spec, run, dialog->equal());
    });
    dialog->open();
}

void LivePage::startComparison(const session::PaysSpec& spec, const session::RunRequest& run,
                               const QString& equal)
{
    const auto find = [models = m_form->models().choices()](
                          const std::string& wanted) -> Result<std::filesystem::path> {
        const auto named = std::ranges::find(models, toQString(wanted),
                                             [](const auto& each) { return each.name; });
        return named == models.end() ? std::filesystem::path(wanted) : named->folder;
    };
    foldForRun();
    m_course->hide();
    m_analyse->hide();
    showView(*m_comparison);
    m_comparison->start(spec,
                        {.database = run.database,
                         .findModel = find,
                         .server_token = run.server ? run.server->token : std::string(),
                         .store_texts = run.store_texts,
                         .like = run},
                        equal);
}

void LivePage::connectComparison()
{
    connect(m_comparison, &ComparisonView::runningChanged, this, [this](bool running) {
        m_form->setRound(0, 0);
        m_form->setState(running ? RunForm::State::Loading : RunForm::State::Ready);
        if (!running && m_unfoldAtEnd)
            setChoicesShown(true);
        Q_EMIT stateChanged();
    });
    connect(m_comparison, &ComparisonView::progressed, m_form, &RunForm::setProgress);
    connect(m_comparison, &ComparisonView::pairStored, this, &LivePage::pairStored);
    connect(m_comparison, &ComparisonView::cardKept, this, &LivePage::cardKept);
    connect(m_comparison, &ComparisonView::compareRequested, this, &LivePage::compareRequested);
}

void LivePage::showView(QWidget& view)
{
    m_views->setCurrentWidget(&view);
    m_views->show();
    m_choices->show();
    if (&view == m_comparison)
        m_view->showIdle(); // the line above is about the run before
}

// The choices would take room from what is measured.
void LivePage::foldForRun()
{
    m_message->clear();
    m_offer->clear();
    if (choicesShown()) {
        setChoicesShown(false);
        m_unfoldAtEnd = true;
    }
}

void LivePage::recordCommand()
{
    if (m_form->state() != RunForm::State::Ready || m_form->busyElsewhere())
        return;
    Settings settings;
    writeSettings(settings);
    auto* dialog = new RecordDialog(settings, m_python, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        Settings remembered;
        writeSettings(remembered);
        dialog->remember(remembered);
        m_commands = remembered.commands;
        m_recordsPython = remembered.recordsPython;
        session::RunRequest request = this->request();
        request.record = dialog->target();
        request.server.reset();
        startRequest(std::move(request), {});
        Q_EMIT edited();
    });
    dialog->open();
}

void LivePage::startRequest(session::RunRequest request, const session::RepeatPlan& plan)
{
    foldForRun();
    showView(*m_view);
    m_until = plan.until;
    if (m_until)
        m_course->begin(m_until->half_width);
    else
        m_course->hide();
    m_loop.start({std::move(request)}, plan);
}

void LivePage::startRound(int number, int runs)
{
    showCourse();
    m_form->setRound(number, runs);
    m_counters = {};
    m_pending.clear();
    m_recordingShare.reset();
    m_ended.reset();
    m_analyse->hide();
    m_view->clear(runs > 1, number > 1);
    m_form->setState(RunForm::State::Loading);
    m_pace.begin();
    m_profiler.setDeliveryInterval(FramePace::kShortestMs);
    Q_EMIT runStarting();
    Q_EMIT stateChanged();
}

// Draws nothing in the meantime, so that the machine is idle.
void LivePage::coolDown(int milliseconds)
{
    m_view->showCounters(m_counters, monotonicNow());
    m_form->setState(RunForm::State::Loading);
    constexpr std::int64_t kNanoseconds = 1'000'000;
    m_form->setProgress(0.0,
                        tr("Cooling down for %1").arg(durationText(milliseconds * kNanoseconds)));
    Q_EMIT stateChanged();
}

void LivePage::stop()
{
    if (!canStop())
        return;
    m_form->setState(RunForm::State::Stopping); // first, since a pause ends at once
    if (m_comparison->running())
        m_comparison->stop();
    else
        m_loop.cancel();
    Q_EMIT stateChanged();
}

} // namespace ep::ui
