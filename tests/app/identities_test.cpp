// SPDX-License-Identifier: GPL-3.0-or-later
// Energy, time, power, energy-delay product and energy per token fit together, for runs of every
// kind and in every output that states more than one of them.
#include "run_text.h"
#include "run_view.h"
#include "shown_figures.h"
#include "support/run_kinds.h"
#include "support/temp_folder.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_tokens.h"
#include "ep/store/run_json.h"

#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

namespace ep::test {
namespace {

using api::Json;
using testing::HasSubstr;

class Identities : public testing::TestWithParam<RunKind> {
protected:
    void SetUp() override
    {
        const auto store = storeRun(GetParam(), m_run, m_folder.path() / "runs.db");
        ASSERT_TRUE(store);
        auto loaded = store->load(m_run.info.id);
        ASSERT_TRUE(loaded);
        m_loaded = *std::move(loaded);
    }

    TempFolder m_folder;
    ep::Run m_run = makeRun(GetParam());
    ep::Run m_loaded;
};

// Energy, time, power and product of a node: whatever is known of them fits together.
void expectIdentities(const std::optional<double>& joules, double seconds,
                      const std::optional<double>& watts, const std::optional<double>& product,
                      const std::string& where)
{
    EXPECT_EQ(joules.has_value(), watts.has_value()) << where;
    EXPECT_EQ(joules.has_value(), product.has_value()) << where;
    if (joules && watts && product) {
        EXPECT_NEAR(*watts * seconds, *joules, 1e-12 * *joules) << where;
        EXPECT_NEAR(*joules * seconds, *product, 1e-12 * *product) << where;
    }
}

double scaled(double value, double factor)
{
    return value * factor;
}

std::optional<double> scaled(std::optional<double> value, double factor)
{
    return value ? std::optional(*value * factor) : std::nullopt;
}

// Of the run and its phases in each output that states more than one of these figures.
TEST_P(Identities, EnergyTimePowerAndProductFitTogether)
{
    std::stringstream text(store::runToJson(m_loaded));
    const Json run = Json::parse(text).at("run");
    const Json& metrics = run.at("metrics");
    const double seconds = scaled(metrics.at("duration_ns").get<double>(), 1e-9);
    const auto joules = scaled(numberAt(metrics.at("energy"), "total_mj"), 1e-3);
    expectIdentities(joules, seconds, scaled(numberAt(metrics, "mean_power_mw"), 1e-3),
                     numberAt(metrics, "edp_joule_seconds"), "JSON");
    const auto expectPerToken = [&](const char* figure, std::optional<double> energy,
                                    double tokens) {
        const auto value = numberAt(metrics, figure);
        EXPECT_EQ(value.has_value(), energy.has_value()) << figure;
        if (value && energy) {
            EXPECT_NEAR(*value * tokens, *energy, 1e-12 * *energy) << figure;
        }
    };
    expectPerToken("joules_per_token", joules,
                   static_cast<double>(outputTokens(m_run.info).value_or(0)));
    const auto perOutput = valueOf(RunFigure::JoulesPerToken, m_loaded.info, m_loaded.metrics);
    const auto perTotal = valueOf(RunFigure::JoulesPerTotalToken, m_loaded.info, m_loaded.metrics);
    if (perOutput && perTotal) {
        EXPECT_LE(*perTotal, *perOutput);
    }
    double covered = 0.0;
    for (const Json& phase : run.at("phases")) {
        const auto energy = scaled(numberAt(phase.at("energy"), "total_mj"), 1e-3);
        const std::string name = phase.at("phase");
        covered += energy.value_or(0.0);
        if (name == "prefill")
            expectPerToken("joules_per_input_token", energy,
                           static_cast<double>(inputTokens(m_run.info).value_or(0)));
    }
    if (joules && !run.at("phases").empty()) {
        EXPECT_NEAR(covered, *joules, 1e-9 * *joules) << "the phases add up to the run";
    }
    const Json summary = api::runSummary(m_loaded);
    expectIdentities(scaled(numberAt(summary.at("rails"), "energy_mj"), 1e-3),
                     scaled(summary.at("total_duration_ms").get<double>(), 1e-3),
                     scaled(numberAt(summary, "mean_power_mw"), 1e-3),
                     numberAt(summary, "edp_joule_seconds"), "API");
    // The terminal, from the figures of its table of phases.
    const std::string shown = app::summaryText(m_loaded);
    for (const PhaseSpan& phase : m_run.trace.phases) {
        const Tally known = knownEnergy(m_run.trace, phase);
        const std::string line = lineOf(shown, std::string(name(phase.phase)));
        EXPECT_THAT(line, HasSubstr(" " + formatDuration(known.duration_ns) + " "));
        if (const auto energy = known.complete()) {
            const Milliwatts power = meanPower(*energy, known.duration_ns);
            EXPECT_THAT(line, HasSubstr(formatPower(power)));
        }
        EXPECT_EQ(line.find("not covered") != std::string::npos, known.partial()) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Identities, testing::ValuesIn(runKinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });

} // namespace
} // namespace ep::test
