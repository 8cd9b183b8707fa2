// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_watcher.h"
#include "support/milliseconds.h"

#include "ep/session/sensor_doctor.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using test::EngineScript;
using test::PowerScript;
using test::RunWatcher;
using testing::HasSubstr;

using ep::test::kMs;

TEST(EnergyRecord, ARunKnowsItsBaselineAndHowItWasSplit)
{
    for (const auto moment : {BaselineMoment::AfterLoad, BaselineMoment::BeforeLoad}) {
        RunWatcher watcher(EngineScript{.layer_time = 1ms}, PowerScript{.watts = 10.0});
        session::RunRequest request = watcher.request();
        request.baseline_seconds = 0.05;
        request.baseline_moment = moment;
        const PowerInfo& power = watcher.finish(request).info.power;
        ASSERT_TRUE(power.baseline.has_value());
        EXPECT_EQ(power.baseline->moment, moment);
        EXPECT_NEAR(power.baseline->total_mw->value, 10'000.0, 1e-6);
        EXPECT_NEAR(power.baseline->total_sd_mw->value, 0.0, 1e-3);
        EXPECT_GE(power.baseline->age_ns, 0);
        ASSERT_TRUE(power.attribution.has_value());
        EXPECT_EQ(power.attribution->asked, AttributionMethod::Cost);
        // Constant power gives no way to distinguish costs.
        EXPECT_EQ(power.attribution->method, AttributionMethod::Time);
        EXPECT_NE(power.attribution->note, "");
        EXPECT_LE(power.attribution->closure, 1e-9);
    }
}

TEST(EnergyRecord, SpansCarryTheirWork)
{
    RunWatcher watcher(EngineScript{.layer_time = 1ms}, PowerScript{.watts = 10.0});
    const RunTrace& trace = watcher.finish(watcher.request()).trace;
    ASSERT_FALSE(trace.components.empty());
    EXPECT_TRUE(std::ranges::any_of(trace.components, [](const Span& span) {
        return span.work && span.work->flops > 0 && span.work->bytes > 0;
    }));
}

TEST(EnergyRecord, AModelThatChangesMeanwhileCountsAsItWasLoaded)
{
    const auto workOf = [](bool changes) {
        RunWatcher watcher(EngineScript{.layer_time = 1ms}, PowerScript{.watts = 10.0});
        watcher.on_token = [&](const session::TokenComplete&) {
            if (changes)
                std::filesystem::remove(watcher.folder() / "model" / "config.json");
        };
        std::vector<std::optional<SpanWork>> work;
        for (const Span& span : watcher.finish(watcher.request()).trace.components)
            work.push_back(span.work);
        return work;
    };
    const auto work = workOf(true);
    EXPECT_FALSE(work.empty());
    EXPECT_TRUE(work == workOf(false));
}

TEST(EnergyRecord, OtherSourcesAreRecordedBeside)
{
    RunWatcher watcher(EngineScript{.layer_time = 1ms}, PowerScript{.watts = 10.0});
    session::RunRequest request = watcher.request();
    power::SourceChoice other;
    other.kind = "rapl";
    request.also = {other};
    const auto& secondary = watcher.finish(request).trace.secondary;
    ASSERT_EQ(secondary.size(), 1U);
    EXPECT_EQ(secondary[0].source, "scripted");
    EXPECT_EQ(secondary[0].detail, "scripted detail");
    EXPECT_FALSE(secondary[0].samples.empty());
}

// 100 ms samples of a sensor that shows `share` of the truth, delayed by `late` after the load.
session::SensorCheck sensor(const std::string& kind, double share, Nanoseconds late,
                            const std::vector<TimeRange>& load)
{
    session::SensorCheck check;
    check.report.kind = kind;
    check.report.available = true;
    for (int i = 0; i < 60; ++i) {
        PowerSample sample;
        sample.window = {100 * i * kMs, 100 * (i + 1) * kMs};
        const TimeRange seen{sample.window.begin_ns - late, sample.window.end_ns - late};
        Nanoseconds busy = 0;
        for (const TimeRange& range : load)
            busy += intersection(seen, range).duration_ns();
        sample.energy_mj[Rail::Cpu] = Millijoules{share * (500.0 + 20'000.0 * toSeconds(busy))};
        sample.power_mw[Rail::Cpu] =
            meanPower(*sample.energy_mj[Rail::Cpu], sample.window.duration_ns());
        sample.total_mw = sample.power_mw[Rail::Cpu];
        check.samples.push_back(sample);
    }
    return check;
}

TEST(SensorDoctor, FindsIntervalOffsetAndAgreement)
{
    session::SensorExam exam;
    for (int i = 0; i < 5; ++i)
        exam.load.push_back({(500 + 1000 * i) * kMs, (1000 + 1000 * i) * kMs});
    exam.sources = {sensor("first", 1.0, 0, exam.load), sensor("second", 0.9, 40 * kMs, exam.load)};
    session::SensorCheck silent;
    silent.report.kind = "silent";
    exam.sources.push_back(silent);
    session::judgeSensors(exam, {0, 5500 * kMs}, 100);

    const auto& first = exam.sources[0];
    EXPECT_NEAR(first.quality->median_interval_ms, 100.0, 1e-9);
    EXPECT_NEAR(first.idle_mw->value, 5000.0, 1.0);
    EXPECT_NEAR(first.load_mw->value, 25'000.0, 1.0);
    EXPECT_FALSE(first.offset.significant);
    EXPECT_FALSE(first.agreement.has_value());

    const auto& second = exam.sources[1];
    EXPECT_TRUE(second.offset.significant);
    EXPECT_NEAR(toMilliseconds(second.offset.ns), 40.0, 1.0);
    EXPECT_EQ(second.reference, "first");
    EXPECT_NEAR(*second.agreement, 0.9, 0.02);
    EXPECT_FALSE(exam.sources[2].quality.has_value());
}

} // namespace
