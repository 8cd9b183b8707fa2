// SPDX-License-Identifier: GPL-3.0-or-later
// Starts and stops runs.
#include "dialogs/record_dialog.h"
#include "pages/beside_picker.h"
#include "pages/beside_view.h"
#include "pages/live_page.h"
#include "pages/live_view.h"
#include "text.h"
#include "widgets/message_bar.h"

#include "ep/core/clock.h"

#include <QPushButton>

#include <algorithm>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

constexpr int kMinPairs = 5;

} // namespace

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
    const auto second = m_form->findChild<BesidePicker*>()->beside(request);
    if (!second || !experiment.isEmpty())
        return startRequests({std::move(request)}, plan);
    session::RepeatPlan turns = plan;
    turns.configurations = 2;
    turns.repeats = std::max(plan.repeats, kMinPairs);
    turns.order = session::RepeatOrder::Interleaved;
    turns.until.reset(); // a fixed number of rounds
    startRequests({std::move(request), *second}, turns);
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
        startRequests({std::move(request)}, {});
        Q_EMIT edited();
    });
    dialog->open();
}

void LivePage::startRequests(std::vector<session::RunRequest> requests,
                             const session::RepeatPlan& plan)
{
    m_message->clear();
    m_offer->clear();
    if (choicesShown()) {
        setChoicesShown(false);
        m_unfoldAtEnd = true;
    }
    m_until = plan.until;
    if (m_until)
        m_course->begin(m_until->half_width);
    else
        m_course->hide();
    if (requests.size() == 2)
        m_beside->begin(requests[0], requests[1]);
    else
        m_beside->hide();
    m_loop.start(std::move(requests), plan);
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
    m_loop.cancel();
    Q_EMIT stateChanged();
}

} // namespace ep::ui
