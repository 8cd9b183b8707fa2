// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/kernel_file.h"
#include "power/power_test_support.h"
#include "sources/counter_source.h"

#include <QTemporaryDir>

#include <gmock/gmock.h>

#include <fstream>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace ep::power {
namespace {

using ep::test::record;
using ::testing::HasSubstr;

// A powercap tree in a temporary folder.
class Powercap {
public:
    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    void zone(const std::string& index, const std::string& name, const std::string& energy,
              const std::string& range = "262143328850")
    {
        const auto zone = folder() / index;
        std::filesystem::create_directory(zone);
        std::ofstream(zone / "name") << name << "\n";
        std::ofstream(zone / "energy_uj") << energy << "\n";
        std::ofstream(zone / "max_energy_range_uj") << range << "\n";
    }
    void set(const std::string& index, const std::string& energy) const
    {
        // Renamed into place, since a reader may look at any time.
        const auto zone = folder() / index;
        std::ofstream(zone / "new") << energy << "\n";
        std::filesystem::rename(zone / "new", zone / "energy_uj");
    }

private:
    QTemporaryDir m_folder;
};

TEST(KernelFile, HoldsOneNumberOrNone)
{
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(QStringLiteral("value")).toStdString();
    for (const auto& [text, counter, number] :
         std::vector<std::tuple<const char*, std::optional<std::uint64_t>, std::optional<double>>>{
             {"12\n", 12U, 12.0},
             {" 12 \nmore\n", 12U, 12.0},
             {"-1\n", std::nullopt, -1.0},
             {"1.5\n", std::nullopt, 1.5},
             {"18446744073709551615\n", std::nullopt, 18446744073709551615.0},
             {"12000 uJ\n", std::nullopt, std::nullopt},
             {"12x", std::nullopt, std::nullopt},
             {"1,500", std::nullopt, std::nullopt},
             {"0x10", std::nullopt, std::nullopt},
             {"1e400", std::nullopt, std::nullopt},
             {"nan", std::nullopt, std::nullopt},
             {"", std::nullopt, std::nullopt}}) {
        std::ofstream(file) << text;
        EXPECT_EQ(readCounter(file), counter) << text;
        EXPECT_EQ(power::readNumber(file), number) << text;
    }
}

TEST(RaplZones, ArePackagesTheirMemoryAndThePlatform)
{
    Powercap tree;
    tree.zone("intel-rapl:0", "package-0", "1");
    tree.zone("intel-rapl:0:0", "core", "1");
    tree.zone("intel-rapl:0:1", "uncore", "1");
    tree.zone("intel-rapl:0:2", "dram", "1", "65712999613");
    tree.zone("intel-rapl:1", "psys", "1");
    tree.zone("intel-rapl:2", "package-1", "1");
    tree.zone("intel-rapl-mmio:0", "package-0", "1");
    ReadingCheck readings;
    const auto zones = findRaplZones(tree.folder(), readings);
    ASSERT_TRUE(zones) << zones.error().message;
    ASSERT_EQ(zones->size(), 4u);
    EXPECT_EQ((*zones)[0].folder.filename(), "intel-rapl:0");
    EXPECT_EQ((*zones)[1].rail, Rail::Dram);
    EXPECT_EQ((*zones)[1].max_energy_range_uj, 65712999613u);
    EXPECT_EQ((*zones)[2].rail, Rail::System);
    EXPECT_EQ((*zones)[3].folder.filename(), "intel-rapl:2");
    EXPECT_FALSE(raplRatedPower(*zones).has_value());
    for (const char* package : {"intel-rapl:0", "intel-rapl:2"})
        std::ofstream(tree.folder() / package / "constraint_0_power_limit_uw") << "65000000\n";
    EXPECT_DOUBLE_EQ(raplRatedPower(*zones)->value, 130'000.0);
}

TEST(RaplZones, SayWhatToDoWithoutRightsOrCounters)
{
    Powercap tree;
    ReadingCheck readings;
    const auto none = findRaplZones(tree.folder(), readings);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(none.error().message, HasSubstr("no energy counters"));
    EXPECT_FALSE(findRaplZones("/nonexistent", readings));

    tree.zone("intel-rapl:0", "package-0", ""); // as unreadable as a zone without permission
    const auto forbidden = findRaplZones(tree.folder(), readings);
    ASSERT_FALSE(forbidden);
    EXPECT_THAT(forbidden.error().message, HasSubstr("only root may read"));
    EXPECT_THAT(
        forbidden.error().message,
        HasSubstr("`sudo chmod a+r " + tree.folder().string() + "/intel-rapl:*/energy_uj`"));
}

TEST(RaplDifference, TellsAWrapFromAReset)
{
    constexpr std::uint64_t kRange = 262'143'328'850; // uJ
    constexpr Nanoseconds kMs = 1'000'000;
    struct Case {
        const char* what;
        std::uint64_t before;
        std::uint64_t after;
        std::uint64_t range;
        Nanoseconds elapsed;
        std::optional<std::uint64_t> advanced;
    };
    const std::vector<Case> cases = {
        {"went on", 10, 25, kRange, 100 * kMs, 15},
        {"stood", 10, 10, kRange, 100 * kMs, 0},
        {"wrapped at 300 W", kRange - 10'000'000, 20'000'000, kRange, 100 * kMs, 30'000'000},
        {"wrapped in 30 s at 300 W", kRange - 4'000'000'000, 5'000'000'000, kRange, 30'000 * kMs,
         9'000'000'000},
        {"reset at 200 kJ: a wrap would be 535 kW", 200'000'000'000, 0, kRange, 116 * kMs, {}},
        {"reset 2 kJ before the end: 20 kW", kRange - 2'000'000'000, 0, kRange, 100 * kMs, {}},
        {"range not known", 90, 5, 0, 100 * kMs, {}},
        {"beyond its range", 18446744073709551615u, 5, kRange, 100 * kMs, {}},
        {"may have wrapped unseen", 10, 25, kRange, 60'000 * kMs, {}},
    };
    for (const Case& c : cases)
        EXPECT_EQ(raplDifference(c.before, c.after, c.range, c.elapsed), c.advanced) << c.what;
}

TEST(RaplSource, DeliversDifferencesOfItsCounters)
{
    Powercap tree;
    tree.zone("intel-rapl:0", "package-0", "262143318850"); // 10 mJ below its maximum
    tree.zone("intel-rapl:0:0", "dram", "0");
    tree.zone("intel-rapl:1", "package-1", "500");
    RaplSource source(tree.folder());
    // At the second reading both packages have used 20 mJ more, one of them across the wraparound.
    QObject::connect(&source, &Source::sampleReady, &source, [&, first = true]() mutable {
        if (std::exchange(first, false)) {
            tree.set("intel-rapl:0", "10000");
            tree.set("intel-rapl:1", "20500");
            tree.set("intel-rapl:0:0", "3000");
        }
    });
    const auto recording = record(source, 10, 3);
    EXPECT_EQ(recording.ended, 1);
    EXPECT_EQ(recording.problem, "");
    ASSERT_GE(recording.samples.size(), 3u);
    EXPECT_EQ(recording.samples[0].energy_mj[Rail::Cpu], Millijoules{0});
    const auto& sample = recording.samples[1];
    EXPECT_DOUBLE_EQ(sample.energy_mj[Rail::Cpu]->value, 40.0);
    EXPECT_DOUBLE_EQ(sample.energy_mj[Rail::Dram]->value, 3.0);
    EXPECT_EQ(sample.energy_mj[Rail::Gpu], std::nullopt);
    EXPECT_NEAR(sample.total_mw->value, 43.0 / toSeconds(sample.window.duration_ns()), 1e-6);
    EXPECT_EQ(sample.window.begin_ns, recording.samples[0].window.end_ns);
    EXPECT_EQ(recording.samples[2].energy_mj[Rail::Cpu], Millijoules{0});
    EXPECT_EQ(source.detail(), "processor packages: 2, memory counters: 1");
}

TEST(RaplSource, LeavesAGapWhereACounterWasReset)
{
    Powercap tree;
    tree.zone("intel-rapl:0", "package-0", "200000000000");
    RaplSource source(tree.folder());
    QObject::connect(&source, &Source::sampleReady, &source, [&, first = true]() mutable {
        if (std::exchange(first, false))
            tree.set("intel-rapl:0", "5");
    });
    const auto recording = record(source, 10, 2);
    ASSERT_GE(recording.samples.size(), 2u);
    EXPECT_GT(recording.samples[1].window.begin_ns, recording.samples[0].window.end_ns);
    EXPECT_EQ(recording.samples[1].energy_mj[Rail::Cpu], Millijoules{0});
    EXPECT_EQ(source.facts().dropped, 1);
    EXPECT_EQ(source.facts().sample_kind, SampleKind::Counter);
}

// Common advice is to make only the package's counter readable.
TEST(RaplSource, OneUnreadableZoneLeavesTheOthers)
{
    Powercap tree;
    tree.zone("intel-rapl:0", "package-0", "1000");
    tree.zone("intel-rapl:0:0", "dram", "");
    std::filesystem::remove(tree.folder() / "intel-rapl:0:0" / "energy_uj");
    tree.zone("intel-rapl:1", "package-1", "-1"); // an error, not the largest number
    RaplSource source(tree.folder());
    const auto recording = record(source, 10, 2);
    EXPECT_EQ(recording.problem, "");
    ASSERT_GE(recording.samples.size(), 2U);
    EXPECT_TRUE(recording.samples[0].energy_mj[Rail::Cpu].has_value());
    EXPECT_TRUE(recording.samples[0].total_mw.has_value());
    EXPECT_FALSE(recording.samples[0].energy_mj[Rail::Dram].has_value());
    EXPECT_EQ(source.detail(), "processor packages: 1, memory counters: 0");
    ASSERT_EQ(source.faults().size(), 2U);
    EXPECT_EQ(source.faults()[0],
              "The energy counter " + (tree.folder() / "intel-rapl:0:0/energy_uj").string()
                  + " cannot be read; its readings are missing.");
    EXPECT_THAT(source.faults()[1], HasSubstr("intel-rapl:1/energy_uj cannot be read"));
}

TEST(RaplSource, AZoneThatGoesAwayTakesOnlyItsRail)
{
    Powercap tree;
    tree.zone("intel-rapl:0", "package-0", "1000");
    tree.zone("intel-rapl:0:0", "dram", "1000");
    RaplSource source(tree.folder());
    QObject::connect(&source, &Source::sampleReady, &source,
                     [&] { tree.set("intel-rapl:0:0", "18446744073709551615"); });
    const auto recording = record(source, 10, 3);
    EXPECT_EQ(recording.problem, "");
    ASSERT_GE(recording.samples.size(), 3U);
    EXPECT_TRUE(recording.samples[0].energy_mj[Rail::Dram].has_value());
    EXPECT_TRUE(recording.samples[2].energy_mj[Rail::Cpu].has_value());
    EXPECT_FALSE(recording.samples[2].energy_mj[Rail::Dram].has_value());
    EXPECT_FALSE(recording.samples[2].total_mw.has_value());
    EXPECT_EQ(source.faults().size(), 1U);
}

TEST(RaplSource, AJumpBeyondItsLimitIsNoEnergy)
{
    Powercap tree;
    tree.zone("intel-rapl:0", "package-0", "1000");
    std::ofstream(tree.folder() / "intel-rapl:0" / "constraint_0_power_limit_uw") << "65000000\n";
    std::ofstream(tree.folder() / "intel-rapl:0" / "constraint_1_power_limit_uw") << "90000000\n";
    RaplSource source(tree.folder());
    // 90 W x 1.2 for some milliseconds plus one batch amount to less than 30 J.
    QObject::connect(&source, &Source::sampleReady, &source, [&, first = true]() mutable {
        if (std::exchange(first, false))
            tree.set("intel-rapl:0", "60000000");
    });
    const auto recording = record(source, 10, 3);
    for (const PowerSample& sample : recording.samples)
        EXPECT_LT(sample.energy_mj[Rail::Cpu]->value, 1.0);
    EXPECT_EQ(source.facts().dropped, 1);
    ASSERT_EQ(source.faults().size(), 1U);
    EXPECT_THAT(source.faults()[0], HasSubstr("cannot be true (60.0 J in "));
}

TEST(RaplSource, SaysThatItsCountersWentAway)
{
    Powercap tree;
    RaplSource none(tree.folder());
    EXPECT_THAT(record(none, 10).problem, HasSubstr("no energy counters"));

    tree.zone("intel-rapl:0", "package-0", "9000");
    RaplSource source(tree.folder());
    QObject::connect(&source, &Source::sampleReady, &source, [&] { tree.set("intel-rapl:0", ""); });
    const auto recording = record(source, 10);
    EXPECT_THAT(recording.problem, HasSubstr("intel-rapl:0/energy_uj can no longer be read"));
    EXPECT_EQ(recording.samples.size(), 1u);
}

} // namespace
} // namespace ep::power
