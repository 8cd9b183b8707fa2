// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/repeat_loop.h"

#include "ep/energy/paired_runs.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace ep::session {

std::vector<PlannedRun> plannedRuns(const RepeatPlan& plan)
{
    std::vector<PlannedRun> runs;
    if (plan.order == RepeatOrder::Blocks) {
        for (int c = 0; c < plan.configurations; ++c) {
            for (int r = 0; r < plan.repeats; ++r)
                runs.push_back({c, r});
        }
        return runs;
    }
    std::mt19937_64 engine(plan.seed);
    std::vector<int> order(static_cast<std::size_t>(std::max(0, plan.configurations)));
    std::iota(order.begin(), order.end(), 0);
    for (int r = 0; r < plan.repeats; ++r) {
        // std::shuffle gives different results in every library.
        for (std::size_t i = order.size(); plan.order == RepeatOrder::Shuffled && i > 1; --i)
            std::swap(order[i - 1], order[engine() % i]);
        if (plan.order == RepeatOrder::Interleaved && r > 0)
            std::ranges::reverse(order);
        for (const int c : order)
            runs.push_back({c, r});
    }
    return runs;
}

std::optional<EnergyKnown> energyKnown(std::span<const std::optional<double>> joulesPerToken)
{
    std::vector<double> values;
    for (const auto& value : joulesPerToken) {
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    EnergyKnown known;
    known.runs = static_cast<int>(values.size());
    if (values.empty())
        return known;
    known.joules_per_token = energy::meanOf(values);
    known.half_width = energy::relativeHalfWidth(values);
    return known;
}

RepeatLoop::RepeatLoop(Profiler& profiler, QObject* parent)
    : QObject(parent)
    , m_profiler(profiler)
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &RepeatLoop::startNext);
    // Queued, so that other receivers see the end of a run before the next one begins.
    connect(
        &m_profiler, &Profiler::finished, this,
        [this](const RunFinished& finished) {
            if (!m_running)
                return;
            m_joulesPerToken.push_back(finished.run->metrics.joules_per_token);
            if (!m_cancelled && finished.run->info.status == RunStatus::Complete
                && finished.save_problem.empty())
                goOn();
            else
                stop(false);
        },
        Qt::QueuedConnection);
    connect(
        &m_profiler, &Profiler::failed, this,
        [this] {
            if (m_running)
                stop(false);
        },
        Qt::QueuedConnection);
}

void RepeatLoop::start(std::vector<RunRequest> requests, const RepeatPlan& plan)
{
    RepeatPlan whole = plan;
    whole.configurations = static_cast<int>(requests.size());
    m_requests = std::move(requests);
    m_plan = plannedRuns(whole);
    const bool turns = whole.configurations == 2 && plan.order != RepeatOrder::Blocks;
    m_pairs = turns && !plan.until ? plan.repeats : 0;
    m_pause.setInterval(plan.cool_down_ms);
    m_until = plan.until;
    m_joulesPerToken.clear();
    m_elapsed.start();
    m_next = 0;
    m_running = true;
    m_cancelled = false;
    if (m_plan.empty())
        stop(true);
    else
        startNext();
}

void RepeatLoop::cancel()
{
    if (!m_running)
        return;
    m_cancelled = true; // even if the current run completes before it notices
    if (m_pause.isActive())
        stop(false);
    else
        m_profiler.cancel();
}

void RepeatLoop::startNext()
{
    const PlannedRun run = m_plan[static_cast<std::size_t>(m_next)];
    ++m_next;
    Q_EMIT runStarting(m_next, runs(), run);
    RunRequest request = m_requests[static_cast<std::size_t>(run.configuration)];
    if (m_pairs > 0) {
        request.tags.push_back(energy::pairTag(run.configuration == 0, run.repeat + 1));
        request.tags.push_back(energy::fixedPairsTag(m_pairs));
    }
    m_profiler.start(request);
}

bool RepeatLoop::knowsEnough() const
{
    if (!m_until)
        return false;
    const auto now = known();
    const double seconds = static_cast<double>(m_elapsed.elapsed()) / 1000.0;
    const bool late = m_until->most_seconds > 0.0 && seconds >= m_until->most_seconds;
    return late || !now
        || (now->runs >= kMinUntil && seconds >= m_until->least_seconds && now->half_width
            && *now->half_width <= m_until->half_width);
}

void RepeatLoop::goOn()
{
    if (m_next == runs() || knowsEnough()) {
        stop(true);
    } else if (m_pause.interval() > 0) {
        m_pause.start();
        Q_EMIT coolDownStarted(m_pause.interval());
    } else {
        startNext();
    }
}

void RepeatLoop::stop(bool complete)
{
    m_pause.stop();
    m_running = false;
    Q_EMIT stopped(complete);
}

} // namespace ep::session
