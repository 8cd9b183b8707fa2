// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/folders.h"

#include "ep/core/stated_tokens.h"
#include "ep/energy/work_nodes.h"
#include "ep/session/import_power.h"
#include "ep/store/store.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace ep::session {
namespace {

namespace fs = std::filesystem;

fs::path made(const char* file)
{
    return std::filesystem::path(test::dataPath("powerlog")) / file;
}

class ImportPower : public testing::Test {
protected:
    ImportPower()
        : m_folder(fs::temp_directory_path()
                   / ("ep-import-" + std::to_string(reinterpret_cast<std::uintptr_t>(this))))
    {
        fs::create_directories(m_folder);
    }
    ~ImportPower() override { fs::remove_all(m_folder); }

    fs::path write(const char* name, const std::string& text)
    {
        std::ofstream(m_folder / name) << text;
        return m_folder / name;
    }

    fs::path m_folder;
};

// An A100 that serves four turns of an agent; the file is not part of the repository.
TEST_F(ImportPower, OfAnAgentKnowsOneDecode)
{
    const fs::path folder = fs::path(test::referencePath()).parent_path() / "traces/A-a100-agent";
    if (!fs::exists(folder))
        GTEST_SKIP() << "the folder of traces is not there";
    const auto imported =
        importPower({.power = folder / "power.csv", .requests = folder / "requests.json"});
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(imported->recording.verdict(), powerlog::Weight::Note);
    EXPECT_NEAR(imported->run.metrics.energy.total_mj->value, 1'747'269.5, 20.0);
    EXPECT_EQ(imported->run.metrics.energy.provenance, Provenance::Imported);
    ASSERT_EQ(imported->phases.size(), 8U);
    const std::int64_t windows[] = {1, 0, 0, 1, 1, 12, 0, 1};
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(imported->phases[i].windows, windows[i]) << i;
        EXPECT_EQ(imported->phases[i].joules.has_value(), i == 5) << i;
    }
    const ImportedPhase& decode = imported->phases[5];
    EXPECT_NEAR(*decode.joules, 960.76, 0.01); // 968.78 by lines alone
    EXPECT_EQ(decode.tokens, 280);
    EXPECT_NEAR(*decode.joulesPerToken(), 3.4313, 0.0001);
    EXPECT_NEAR(decode.edge_joules, 16.60, 0.01);
    EXPECT_NEAR(*imported->run.metrics.joules_per_output_token, 3.4313, 0.0001);
    EXPECT_FALSE(imported->run.metrics.joules_per_input_token);
    std::string notes;
    for (const Message& note : imported->notes)
        notes += note.english() + '\n';
    EXPECT_NE(notes.find("UTC-07:00"), std::string::npos) << notes;
    EXPECT_NE(notes.find("after the last sample"), std::string::npos) << notes;
    // All four requests count as decoding work; the run as a whole has no phase edges inside.
    double decoding = 0.0;
    for (const energy::WorkNode& node :
         energy::nodesOf({.run = imported->run, .totals = {}, .first_step = {}})) {
        if (node.phase == Phase::Decode)
            decoding += toSeconds(node.sum.duration_ns);
    }
    EXPECT_NEAR(decoding, 0.3796 + 0.5430 + 3.3102 + 0.4806, 0.001);
    EXPECT_FALSE(imported->run.metrics.energy.sd_mj);
}

TEST_F(ImportPower, WithoutRequestsHasNoTokensRatherThanNone)
{
    const auto imported = importPower({.power = made("base.csv")});
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_FALSE(inputTokens(imported->run.info));
    EXPECT_FALSE(outputTokens(imported->run.info));
}

TEST_F(ImportPower, SumsPhasesOfRequestsAndKeepsTheRun)
{
    // 300 W from 43.123 to 48.873 s, sampled every 0.25 s.
    const fs::path requests = write("requests.csv",
                                    "start,first_token,end,tokens_in,cached,out\n"
                                    "2026-11-25T07:35:43.123,2026-11-25T07:35:43.623,"
                                    "2026-11-25T07:35:48.623,100,0,101\n");
    const auto imported = importPower({.power = made("base.csv"), .requests = requests});
    ASSERT_TRUE(imported) << imported.error().message;
    ASSERT_EQ(imported->phases.size(), 2U);
    EXPECT_FALSE(imported->phases[0].joules); // two windows
    EXPECT_NEAR(*imported->phases[1].joules, 1500.0, 1e-6);
    EXPECT_NEAR(*imported->phases[1].joulesPerToken(), 15.0, 1e-9);
    EXPECT_NEAR(imported->run.metrics.energy.total_mj->value, 1'650'000.0, 1e-3);

    auto store = store::Store::open(m_folder / "runs.db");
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE((*store)->importRun(imported->run));
    const auto loaded = (*store)->load(imported->run.info.id);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->metrics.energy.provenance, Provenance::Imported);
    EXPECT_EQ(loaded->info.power.source, kImportedSource);
    EXPECT_EQ(loaded->trace.phases, imported->run.trace.phases);
}

TEST_F(ImportPower, DerivesNothingFromAPoorRecording)
{
    const auto imported = importPower({.power = made("spike-4666w.csv")});
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_FALSE(imported->run.metrics.energy.total_mj);
    EXPECT_TRUE(imported->run.trace.samples.empty());
    EXPECT_EQ(imported->run.info.power.quality->verdict, QualityVerdict::Poor);
    EXPECT_NE(importedPowerJson(*imported, false).find("\"joules\": null"), std::string::npos);
}

TEST_F(ImportPower, DoesNotBridgeAGap)
{
    const fs::path requests = write("requests.csv",
                                    "start,first_token,end,tokens_in,cached,out\n"
                                    "2026-11-25T07:35:41.123,2026-11-25T07:35:41.623,"
                                    "2026-11-25T07:35:47.123,100,0,101\n");
    const auto imported = importPower({.power = made("not-available.csv"), .requests = requests});
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_NE(imported->phases[1].refusal.english().find("gap"), std::string::npos);
}

TEST_F(ImportPower, SaysWhatOverlappingRequestsUsedTogether)
{
    const fs::path requests = write("requests.csv",
                                    "start,first_token,end,tokens_in,cached,out\n"
                                    "2026-11-25T07:35:43.123,2026-11-25T07:35:43.623,"
                                    "2026-11-25T07:35:46.123,100,0,51\n"
                                    "2026-11-25T07:35:44.123,2026-11-25T07:35:44.623,"
                                    "2026-11-25T07:35:48.123,100,0,49\n");
    const auto imported = importPower({.power = made("base.csv"), .requests = requests});
    ASSERT_TRUE(imported) << imported.error().message;
    ASSERT_EQ(imported->phases.size(), 1U);
    EXPECT_EQ(imported->phases[0].requests, 2U);
    EXPECT_NEAR(*imported->phases[0].joulesPerToken(), 15.0, 1e-9);
}

TEST_F(ImportPower, KnowsTimeZones)
{
    EXPECT_EQ((*zoneFrom("+02:00"))(7200.0), 0.0);
    EXPECT_EQ((*zoneFrom("-0700"))(0.0), 25'200.0);
    EXPECT_EQ((*zoneFrom("utc"))(5.0), 5.0);
    // Summer and winter time.
    EXPECT_EQ((*zoneFrom("Europe/Berlin"))(1'784'389'963.0), 1'784'382'763.0);
    EXPECT_EQ((*zoneFrom("Europe/Berlin"))(1'795'592'141.0), 1'795'588'541.0);
    for (const char* none : {"Middle/Earth", "Mars", "PST", "Mars3", "+25:00", ""})
        EXPECT_FALSE(zoneFrom(none)) << none;
}

// base.csv begins at 07:35:41.123 without a zone; with -07:00 that is 14:35:41 UTC.
constexpr const char* kRequestsElsewhere = "start,first_token,end,tokens_in,cached,out\n"
                                           "1795617342.2,1795617343.2,1795617348.2,100,0,101\n";

TEST_F(ImportPower, LooksForTheZoneBesideAStatedOffset)
{
    const fs::path requests = write("requests.csv", kRequestsElsewhere);
    const auto imported =
        importPower({.power = made("base.csv"), .requests = requests, .offset_s = 0.05});
    ASSERT_TRUE(imported) << imported.error().message;
    ASSERT_EQ(imported->phases.size(), 2U);
    EXPECT_TRUE(imported->phases[1].joules.has_value()) << imported->phases[1].refusal;
    // The notes and the times of the rows use the zone that was found.
    for (const Message& note : imported->notes)
        EXPECT_EQ(note.english().find("read as UTC"), std::string::npos) << note.english();
    const auto document = nlohmann::json::parse(importedPowerJson(*imported, false));
    for (const auto& phase : document.at("phases")) {
        EXPECT_GE(phase.at("begin"), document.at("first"));
        EXPECT_LE(phase.at("begin"), document.at("last"));
    }
    const auto whole =
        importPower({.power = made("base.csv"), .requests = requests, .offset_s = 25'200.05});
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->phases[1].joules, imported->phases[1].joules);
    const auto apart =
        importPower({.power = made("base.csv"), .requests = requests, .offset_s = 100.0});
    ASSERT_FALSE(apart);
    EXPECT_NE(apart.error().message.english().find("outside"), std::string::npos)
        << apart.error().message;
}

// Charts add up samples, so their mean power has to be that of the run.
TEST_F(ImportPower, SamplesAddUpToTheRun)
{
    const fs::path requests = write("requests.csv", kRequestsElsewhere);
    const auto imported = importPower({.power = made("base.csv"), .requests = requests});
    ASSERT_TRUE(imported) << imported.error().message;
    const ep::Run& run = imported->run;
    double joules = 0.0;
    for (const PowerSample& sample : run.trace.samples) {
        const TimeRange inside = intersection(sample.window, run.trace.time);
        joules += sample.total_mw->value * 1e-3 * toSeconds(inside.duration_ns());
    }
    EXPECT_NEAR(joules, run.metrics.energy.total_mj->value * 1e-3, 1e-6);
}

TEST_F(ImportPower, KnowsNoEnergyPerTokenOfRequestsOutside)
{
    const fs::path requests =
        write("requests.csv",
              kRequestsElsewhere + std::string("1795618342,1795618343,1795618348,100,0,101\n"));
    powerlog::ReadOptions read;
    read.to_utc = *zoneFrom("-0700");
    const auto imported =
        importPower({.power = made("base.csv"), .requests = requests, .read = read});
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_TRUE(imported->run.metrics.energy.total_mj.has_value());
    EXPECT_FALSE(imported->run.metrics.joules_per_token.has_value());
    EXPECT_NE(imported->run.info.notes.english().find("1 of 2 requests lie outside"),
              std::string::npos);
}

TEST_F(ImportPower, RefusesRequestsThatLieElsewhere)
{
    const fs::path requests = write("requests.csv",
                                    "start,first_token,end,tokens_in,cached,out\n"
                                    "1795500000,1795500001,1795500005,100,0,101\n");
    const auto imported = importPower({.power = made("base.csv"), .requests = requests});
    ASSERT_FALSE(imported);
    EXPECT_NE(imported.error().message.english().find("--offset"), std::string::npos);
}

} // namespace
} // namespace ep::session
