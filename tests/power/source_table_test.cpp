// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "support/fake_powermetrics_document.h"

#include "ep/power/source.h"

#include <QTemporaryDir>

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace ep::power {
namespace {

using ep::test::fakeDocument;
using ep::test::ScopedEnv;
using ep::test::TemporaryFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Replaces the system's programs with fakes, or with nothing.
struct Programs {
    explicit Programs(bool there, const std::string& scenario = "", const std::string& sudoers = "")
        : powermetrics("EP_POWERMETRICS", there ? EP_FAKE_POWERMETRICS_PROGRAM : "/nonexistent/p")
        , sudo("EP_SUDO", EP_FAKE_SUDO_PROGRAM)
        , fake("EP_FAKE_POWERMETRICS", scenario)
        , fakeSudo("EP_FAKE_SUDO", sudoers)
        , powercap("EP_POWERCAP", "/nonexistent/c") // the test machine may have real counters
        , nvml("EP_NVML", "/nonexistent/n")
        , report("EP_IOREPORT", "/nonexistent/i")
        , meters("EP_HWMON", "/nonexistent/h")
        , supply("EP_POWER_SUPPLY", "/nonexistent/s")
    {
    }
    ScopedEnv powermetrics, sudo, fake, fakeSudo, powercap, nvml, report, meters, supply;
};

struct ChoiceCase {
    const char* text;
    SourceChoice expected;
};

SourceChoice choice(const std::string& kind, const std::string& argument = "")
{
    SourceChoice result;
    result.kind = kind;
    result.argument = argument;
    return result;
}

TEST(SourceChoice, IsReadFromText)
{
    SourceChoice watts = choice("modelled");
    watts.idle_watts = 3.5;
    watts.full_watts = 20;
    const std::vector<ChoiceCase> cases = {
        {"auto", choice("auto")},
        {"none", choice("none")},
        {"powermetrics", choice("powermetrics")},
        {"modelled", choice("modelled")},
        {"modelled:3.5,20", watts},
        {"replay:a b:c.plist", choice("replay", "a b:c.plist")},
    };
    for (const auto& row : cases) {
        const auto parsed = parseSourceChoice(row.text);
        ASSERT_TRUE(parsed) << row.text << ": " << parsed.error().message;
        EXPECT_EQ(*parsed, row.expected) << row.text;
    }
}

TEST(SourceChoice, RefusesWhatMakesNoSense)
{
    const std::vector<std::pair<const char*, const char*>> cases = {
        {"",
         "auto, ioreport, powermetrics, nvml, rapl, hwmon, intel-gpu, battery, replay:FILE, "
         "modelled, none"},
        {"perpetuum", "no power source 'perpetuum'"},
        {"replay", "replay:FILE"},
        {"replay:", "replay:FILE"},
        {"none:x", "takes no argument"},
        {"auto:", "takes no argument"},
        {"powermetrics:5", "takes no argument"},
        {"modelled:5", "modelled:IDLE,FULL"},
        {"modelled:a,b", "modelled:IDLE,FULL"},
        {"modelled:20,5", "idle watts <= full watts"},
        {"modelled:-1,5", "idle watts <= full watts"},
        {"modelled:0,0", "idle watts <= full watts"},
    };
    for (const auto& [text, message] : cases) {
        const auto parsed = parseSourceChoice(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().code, ErrorCode::InvalidInput) << text;
        EXPECT_THAT(parsed.error().message, HasSubstr(message));
    }
}

TEST(CreateSource, TakesTheBestThatWorks)
{
    const Programs programs(true);
    const auto created = createSource(choice("auto"), 20);
    ASSERT_TRUE(created);
    EXPECT_EQ(created->kind, "powermetrics");
    EXPECT_THAT(created->reason, HasSubstr("best available source"));
    ASSERT_NE(created->source, nullptr);
    EXPECT_EQ(created->source->kind(), "powermetrics");
}

TEST(CreateSource, FallsBackToNoneAndSaysWhatToAskFor)
{
    for (const bool there : {false, true}) {
        const Programs programs(there, "", "password");
        const auto created = createSource(choice("auto"), 20);
        ASSERT_TRUE(created);
        EXPECT_EQ(created->kind, "none");
        EXPECT_EQ(created->source, nullptr);
        EXPECT_THAT(created->reason, HasSubstr("No power sensor works on this machine"));
        EXPECT_THAT(created->reason, HasSubstr("--power modelled"));
        EXPECT_THAT(created->reason, HasSubstr("--power none"));
    }
}

TEST(CreateSource, MakesWhatWasAskedFor)
{
    const Programs programs(true);
    const TemporaryFile capture(fakeDocument({}));
    for (const auto& asked :
         {choice("powermetrics"), choice("modelled"), choice("replay", capture.path())}) {
        const auto created = createSource(asked, 20);
        ASSERT_TRUE(created) << created.error().message;
        EXPECT_EQ(created->kind, asked.kind);
        ASSERT_NE(created->source, nullptr);
        EXPECT_EQ(created->source->kind(), asked.kind);
        EXPECT_EQ(created->reason, "") << "nothing to explain";
    }
    const auto none = createSource(choice("none"));
    ASSERT_TRUE(none);
    EXPECT_EQ(none->source, nullptr);
    EXPECT_EQ(none->kind, "none");
}

TEST(CreateSource, FailsWhenTheChoiceCannotWork)
{
    const Programs programs(true, "superuser");
    SourceChoice badSpeed = choice("replay", "x");
    badSpeed.replay_speed = -1.0;
    SourceChoice badWatts = choice("modelled");
    badWatts.full_watts = 1.0;
    const std::vector<std::tuple<SourceChoice, ErrorCode, const char*>> cases = {
        {choice("powermetrics"), ErrorCode::Unsupported, "was not run as root"},
        {choice("replay", "/nonexistent/f"), ErrorCode::NotFound, "/nonexistent/f"},
        {badSpeed, ErrorCode::InvalidInput, "speed of a replay"},
        {badWatts, ErrorCode::InvalidInput, "idle watts <= full watts"},
        {choice("perpetuum"), ErrorCode::InvalidInput, "no power source 'perpetuum'"},
    };
    for (const auto& [asked, code, message] : cases) {
        const auto created = createSource(asked, 20);
        ASSERT_FALSE(created) << message;
        EXPECT_EQ(created.error().code, code);
        EXPECT_THAT(created.error().message, HasSubstr(message));
    }
}

// A powercap tree with one package that replaces the machine's.
class TemporaryPowercap {
public:
    explicit TemporaryPowercap(const char* energy)
        : m_environment("EP_POWERCAP", m_folder.path().toStdString())
    {
        const auto zone = std::filesystem::path(m_folder.path().toStdString()) / "intel-rapl:0";
        std::filesystem::create_directory(zone);
        std::ofstream(zone / "name") << "package-0\n";
        std::ofstream(zone / "energy_uj") << energy;
        std::ofstream(zone / "max_energy_range_uj") << "1000";
    }

private:
    QTemporaryDir m_folder;
    ScopedEnv m_environment;
};

TEST(CreateSource, FallsBackToTheNextSource)
{
    const Programs programs(false);
    const TemporaryPowercap tree("1");
    const auto created = createSource(choice("auto"));
    ASSERT_TRUE(created);
    EXPECT_EQ(created->kind, "rapl");
    ASSERT_NE(created->source, nullptr);
    EXPECT_THAT(created->reason, HasSubstr("rapl is the best available source"));
}

TEST(CreateSource, PrefersWhatNeedsNoRoot)
{
    const Programs programs(true);
    const ScopedEnv report("EP_IOREPORT", EP_FAKE_IOREPORT_LIBRARY);
    const ScopedEnv foundation("EP_COREFOUNDATION", EP_FAKE_IOREPORT_LIBRARY);
    const auto created = createSource(choice("auto"));
    ASSERT_TRUE(created);
    EXPECT_EQ(created->kind, "ioreport");
}

TEST(CreateSource, TakesPowermetricsWhereTheProcessorsCounterIsNoUse)
{
    for (const auto& [scenario, trouble] :
         {std::pair{"frozen", "stands still"}, std::pair{"batched", "is published in batches"}}) {
        const ScopedEnv kind("EP_FAKE_IOREPORT", scenario);
        for (const bool allowed : {true, false}) {
            const Programs programs(allowed);
            const ScopedEnv report("EP_IOREPORT", EP_FAKE_IOREPORT_LIBRARY);
            const ScopedEnv foundation("EP_COREFOUNDATION", EP_FAKE_IOREPORT_LIBRARY);
            const auto created = createSource(choice("auto"));
            ASSERT_TRUE(created);
            EXPECT_EQ(created->kind, allowed ? "powermetrics" : "ioreport");
            EXPECT_THAT(created->reason, HasSubstr(trouble));
        }
    }
}

TEST(CreateSource, MeasuresAGraphicsCardOnlyForItsOwnRuns)
{
    const Programs programs(false);
    const TemporaryPowercap tree("1");
    const ScopedEnv nvml("EP_NVML", EP_FAKE_NVML_LIBRARY);
    for (const auto& [device, kind] : {std::pair{"cpu", "rapl"}, std::pair{"cuda:0", "nvml"}}) {
        const auto created = createSource(choice("auto", device));
        ASSERT_TRUE(created);
        EXPECT_EQ(created->kind, kind) << device;
    }
    EXPECT_EQ(createSource(choice("nvml", "0"))->kind, "nvml");
}

TEST(CreateSource, ReplaysAStoredRun)
{
    PowerSample sample;
    sample.window = {5, 105};
    sample.energy_mj[Rail::Gpu] = Millijoules{7.0};
    SourceChoice stored = choice("replay", "1234abcd");
    stored.replay_speed = 0.0;
    stored.recorded = std::make_shared<const std::vector<PowerSample>>(3, sample);
    auto created = createSource(stored);
    ASSERT_TRUE(created);
    const auto recording = ep::test::record(*created->source, 100, -1);
    ASSERT_EQ(recording.samples.size(), 3U);
    EXPECT_EQ(recording.samples[2].window.duration_ns(), 100);
    EXPECT_EQ(recording.samples[2].energy_mj, sample.energy_mj);
    EXPECT_THAT(created->source->detail(), HasSubstr("run 1234abcd"));
}

const SourceReport& reportOf(const std::vector<SourceReport>& reports, std::string_view kind)
{
    return *std::ranges::find(reports, kind, &SourceReport::kind);
}

TEST(ProbeSources, ReportsEverySource)
{
    const Programs programs(true);
    const auto reports = probeSources(20);
    std::vector<std::string> kinds;
    for (const auto& report : reports) {
        kinds.push_back(report.kind);
        const bool missing = report.kind == "rapl" || report.kind == "nvml"
            || report.kind == "ioreport" || report.kind == "hwmon" || report.kind == "intel-gpu"
            || report.kind == "battery";
        EXPECT_EQ(report.available, !missing) << report.kind;
        EXPECT_NE(report.explanation, "") << report.kind;
        EXPECT_NE(report.title, "") << report.kind;
        EXPECT_EQ(report.remedy, "") << report.kind;
    }
    EXPECT_THAT(kinds,
                ElementsAre("ioreport", "powermetrics", "nvml", "rapl", "hwmon", "intel-gpu",
                            "battery", "replay", "modelled", "none"));
    EXPECT_THAT(reportOf(reports, "powermetrics").rails,
                ElementsAre(Rail::Cpu, Rail::Gpu, Rail::Ane));
}

TEST(ProbeSources, SaysHowToEnableWhatIsThere)
{
    const Programs programs(true, "old-samplers", "password");
    const auto reports = probeSources(20);
    const auto& report = reportOf(reports, "powermetrics");
    EXPECT_FALSE(report.available);
    EXPECT_THAT(report.explanation, HasSubstr("asks for a password"));
    EXPECT_THAT(report.remedy, HasSubstr("-i 20 -f plist -b 0 -s cpu_power\\,gpu_power\\,thermal"));
    EXPECT_TRUE(report.rails.empty());
}

TEST(ProbeSources, TellsHowToReadCountersThatAreRoots)
{
    const Programs programs(false);
    const TemporaryPowercap tree("");
    const auto reports = probeSources();
    const auto& report = reportOf(reports, "rapl");
    EXPECT_FALSE(report.available);
    EXPECT_THAT(report.remedy, HasSubstr("sudo chmod a+r"));
}

TEST(ProbeSources, OffersNothingWhereTheProgramIsNotThere)
{
    const Programs programs(false);
    const auto reports = probeSources();
    const auto& report = reportOf(reports, "powermetrics");
    EXPECT_FALSE(report.available);
    EXPECT_THAT(report.explanation, HasSubstr("/nonexistent/p"));
    EXPECT_EQ(report.remedy, "");
}

} // namespace
} // namespace ep::power
