// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/sensor_doctor.h"

#include "power/machine_load.h"
#include "power/power_log.h"

#include "ep/core/clock.h"
#include "ep/core/start_thread.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/quality.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>

namespace ep::session {

namespace {

// One source under test.
struct Subject {
    SensorCheck* check = nullptr;
    std::unique_ptr<PowerLog> log = std::make_unique<PowerLog>();
    std::unique_ptr<PowerFeed> feed; // last: its sink refers to the log
};

bool isTested(const power::SourceReport& report)
{
    return report.available && report.kind != "none" && report.kind != "replay";
}

std::vector<Subject> startSubjects(SensorExam& exam, const ExamOptions& options,
                                   const Backend& backend, const CancelToken& cancel)
{
    std::vector<Subject> subjects;
    for (SensorCheck& check : exam.sources) {
        if (!isTested(check.report))
            continue;
        Subject subject;
        subject.check = &check;
        subject.feed = backend.makePowerFeed();
        PowerLog* log = subject.log.get();
        power::SourceChoice choice;
        choice.kind = check.report.kind;
        const Status started =
            subject.feed->start(choice, options.interval_ms,
                                {.sample = [log](const PowerSample& sample) { log->add(sample); },
                                 .problem = [log](const Message& problem) { log->fail(problem); }});
        if (started)
            subjects.push_back(std::move(subject));
        else
            check.problem = started.error().message;
    }
    for (Subject& subject : subjects)
        subject.log->waitForFirst(kFirstSampleTimeout, cancel);
    return subjects;
}

// Keeps every core busy while `busy` is set.
class Load {
public:
    explicit Load(int threads)
    {
        const auto count = threads > 0
            ? threads
            : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        for (int i = 0; i < count; ++i) {
            std::thread thread;
            if (!startThread(thread, [this] { work(); }))
                break; // fewer threads load the machine less, which is enough
            m_threads.push_back(std::move(thread));
        }
    }
    ~Load()
    {
        m_end = true;
        for (std::thread& thread : m_threads)
            thread.join();
    }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    void set(bool busy) { m_busy = busy; }

private:
    void work()
    {
        volatile double value = 1.0;
        while (!m_end) {
            if (!m_busy) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                continue;
            }
            for (int i = 0; i < 20'000; ++i)
                value = value * 1.0000001 + 1e-9;
        }
    }

    std::atomic<bool> m_busy = false;
    std::atomic<bool> m_end = false;
    std::vector<std::thread> m_threads;
};

void pause(double seconds, const CancelToken& cancel)
{
    const Nanoseconds until = monotonicNow() + std::llround(seconds * 1e9);
    while (!cancel.cancelled() && monotonicNow() < until) {
        const auto rest = std::chrono::nanoseconds(until - monotonicNow());
        std::this_thread::sleep_for(
            std::clamp<std::chrono::nanoseconds>(rest, std::chrono::nanoseconds(0), kCancelPoll));
    }
}

TimeRange squareWave(SensorExam& exam, const ExamOptions& options, const CancelToken& cancel,
                     const ProgressFn& progress)
{
    Load load(options.threads);
    TimeRange test{monotonicNow(), 0};
    const Nanoseconds end = test.begin_ns + std::llround(options.seconds * 1e9);
    for (bool busy = false; monotonicNow() < end && !cancel.cancelled(); busy = !busy) {
        if (progress)
            progress(toSeconds(monotonicNow() - test.begin_ns) / options.seconds,
                     busy ? "Load" : "Pause");
        const Nanoseconds begin = monotonicNow();
        load.set(busy);
        pause(options.half_period_seconds, cancel);
        if (busy)
            exam.load.push_back({begin, monotonicNow()});
    }
    load.set(false);
    test.end_ns = monotonicNow();
    return test;
}

struct IdleAndLoad {
    Milliwatts idle;
    Milliwatts load;
};

// Least squares of power = idle + (load - idle) x busy fraction of the window. Unlike means, this
// can use windows that contain both.
std::optional<IdleAndLoad> idleAndLoad(const energy::EnergyTimeline& timeline,
                                       const TimeRange& test, const std::vector<TimeRange>& load)
{
    double n = 0.0;
    double sumX = 0.0;
    double sumY = 0.0;
    double sumXx = 0.0;
    double sumXy = 0.0;
    for (const auto& window : timeline.windows()) {
        if (!window.total_pj || !test.contains(window.time))
            continue;
        Nanoseconds busy = 0;
        for (const TimeRange& range : load)
            busy += intersection(window.time, range).duration_ns();
        const double x = static_cast<double>(busy) / static_cast<double>(window.time.duration_ns());
        const double y =
            meanPower(energy::fromPicojoules(*window.total_pj), window.time.duration_ns()).value;
        n += 1.0;
        sumX += x;
        sumY += y;
        sumXx += x * x;
        sumXy += x * y;
    }
    const double spread = n * sumXx - sumX * sumX;
    if (!(spread > 1e-9))
        return std::nullopt;
    const double slope = (n * sumXy - sumX * sumY) / spread;
    const double idle = (sumY - slope * sumX) / n;
    return IdleAndLoad{{idle}, {idle + slope}};
}

} // namespace

void judgeSensors(SensorExam& exam, const TimeRange& test, int intervalMs)
{
    const SensorCheck* first = nullptr;
    for (SensorCheck& check : exam.sources) {
        if (check.samples.empty())
            continue;
        RunTrace trace;
        trace.time = test;
        trace.samples = check.samples;
        check.quality = energy::assessQuality(trace, intervalMs);
        for (const Rail rail : check.quality->stuck) {
            check.faults.push_back(Message("The readings of the rail %1 stayed at zero under load: "
                                           "its counter does not advance.",
                                           name(rail)));
        }
        check.offset = energy::findOffset(check.samples, {.first = exam.load});
        const energy::EnergyTimeline timeline(check.samples, {},
                                              check.offset.significant ? check.offset.ns : 0);
        const auto powers = idleAndLoad(timeline, test, exam.load);
        if (!powers)
            continue;
        check.idle_mw = powers->idle;
        check.load_mw = powers->load;
        if (first == nullptr) {
            first = &check;
            continue;
        }
        const Milliwatts step = *first->load_mw - *first->idle_mw;
        if (step.value > 0.0) {
            check.agreement = (*check.load_mw - *check.idle_mw) / step;
            check.reference = first->report.kind;
        }
    }
}

SensorExam examineSensors(const ExamOptions& options, const Backend& backend,
                          const CancelToken& cancel, const ProgressFn& progress)
{
    SensorExam exam;
    auto reports = power::probeSources(options.interval_ms);
    for (power::SourceReport& report : reports) {
        SensorCheck check;
        check.report = std::move(report);
        exam.sources.push_back(std::move(check));
    }
    if (options.seconds <= 0.0)
        return exam;
    const auto activity = backend.beginActivity ? backend.beginActivity("Testing power sensors")
                                                : std::unique_ptr<Activity>();
    auto subjects = startSubjects(exam, options, backend, cancel);
    MachineLoad machine(systemLoadClocks(backend));
    machine.begin();
    const TimeRange test = squareWave(exam, options, cancel, progress);
    machine.end();
    PowerQuality conditions;
    machine.describe(conditions);
    exam.other_cpu_share = conditions.other_cpu_share;
    for (Subject& subject : subjects) {
        subject.log->waitUntilCovered(
            test.end_ns,
            subject.log->lateness() + std::chrono::milliseconds(2 * options.interval_ms), cancel);
        subject.feed->stop();
        subject.check->samples = subject.log->all();
        subject.check->faults = subject.feed->facts().faults;
        subject.check->problem = subject.log->problem().value_or(std::string());
        if (subject.check->samples.empty() && subject.check->problem.empty())
            subject.check->problem = "The source delivered no sample during the test.";
    }
    judgeSensors(exam, test, options.interval_ms);
    return exam;
}

} // namespace ep::session
