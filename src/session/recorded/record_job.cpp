// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/clock_watch.h"
#include "power/command_tree.h"
#include "recorded/child_process.h"
#include "recorded/recorded_spans.h"
#include "recorded/span_listener.h"
#include "run/job.h"
#include "run/measured_power.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/uuid.h"
#include "ep/energy/attribute.h"
#include "ep/session/environment.h"
#include "ep/session/privacy.h"
#include "ep/session/run_settings.h"
#include "ep/store/store.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace ep::session {

namespace {

constexpr Nanoseconds kPoll = 20'000'000; // interval for looking for signals and Stop
constexpr Nanoseconds kFirstLooks = 20'000'000; // processes may be short-lived
constexpr Nanoseconds kLooks = 200'000'000;
constexpr Nanoseconds kStartTime = 1'000'000'000; // processes are looked up often during this time

std::string programName(const RecordTarget& target)
{
    return std::filesystem::path(target.arguments.front()).filename().string();
}

RunInfo describeCommand(const RunRequest& request)
{
    const RecordTarget& target = *request.record;
    RunInfo info;
    info.id = request.run_id.empty() ? makeUuid() : request.run_id;
    info.created_at_ms = wallClockMs();
    info.depth = target.automatic ? target.depth : Depth::None; // future spans are unknown
    info.device = "recorded";
    info.model.name = programName(target);
    info.power.source = "none";
    info.environment = readEnvironment();
    info.tags = request.tags;
    info.experiment = request.experiment;
    info.profiling.settings = recordedSettings(request);
    CommandRecord& record = info.profiling.command.emplace();
    record.arguments = target.arguments;
    if (!request.store_texts) {
        for (std::size_t i = 1; i < record.arguments.size(); ++i)
            record.arguments[i] = hashedText(record.arguments[i]);
    }
    info.title = commandText(record.arguments);
    return info;
}

// Runs a user's command beside the power sampler; RunJob does the same with our engine. A command
// that was started always makes a run.
class RecordJob final : public InferenceJob {
public:
    RecordJob(const RunRequest& request, const RunContext& context)
        : InferenceJob(request, context, "Recording a command")
        , m_control(*m_request.record->control)
    {
        m_info = describeCommand(m_request);
    }

private:
    Status perform() override
    {
        if (const Status usable = checkDatabase(m_request.database); !usable)
            return usable;
        if (const Status started = m_power.start({}); !started) // the command may use any device
            return started;
        if (const Status idle = m_power.measureIdle(m_request.baseline_seconds); !idle)
            return idle;
        if (const Status replay = m_power.restartReplay({}); !replay)
            return replay;
        if (const Status started = startCommand(); !started)
            return started;
        follow();
        return {};
    }

    Status startCommand()
    {
        if (const Status listening = prepareSpans(*m_request.record, m_context.cancel, m_spans);
            !listening)
            return listening;
        m_info.power = m_power.describe();
        m_time.begin_ns = monotonicNow();
        if (const Status listening = m_spans.begin(m_time.begin_ns); !listening)
            return listening;
        int status = -1;
        const Status started = m_child.start(commandSpec(), status);
        if (!started && m_child.pid() == 0) {
            m_control.ended(status);
            return started;
        }
        m_control.started();
        m_tree.emplace(m_child.pid());
        m_load.begin(&*m_tree);
        m_clocks.begin();
        if (m_store)
            m_store->begin(m_info);
        m_power.announce(m_info, m_time.begin_ns);
        return {};
    }

    void follow()
    {
        // Without memory for a look at the command, its end and its status still count.
        const auto attempt = [](auto&& work) {
            static_cast<void>(guarded([&] {
                work();
                return Status();
            }));
        };
        while (!m_child.waitFor(kPoll))
            attempt([this] { watch(); });
        attempt([this] {
            m_tree->look(); // the command is still listed until it is reaped
            m_load.end();
        });
        m_end = m_child.reap();
        m_control.ended(m_end->status());
        m_time.end_ns = std::max(m_end->at_ns, m_time.begin_ns + 1);
        attempt([this] { m_clocks.look(); });
        m_spans.end();
        attempt([this] { tell(m_spans.takeNew()); });
        m_power.phases().end(m_time.end_ns);
    }

    // One look at the running command.
    void watch()
    {
        const Nanoseconds now = monotonicNow();
        passSignals();
        if (const auto number = m_context.cancel.cancelled() ? m_stop.due(now) : std::nullopt) {
            static_cast<void>(m_child.send(*number));
            if (*number == SIGKILL) { // also ends descendants, which nothing else would end
                for (const int pid : m_tree->running())
                    ::kill(pid, SIGKILL);
            }
        }
        look(now);
        tell(m_spans.takeNew());
    }

    void passSignals()
    {
        const std::uint64_t signals = m_control.takeSignals();
        for (int number = 1; number < 64 && signals != 0; ++number) {
            if ((signals >> static_cast<unsigned>(number) & 1U) == 0)
                continue;
            if (const Status sent = m_child.send(number); !sent)
                m_info.profiling.command->notes.push_back(sent.error().message);
        }
    }

    void look(Nanoseconds now)
    {
        if (now < m_lookAt)
            return;
        m_lookAt = now + (now - m_time.begin_ns < kStartTime ? kFirstLooks : kLooks);
        m_tree->look();
        m_clocks.look();
    }

    // Passes on the steps of the first generation only, because the store knows each token once.
    void tell(std::vector<spans::Step> steps)
    {
        for (spans::Step& step : steps) {
            if (step.token.index != m_told)
                continue;
            ++m_told;
            if (m_told <= 2) {
                const Phase phase = step.token.phase;
                m_power.phases().enter(phase, step.token.time.begin_ns);
                m_context.outbox.put(
                    SectionBegan{{.phase = phase,
                                  .section = Section::Layers,
                                  .time = {step.token.time.begin_ns, step.token.time.begin_ns}}});
            }
            if (m_store)
                m_store->add(step.token);
            TokenComplete event{.token = std::move(step.token),
                                .layers = std::move(step.layers),
                                .components = std::move(step.components)};
            m_power.estimate(event);
            m_context.outbox.put(std::move(event));
        }
    }

    ChildSpec commandSpec() const
    {
        const RecordTarget& target = *m_request.record;
        return {.arguments = target.arguments,
                .environment = spanEnvironment(target, m_spans),
                .umask = target.umask,
                .prints = target.prints,
                .own_group = target.own_group};
    }

    Status finish(const Status& outcome) override
    {
        m_power.stop(m_end ? m_time : TimeRange());
        if (!m_end)
            return outcome;
        putRun(assemble());
        return {};
    }

    Run assemble()
    {
        Run run;
        run.info = m_info;
        describeEnd(run.info);
        MeasuredPower power = measuredPower(m_scope);
        run.info.power = power.info;
        run.trace.time = m_time;
        if (!power.idle.empty())
            run.trace.phases.push_back({.phase = Phase::Idle, .time = power.idle, .energy = {}});
        const bool spans = takeSpans(m_spans, run);
        takeSamples(power, m_clocks.interruptions(), run.trace);
        measureBaseline(power, run);
        energy::attribute(
            run,
            {.method = spans ? AttributionMethod::Cost : AttributionMethod::Time, .align = spans});
        if (run.info.power.source != "none")
            describeQuality(power, m_load, run);
        else if (run.info.status == RunStatus::Complete)
            noteLoad(m_load, run.info);
        noteInterruptions(run.info, m_clocks.interruptions(), m_time.begin_ns);
        return run;
    }

    void describeEnd(RunInfo& info)
    {
        CommandRecord& record = *info.profiling.command;
        if (m_end->signal)
            record.signal = *m_end->signal;
        else
            record.exit_status = m_end->exit_status;
        record.processor_ns =
            m_end->processor_ns + static_cast<Nanoseconds>(m_tree->secondsBeside() * 1e9);
        record.peak_memory_bytes = std::max(m_tree->peakBytes(), m_end->largest_bytes);
        record.processes = m_tree->seen();
        record.left_running = m_tree->leftRunning();
        if (record.left_running > 0)
            record.notes.push_back(
                Message("%1 processes that it started were still running when it "
                        "ended: what they use after that is not part of this run.",
                        record.left_running));
        const bool asked = m_stop.asked();
        if (asked || m_end->signal == SIGINT || m_end->signal == SIGTERM) {
            info.status = RunStatus::Cancelled;
            info.status_message = "The command was stopped.";
        } else if (m_end->signal) {
            info.status = RunStatus::Failed;
            info.status_message = Message("The command was ended by signal %1 (%2).",
                                          *m_end->signal, ::strsignal(*m_end->signal));
        } else if (*m_end->exit_status != 0) {
            info.status = RunStatus::Failed;
            info.status_message = Message("The command ended with status %1.", *m_end->exit_status);
        } else {
            info.status = RunStatus::Complete;
        }
    }

    CommandControl& m_control;
    SpanListener m_spans;
    std::int32_t m_told = 0; // number of tokens passed to the observers
    ChildProcess m_child;
    std::optional<CommandTree> m_tree;
    PoliteStop m_stop;
    ClockWatch m_clocks;
    Nanoseconds m_lookAt = 0; // when to look at the processes again
    TimeRange m_time;
    std::optional<ChildEnd> m_end;
};

} // namespace

std::unique_ptr<InferenceJob> makeRecordJob(const RunRequest& request, const RunContext& context)
{
    return std::make_unique<RecordJob>(request, context);
}

} // namespace ep::session
