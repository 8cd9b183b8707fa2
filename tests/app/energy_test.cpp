// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_fixture.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

namespace {

using namespace ep;
using nlohmann::json;
using test::CliTest;
using test::Outcome;
using testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000;

// A run as a user might write it by hand: components with FLOPs and bytes, samples with energies
// of exactly 60 pJ per byte and 3 pJ per FLOP, and nothing else.
json madeByHand()
{
    json run;
    run["info"] = {{"id", "0f0e0d0c-0000-4000-8000-000000000001"}, {"prompt", "by hand"}};
    for (int i = 0; i < 20; ++i) {
        const double bytes = 1e8 * (1 + i % 5);
        const double flops = 1e9 * (1 + i % 3);
        const json time = {{"start_ns", 100 * i * kMs}, {"duration_ns", 100 * kMs}};
        // Two halves of the window: one moves all the data, the other computes everything.
        json components = json::array();
        for (int half = 0; half < 2; ++half) {
            components.push_back({{"component", half == 0 ? "attention" : "down_proj"},
                                  {"start_ns", (100 * i + 50 * half) * kMs},
                                  {"duration_ns", 50 * kMs},
                                  {"flops", half == 0 ? 0 : static_cast<std::int64_t>(flops)},
                                  {"bytes", half == 0 ? static_cast<std::int64_t>(bytes) : 0}});
        }
        json layer = time;
        layer["layer"] = 0;
        layer["components"] = components;
        json token = time;
        token["index"] = i;
        token["layers"] = json::array({layer});
        run["tokens"].push_back(token);
        json sample = time;
        sample["energy_mj"] = {{"cpu", (60.0 * bytes + 3.0 * flops) * 1e-9}};
        run["power"]["samples"].push_back(sample);
    }
    return {{"format", "energy-profiler-run"}, {"version", 3}, {"run", run}};
}

class EnergyCommandsTest : public CliTest {
protected:
    void importMadeByHand()
    {
        const auto file = folder() / "run.json";
        std::ofstream(file) << madeByHand().dump();
        const Outcome imported = run({"runs", "import", file.string()});
        ASSERT_EQ(imported.status, 0) << imported.err;
    }
    json shown()
    {
        const Outcome outcome = run({"runs", "show", "0f0e", "--json", "--full"});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return json::parse(outcome.out);
    }
};

TEST_F(EnergyCommandsTest, AnImportedRunGetsItsEnergies)
{
    importMadeByHand();
    const json document = shown();
    const json& shownRun = document.at("run");
    EXPECT_EQ(shownRun.at("power").at("record").at("attribution").at("method"), "cost");
    for (int i = 0; i < 20; ++i) {
        const json& token = shownRun.at("tokens").at(static_cast<std::size_t>(i));
        const json& parts = token.at("layers").at(0).at("components");
        EXPECT_NEAR(parts.at(0).at("energy_mj").get<double>(), 60e-9 * 1e8 * (1 + i % 5), 1e-6);
        EXPECT_NEAR(parts.at(1).at("energy_mj").get<double>(), 3e-9 * 1e9 * (1 + i % 3), 1e-6);
        // Divided by time, both halves are equal.
        EXPECT_NEAR(parts.at(0).at("energy_alternative_mj").get<double>(),
                    parts.at(1).at("energy_alternative_mj").get<double>(), 1e-3);
    }
    const Outcome text = run({"runs", "show", "0f0e", "--region", "EU", "--usd-per-kwh", "0.3"});
    EXPECT_EQ(text.status, 0) << text.err;
    for (const char* part : {"split by cost", "pJ/byte", "quality", "EDP", "0.300 USD/kWh",
                             "300 g/kWh (EU", "net energy unknown without a baseline", "peak"})
        EXPECT_THAT(text.out, HasSubstr(part));
}

TEST_F(EnergyCommandsTest, ReattributingChangesOnlyEnergies)
{
    importMadeByHand();
    json before = shown();
    const Outcome outcome = run({"runs", "edit", "0f0e", "--attribution", "time"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("split by time"));
    json after = shown();
    const json& parts = after["run"]["tokens"][3]["layers"][0]["components"];
    EXPECT_NEAR(parts[0]["energy_mj"].get<double>(), parts[1]["energy_mj"].get<double>(), 1e-6);
    EXPECT_EQ(before["run"]["power"]["samples"], after["run"]["power"]["samples"]);
    for (json* run : {&before, &after}) {
        for (json& token : (*run)["run"]["tokens"]) {
            for (json& layer : token["layers"]) {
                for (json& component : layer["components"]) {
                    for (const char* name :
                         {"energy_mj", "energy_sd_mj", "energy_alternative_mj", "remainder"})
                        component.erase(name);
                }
            }
        }
    }
    EXPECT_EQ(before["run"]["tokens"][3]["layers"][0]["components"],
              after["run"]["tokens"][3]["layers"][0]["components"]);

    const Outcome calibrated = run({"runs", "edit", "0f0e", "--attribution", "calibrated"});
    ASSERT_EQ(calibrated.status, 0) << calibrated.err;
    EXPECT_THAT(calibrated.out, HasSubstr("split by cost (This machine was not calibrated"));
    EXPECT_EQ(run({"runs", "edit", "0f0e", "--attribution", "magic"}).status, 2);
    EXPECT_EQ(run({"runs", "edit", "ffff", "--attribution", "cost"}).status, 1);
}

TEST_F(EnergyCommandsTest, ARunWithoutSamplesCannotBeSplit)
{
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    const Outcome outcome = run({"runs", "edit", storedIds().front(), "--attribution", "cost"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("has no power samples"));
}

TEST_F(EnergyCommandsTest, AStoredRunCanBeReplayed)
{
    importMadeByHand();
    const Outcome outcome = profile({"--power", "replay:0f0e", "--interval-ms", "20", "--json",
                                     "--full", "--also", "modelled"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json document = json::parse(outcome.out);
    EXPECT_EQ(document.at("run").at("info").at("power").at("source"), "replay");
    EXPECT_THAT(outcome.out, HasSubstr("replay:0f0e0d0c-0000-4000-8000-000000000001"))
        << "which run it is, not the word for it";
    EXPECT_EQ(document.at("run").at("power").at("record").at("secondary").at(0).at("source"),
              "modelled");
    EXPECT_EQ(
        run({"run", "--model", model().string(), "--prompt", "x", "--also", "perpetuum"}).status,
        2);
}

TEST_F(EnergyCommandsTest, TheDoctorMeasuresALoad)
{
    const Outcome outcome =
        run({"doctor", "--load", "--seconds", "1", "--interval-ms", "20", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json document = json::parse(outcome.out);
    bool tested = false;
    for (const json& source : document.at("sources")) {
        EXPECT_TRUE(source.contains("resolution"));
        EXPECT_FALSE(source.at("gain").get<std::string>().empty());
        tested = tested || source.contains("test");
    }
    EXPECT_TRUE(tested); // the modelled source works everywhere
}

} // namespace
