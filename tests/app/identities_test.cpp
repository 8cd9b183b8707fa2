// SPDX-License-Identifier: GPL-3.0-or-later
// Energy, time, power, energy-delay product and energy per token fit together, for runs of every
// kind and in every output that states more than one of them.
#include "energy_insert.h"
#include "run_text.h"
#include "run_view.h"
#include "shown_figures.h"
#include "store/csv_rows.h"
#include "store/file_guards.h"
#include "support/identities.h"
#include "support/run_kinds.h"
#include "support/temp_folder.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_tokens.h"
#include "ep/energy/aggregate.h"
#include "ep/energy/totals.h"
#include "ep/session/jobs.h"
#include "ep/session/otlp.h"
#include "ep/store/run_json.h"
#include "ep/ui/models/run_columns.h"

#include <QVariant>

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

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
        const auto listed = store->list();
        ASSERT_TRUE(listed && listed->size() == 1);
        m_listed = listed->front();
    }

    TempFolder m_folder;
    ep::Run m_run = makeRun(GetParam());
    ep::Run m_loaded;
    RunSummary m_listed; // the run as lists show it
};

// Energy, time, power and product of a phase or a run: the known ones fit together.
void expectNode(const std::optional<double>& joules, double seconds,
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

// Holds for the run and its phases in each output that states more than one of these figures.
TEST_P(Identities, EnergyTimePowerAndProductFitTogether)
{
    std::stringstream text(store::runToJson(m_loaded));
    const Json run = Json::parse(text).at("run");
    const Json& metrics = run.at("metrics");
    const double seconds = scaled(metrics.at("duration_ns").get<double>(), 1e-9);
    const auto joules = scaled(numberAt(metrics.at("energy"), "total_mj"), 1e-3);
    expectNode(joules, seconds, scaled(numberAt(metrics, "mean_power_mw"), 1e-3),
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
    expectNode(scaled(numberAt(summary.at("rails"), "energy_mj"), 1e-3),
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

// A number of a CSV cell; absent if the cell is empty.
std::optional<double> numberIn(const Rows& rows, std::size_t row, const std::string& column)
{
    const std::string text = cell(rows, row, column);
    return text.empty() ? std::nullopt : std::optional(std::stod(text));
}

TEST_P(Identities, FiguresFitTogetherInEveryListOfThem)
{
    expectIdentities(m_listed.info, m_listed.metrics, "list");
    std::map<std::string, ui::RunColumn> columns;
    for (ui::RunColumn& column : ui::runColumns())
        columns[column.id.toStdString()] = std::move(column);
    expectIdentities(
        m_listed.info,
        [&](RunFigure figure) {
            const QVariant key = columns.at(std::string(name(figure))).key(m_listed);
            const auto value = key.isNull() ? std::nullopt : std::optional(key.toDouble());
            if (figure != RunFigure::Energy)
                return value;
            // Of a partly covered run, History shows and sorts the known part.
            const auto known = knownEnergy(m_listed).energy_mj;
            EXPECT_EQ(value.has_value(), known.has_value());
            if (value && known) {
                EXPECT_NEAR(*value * kMillijoulesPerJoule, known->value, 1e-12 * known->value);
            }
            return valueOf(figure, m_listed);
        },
        "History");
    ASSERT_TRUE(store::exportCsv(store::RunInMemory(m_loaded), m_folder.path() / "csv"));
    const auto table = [&](const char* file) {
        return csvRows(readFile(m_folder.path() / "csv" / file));
    };
    const Rows runs = table("runs.csv");
    expectIdentities(
        m_listed.info,
        [&](RunFigure figure) {
            const RunFigureFacts& facts = factsOf(figure);
            if (facts.field == nullptr) // not a column
                return valueOf(figure, m_listed);
            const std::string field = figure == RunFigure::Energy ? facts.api : facts.field;
            const double unit = field.ends_with("_mj") || field.ends_with("_mw") ? 1e-3
                : field.ends_with("_ns")                                         ? 1e-9
                                                                                 : 1.0;
            return scaled(numberIn(runs, 1, field), unit);
        },
        "CSV");
    const Rows phases = table("phases.csv");
    double sum = 0.0;
    for (std::size_t row = 1; row < phases.size(); ++row) {
        if (cell(phases, row, "phase") != "idle")
            sum += numberIn(phases, row, "energy_mj").value_or(0.0);
    }
    if (const auto total = numberIn(runs, 1, "total_energy_mj"); total && phases.size() > 1) {
        EXPECT_NEAR(sum, *total, 1e-9 * *total) << "the phases of the CSV";
    }
}

// Repeats that differ in their energies.
TEST_P(Identities, FiguresOfTheMeanOfRepeatsFitTogether)
{
    std::vector<energy::Excerpt> repeats;
    for (const double factor : {0.5, 1.0, 3.0}) {
        ep::Run repeat = m_loaded;
        RunMetrics& own = repeat.metrics;
        if (own.energy.total_mj)
            own.energy.total_mj = *own.energy.total_mj * factor;
        for (auto* figure :
             {&own.joules_per_token, &own.joules_per_output_token, &own.joules_per_input_token})
            *figure = scaled(*figure, factor);
        own.tokens_per_joule = scaled(own.tokens_per_joule, 1.0 / factor);
        if (own.peak_power_mw)
            own.peak_power_mw = Milliwatts{own.peak_power_mw->value * factor};
        for (PhaseSpan& phase : repeat.trace.phases) {
            if (phase.energy.total_mj)
                phase.energy.total_mj = *phase.energy.total_mj * factor;
        }
        repeats.push_back(energy::wholeOf(std::move(repeat), {}, {}));
    }
    const energy::Excerpt mean = energy::meanOfRepeats(repeats);
    expectIdentities(mean.run.info, mean.run.metrics, "mean of repeats");
}

// Each name of an energy per token has one meaning wherever it appears.
TEST_P(Identities, ANameIsOneFigure)
{
    const auto expectFigures = [&](const Json& json, const std::string& where) {
        for (const RunFigure figure : kFiguresPerToken) {
            const auto found = json.find(factsOf(figure).api);
            if (found == json.end())
                continue;
            const auto expected = valueOf(figure, m_listed);
            EXPECT_EQ(!found->is_null(), expected.has_value()) << where << ' ' << name(figure);
            if (!found->is_null() && expected) {
                EXPECT_NEAR(found->get<double>(), *expected, 1e-12 * *expected)
                    << where << ' ' << name(figure);
            }
        }
    };
    std::stringstream document(store::runToJson(m_loaded));
    expectFigures(Json::parse(document).at("run").at("metrics"), "JSON");
    expectFigures(api::runSummary(m_loaded), "API");
    expectFigures(api::runItem(m_listed), "list of the API");
    const std::string answer = api::energyJson(m_listed);
    if (!answer.empty())
        expectFigures(Json::parse(answer), "answer of the proxy");
    const std::vector<RunSummary> runs{m_listed};
    const auto totals = energy::totalsOf(runs, energy::TotalsBy::Model);
    ASSERT_EQ(totals.size(), 1U);
    const auto perToken = [](const std::optional<energy::PerToken>& figure) {
        return figure ? Json(figure->joules) : Json();
    };
    expectFigures({{"joules_per_token", perToken(totals[0].per_output)},
                   {"joules_per_total_token", perToken(totals[0].per_total)}},
                  "totals");
    const auto jobs = session::jobsOf(runs);
    ASSERT_EQ(jobs.size(), 1U);
    expectFigures(Json::parse(session::jobsJson(jobs, {})).at("jobs").at(0), "jobs");
    std::stringstream otlp;
    session::writeOtlp(runs, otlp);
    Json attributes = Json::object();
    const std::string prefix = "energy_profiler.energy.";
    for (const Json& attribute :
         Json::parse(otlp).at("resourceSpans")[0].at("scopeSpans")[0].at("spans")[0].at(
             "attributes")) {
        const auto key = attribute.at("key").get<std::string>();
        if (key.starts_with(prefix + "joules_per"))
            attributes[key.substr(prefix.size())] = attribute.at("value").at("doubleValue");
    }
    expectFigures(attributes, "OpenTelemetry");
}

// Every figure includes the energy of recording, and the energy per token without it is stated.
TEST_P(Identities, ATwinTellsTheEnergyPerTokenWithoutRecording)
{
    const auto clean = joulesPerTokenUnrecorded(m_loaded.info, m_loaded.metrics);
    ASSERT_EQ(clean.has_value(), GetParam().twin);
    if (!clean)
        return;
    const TwinRecord& twin = *m_loaded.info.profiling.twin;
    const double joules =
        (m_loaded.metrics.energy.total_mj->value - *twin.instrumented_mj + *twin.clean_mj) * 1e-3;
    EXPECT_NEAR(*clean * m_loaded.info.output_tokens, joules, 1e-12 * joules);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Identities, testing::ValuesIn(runKinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });

} // namespace
} // namespace ep::test
