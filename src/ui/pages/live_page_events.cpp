// SPDX-License-Identifier: GPL-3.0-or-later
// Shows what the profiler reports, from the start of a run to its end.
#include "pages/live_page.h"
#include "pages/live_view.h"
#include "text.h"
#include "widgets/message_bar.h"

#include "ep/core/clock.h"
#include "ep/core/thread_clock.h"
#include "ep/ui/terms.h"

#include <QPushButton>

#include <utility>

namespace ep::ui {

namespace {

// The preliminary joules of the run have gone, so the reason is shown in their place.
QString whyNoEnergy(const Run& run)
{
    const PowerInfo& power = run.info.power;
    QStringList reasons;
    if (run.metrics.energy.sd_mj) { // known, but too uncertain to be shown
        reasons << LivePage::tr("The energy of this run is not known: the run is too short for "
                                "this sensor. Repeat it, or generate more tokens.");
        if (power.quality) {
            for (const std::string& reason : power.quality->reasons)
                reasons << term(reason);
        }
    } else {
        reasons << LivePage::tr("The energy of this run is not known: the power samples do not "
                                "cover all of it.");
        if (!power.notice.empty()) // states the source's problem, and how much is covered
            reasons << term(power.notice);
    }
    return reasons.join(u' ');
}

} // namespace

void LivePage::onStarted(const session::RunStarted& started)
{
    if (m_form->state() == RunForm::State::Loading)
        m_form->setState(RunForm::State::Running);
    m_counters.start(started);
    m_view->begin(started);
    if (m_counters.timingOnly()) {
        const QString reason = term(started.info.power.notice);
        const QString remedy = m_form->power().howToMeasure();
        m_message->showMessage(MessageBar::Kind::Notice,
                               tr("Timing only: without a power source, energies are not shown. %1")
                                   .arg(reason.isEmpty() || reason.contains(remedy)
                                            ? remedy
                                            : reason + u' ' + remedy));
    }
    Q_EMIT stateChanged();
}

void LivePage::onToken(const session::TokenComplete& token)
{
    m_counters.add(token.token, token.section);
    m_pending.push_back(token);
}

void LivePage::drawFrame()
{
    m_view->addTokens(m_pending);
    m_pending.clear();
    m_view->showCounters(m_counters, monotonicNow());
    m_view->showOperation(m_profiler.currentOperation());
    Q_EMIT countersChanged();
    const int next = m_pace.next(ThreadClock::ofThisThread().used());
    m_profiler.setDeliveryInterval(m_hidden ? FramePace::kLongestMs : next);
}

void LivePage::onFinished(const session::RunFinished& finished)
{
    m_counters.finish(*finished.run);
    m_view->addTokens(m_pending);
    m_pending.clear();
    m_view->showFinished(finished.run);
    if (finished.profiler_ns > 0) // unknown for commands and servers
        m_recordingShare = static_cast<double>(finished.profiler_ns)
            / static_cast<double>(finished.run->metrics.duration_ns);
    m_ended = finished.run;
    const RunInfo& info = finished.run->info;
    if (!finished.saved && !finished.save_problem.empty()) {
        m_message->showMessage(MessageBar::Kind::Error,
                               tr("The run is not saved. %1").arg(term(finished.save_problem)));
    } else if (info.status == RunStatus::Failed) {
        m_message->showMessage(MessageBar::Kind::Error, term(info.status_message));
    } else if (info.status == RunStatus::Cancelled && info.output_tokens == 0) {
        m_message->showMessage(MessageBar::Kind::Notice, tr("Stopped before the first token."));
    } else if (!m_counters.timingOnly() && !finished.run->metrics.energy.total_mj) {
        m_message->showMessage(MessageBar::Kind::Notice, whyNoEnergy(*finished.run));
    }
    Q_EMIT runFinished(finished.run, finished.saved);
}

// Called before the next round begins or the last one ends, because the loop counts runs first.
void LivePage::showCourse()
{
    if (!m_until || !m_ended)
        return;
    m_course->add(m_loop.known(),
                  energyOriginText(m_ended->info.power.source, m_ended->metrics.energy.provenance));
}

void LivePage::onFailed(const Error& error)
{
    const bool tooLarge = error.code == ErrorCode::NoMemory;
    m_message->showMessage(MessageBar::Kind::Error, term(error.message),
                           tooLarge ? tr("Run Anyway") : QString());
}

void LivePage::endRun()
{
    m_view->showCounters(m_counters, monotonicNow());
    if (m_ended)
        m_view->showEnd(m_ended->info.status, m_recordingShare);
    else
        m_view->showIdle();
    m_analyse->setVisible(m_ended != nullptr);
    if (m_unfoldAtEnd)
        setChoicesShown(true);
    m_form->setState(RunForm::State::Ready);
    Q_EMIT countersChanged();
    Q_EMIT stateChanged();
    showCourse();
    if (!std::exchange(m_until, std::nullopt))
        return;
    m_course->finish();
    if (m_ended && m_loop.begun() > 1)
        Q_EMIT repeated(m_ended);
}

} // namespace ep::ui
