// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/change_desk.h"

#include "pages/history_page.h"
#include "pages/live_page.h"
#include "text.h"

#include "ep/core/clock.h"

#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

// Names of experiments, the same in every language.
constexpr auto kStem = "change of "_L1;
constexpr auto kBefore = ", before"_L1;
constexpr auto kAfter = ", after"_L1;

bool isBefore(const QString& experiment)
{
    return experiment.startsWith(kStem) && experiment.endsWith(kBefore);
}

QString afterOf(const QString& before)
{
    return before.chopped(kBefore.size()) + kAfter;
}

QString beforeOf(const QString& after)
{
    return after.chopped(kAfter.size()) + kBefore;
}

} // namespace

ChangeDesk::ChangeDesk(LivePage& live, HistoryPage& history, QObject* parent)
    : QObject(parent)
    , m_live(live)
    , m_history(history)
{
    connect(&live, &LivePage::stateChanged, this, &ChangeDesk::startWhenReady);
    connect(&live, &LivePage::repeated, this, &ChangeDesk::seriesEnded);
    connect(&history, &HistoryPage::shownRunsChanged, this, &ChangeDesk::runsChanged);
}

std::optional<RunInfo> ChangeDesk::pending() const
{
    const RunList& runs = m_history.runs(); // newest first
    if (!runs)
        return std::nullopt;
    for (const RunSummary& run : *runs) {
        const QString experiment = toQString(run.info.experiment);
        if (run.info.status == RunStatus::Complete && isBefore(experiment)
            && m_history.completeRuns(afterOf(experiment)).isEmpty())
            return run.info;
    }
    return std::nullopt;
}

void ChangeDesk::measureBefore()
{
    m_model.clear();
    start(kStem + dateText(wallClockMs()) + kBefore);
}

void ChangeDesk::measureAfter()
{
    const auto run = pending();
    if (!run)
        return;
    if (m_live.running())
        return start({}); // start() reports the error
    m_live.repeatRun(*run, 0.0);
    m_model = toQString(run->model.path);
    start(afterOf(toQString(run->experiment)));
}

void ChangeDesk::start(const QString& experiment)
{
    Q_EMIT liveRequested();
    if (m_live.running()) {
        Q_EMIT told(tr("A run is in progress."));
        return;
    }
    m_starting = experiment;
    startWhenReady();
}

// Waits, because models and sensors are examined on other threads.
void ChangeDesk::startWhenReady()
{
    if (m_starting.isEmpty() || !m_live.canStart() || !m_live.knowsSensors())
        return;
    if (!m_model.isEmpty() && toQString(m_live.request().load.folder.string()) != m_model)
        return;
    if (m_live.lacksSensor())
        m_live.useModelledPower();
    m_measuring = std::exchange(m_starting, {});
    m_live.startUntilKnown(m_measuring);
}

void ChangeDesk::seriesEnded()
{
    const QString ended = std::exchange(m_measuring, {});
    if (isBefore(ended)) {
        Q_EMIT told(tr("The state before the change is recorded. Make the change, then measure "
                       "again from Help > Welcome."));
    } else if (!ended.isEmpty()) {
        m_comparing = ended;
        runsChanged(); // the runs may be listed already
    }
}

void ChangeDesk::runsChanged()
{
    const auto before = pending();
    Q_EMIT pendingChanged(before ? dateText(before->created_at_ms) : QString());
    if (m_comparing.isEmpty() || !m_history.runs() || m_live.running())
        return;
    const QStringList after = m_history.completeRuns(m_comparing);
    if (after.size() < 2)
        return;
    Q_EMIT compareRequested(m_history.completeRuns(beforeOf(std::exchange(m_comparing, {})))
                            + after);
}

} // namespace ep::ui
