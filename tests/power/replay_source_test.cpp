// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "sources/replay_source.h"
#include "support/fake_powermetrics_document.h"
#include "support/milliseconds.h"

#include "ep/core/clock.h"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

namespace ep::power {
namespace {

using ep::test::fakeDocument;
using ep::test::fakeStream;
using ep::test::FakeSystem;
using ep::test::FakeWindow;
using ep::test::record;
using ep::test::TemporaryFile;
using std::string_literals::operator""s;
using ::testing::HasSubstr;

using ep::test::kMs;

std::vector<FakeWindow> windows(int count, Nanoseconds elapsed = 20 * kMs)
{
    std::vector<FakeWindow> list;
    for (int i = 0; i < count; ++i)
        list.push_back({.elapsed_ns = elapsed + i, .cpu_mj = 10 + i, .gpu_mj = 100});
    return list;
}

TEST(ReplaySource, DeliversTheCaptureOnceAtItsSpeed)
{
    const TemporaryFile file(fakeStream(windows(5)));
    ReplaySource source(file.path(), 1.0);
    const auto before = monotonicNow();
    const auto recording = record(source, 100);
    EXPECT_EQ(recording.ended, 1);
    EXPECT_EQ(recording.problem, "");
    EXPECT_GE(recording.seconds, 0.1);
    ASSERT_EQ(recording.samples.size(), 5u);
    EXPECT_GE(recording.samples[0].window.begin_ns, before);
    for (std::size_t i = 0; i < 5; ++i) {
        const auto& sample = recording.samples[i];
        EXPECT_EQ(sample.window.duration_ns(), 20 * kMs + static_cast<Nanoseconds>(i));
        EXPECT_GE(sample.arrival_ns, sample.window.end_ns);
        EXPECT_EQ(sample.energy_mj[Rail::Cpu], Millijoules{10.0 + static_cast<double>(i)});
        if (i > 0) {
            EXPECT_EQ(sample.window.begin_ns, recording.samples[i - 1].window.end_ns);
        }
    }
    EXPECT_EQ(source.kind(), "replay");
    EXPECT_THAT(source.detail(), HasSubstr("5 readings"));
}

TEST(ReplaySource, DeliversEverythingAtOnceAtSpeedZero)
{
    const TemporaryFile file(fakeStream(windows(500, 1000 * kMs)));
    ReplaySource source(file.path(), 0.0);
    const auto recording = record(source, 100);
    ASSERT_EQ(recording.samples.size(), 500u);
    EXPECT_EQ(recording.samples[7].window.duration_ns(), 1000 * kMs + 7);
    EXPECT_EQ(recording.samples[7].window.end_ns, recording.samples[8].window.begin_ns);
}

TEST(ReplaySource, ShortensWindowsAndEnergiesAlikeWhenItIsFaster)
{
    const TemporaryFile file(fakeStream({{.elapsed_ns = 1000 * kMs, .cpu_mj = 400}}));
    ReplaySource source(file.path(), 100.0);
    const auto recording = record(source, 100);
    ASSERT_EQ(recording.samples.size(), 1u);
    const auto& sample = recording.samples[0];
    EXPECT_EQ(sample.window.duration_ns(), 10 * kMs);
    EXPECT_DOUBLE_EQ(sample.energy_mj[Rail::Cpu]->value, 4.0);
    EXPECT_DOUBLE_EQ(sample.power_mw[Rail::Cpu]->value, 400.0);
    EXPECT_EQ(sample.energy_mj[Rail::Dram], std::nullopt);
}

TEST(ReplaySource, StopsInTheMiddle)
{
    const TemporaryFile file(fakeStream(windows(1000)));
    ReplaySource source(file.path(), 1.0);
    const auto recording = record(source, 100, 2);
    EXPECT_EQ(recording.ended, 1);
    EXPECT_EQ(recording.problem, "");
    EXPECT_EQ(recording.samples.size(), 2u);
}

TEST(ReplaySource, AnEndlessOneBeginsAgain)
{
    const TemporaryFile file(fakeStream(windows(2, 10 * kMs)));
    ReplaySource source(file.path(), 1.0, true);
    const auto recording = record(source, 100, 5);
    ASSERT_GE(recording.samples.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        const auto& sample = recording.samples[i];
        EXPECT_EQ(sample.energy_mj[Rail::Cpu], Millijoules{10.0 + static_cast<double>(i % 2)});
        if (i > 0) {
            EXPECT_EQ(sample.window.begin_ns, recording.samples[i - 1].window.end_ns);
        }
    }
    // A busy machine asks for more of them.
    EXPECT_THAT(source.detail().english(),
                ::testing::ContainsRegex("repeated ([2-9]|[1-9][0-9]+) times"));
}

// A window of one hour, a moment of which has passed.
TEST(ReplaySource, AnEndlessOneDeliversTheWindowInWhichItIsStopped)
{
    const Nanoseconds hour = 3'600'000 * kMs;
    const TemporaryFile file(fakeStream(windows(1, hour)));
    ReplaySource source(file.path(), 1.0, true);
    const auto recording = record(source, 100, 0);
    ASSERT_EQ(recording.samples.size(), 1u);
    const PowerSample& sample = recording.samples.front();
    EXPECT_LT(sample.window.duration_ns(), hour);
    EXPECT_LE(sample.window.end_ns, sample.arrival_ns);
    const double share =
        static_cast<double>(sample.window.duration_ns()) / static_cast<double>(hour);
    EXPECT_NEAR(sample.energy_mj[Rail::Cpu]->value, 10.0 * share, 1e-9);
}

// Imitates a machine that is too busy to run the source.
TEST(ReplaySource, AnEndlessOneMakesUpForWhatWasHeldUp)
{
    const TemporaryFile file(fakeStream(windows(3)));
    ReplaySource source(file.path(), 1.0, true);
    std::vector<PowerSample> samples;
    QObject::connect(&source, &Source::sampleReady, &source,
                     [&](const PowerSample& sample) { samples.push_back(sample); });
    const auto begin = monotonicNow();
    source.start(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(110));
    const auto end = monotonicNow();
    source.stop();
    ASSERT_GE(samples.size(), 6u);
    EXPECT_LE(samples.front().window.begin_ns, begin);
    EXPECT_GE(samples.back().window.end_ns, end);
    for (std::size_t i = 1; i < samples.size(); ++i)
        EXPECT_EQ(samples[i].window.begin_ns, samples[i - 1].window.end_ns);
}

TEST(ReplaySource, ReadsOrdinaryFilesOnly)
{
    EXPECT_THAT(CaptureReader("/dev/zero").open().error().message, HasSubstr("ordinary file"));
}

TEST(ReplaySource, SkipsWhatItCannotReadAndSummaries)
{
    const auto good = fakeDocument(windows(1)[0]);
    auto broken = good;
    broken.replace(broken.find("<dict>"), 6, "<dict><");
    const auto sinceBoot =
        fakeDocument({.elapsed_ns = 90'000'000 * kMs, .cpu_mj = 1'000'000, .is_delta = false});
    const TemporaryFile file(sinceBoot + "\0"s + good + "\0"s + broken + "\0"s + good + "\0"s
                             + sinceBoot + "\0"s + good.substr(0, 300));
    ReplaySource source(file.path(), 0.0);
    const auto recording = record(source, 100);
    EXPECT_EQ(recording.problem, "");
    ASSERT_EQ(recording.samples.size(), 2u);
    EXPECT_THAT(source.detail(), HasSubstr("2 readings, 3 unusable documents skipped"));
    // The broken document had a window, which is missing now; a summary has no window of its own.
    EXPECT_EQ(recording.samples[1].window.begin_ns - recording.samples[0].window.end_ns, 20 * kMs);
    EXPECT_EQ(source.facts().sample_kind, SampleKind::Power);
}

TEST(ReplaySource, KeepsTheGapsOfARun)
{
    std::vector<PowerSample> samples(3);
    samples[0].window = {5000 * kMs, 5020 * kMs};
    samples[1].window = {5020 * kMs, 5040 * kMs};
    samples[2].window = {5060 * kMs, 5080 * kMs}; // one window was lost
    for (PowerSample& sample : samples)
        sample.energy_mj[Rail::Cpu] = Millijoules{1.0};
    for (const double speed : {0.0, 1.0, 2.0}) {
        ReplaySource source(std::make_shared<const std::vector<PowerSample>>(samples), "run",
                            speed);
        const auto recording = record(source, 100);
        ASSERT_EQ(recording.samples.size(), 3u);
        const Nanoseconds length = (speed == 2.0 ? 10 : 20) * kMs;
        EXPECT_EQ(recording.samples[1].window.begin_ns, recording.samples[0].window.end_ns);
        EXPECT_EQ(recording.samples[2].window.begin_ns - recording.samples[1].window.end_ns,
                  length);
        EXPECT_FALSE(source.facts().sample_kind.has_value());
    }
}

TEST(CaptureReader, SaysWhatIsWrongWithAFile)
{
    const auto problemOf = [](const std::string& path) {
        CaptureReader reader(path);
        const auto opened = reader.open();
        EXPECT_FALSE(opened);
        return opened ? Error{} : opened.error();
    };
    const auto missing = problemOf("/nonexistent/file.plist");
    EXPECT_EQ(missing.code, ErrorCode::NotFound);
    EXPECT_THAT(missing.message, HasSubstr("/nonexistent/file.plist"));
    EXPECT_EQ(problemOf("/").code, ErrorCode::Io);

    const TemporaryFile empty("");
    EXPECT_THAT(problemOf(empty.path()).message, HasSubstr("no complete powermetrics document"));
    const TemporaryFile text("*** Sampled system activity ***\nCPU Power: 12 mW\n");
    EXPECT_EQ(problemOf(text.path()).code, ErrorCode::InvalidInput);
    const TemporaryFile vm(fakeDocument({}, FakeSystem::VirtualMachine));
    EXPECT_THAT(problemOf(vm.path()).message, HasSubstr("virtual machine"));
    EXPECT_THAT(problemOf(vm.path()).message, HasSubstr(vm.path()));
}

TEST(ReplaySource, SaysThatTheFileWentAway)
{
    ReplaySource source("/nonexistent/file.plist", 1.0);
    const auto recording = record(source, 100);
    EXPECT_EQ(recording.ended, 1);
    EXPECT_THAT(recording.problem, HasSubstr("no capture file"));
}

} // namespace
} // namespace ep::power
