// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/run_kinds.h"
#include "support/temp_folder.h"

#include "ep/core/known_energy.h"
#include "ep/core/token_ledger.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/attribute.h"
#include "ep/energy/ledger.h"
#include "ep/session/read_excerpt.h"
#include "ep/store/run_json.h"
#include "ep/store/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// A figure has one origin: it is the same whichever way it leaves the program.
namespace ep::session {
namespace {

constexpr double kRelative = 1e-12;
constexpr int kSelections = 200;

// The column of a CSV file; absent where cells are empty.
std::vector<std::optional<double>> csvColumn(const std::filesystem::path& file,
                                             const std::string& column)
{
    std::ifstream stream(file);
    std::vector<std::optional<double>> values;
    std::string line;
    std::size_t wanted = 0;
    bool header = true;
    while (std::getline(stream, line)) {
        std::vector<std::string> cells;
        std::string cell;
        bool quoted = false;
        for (const char c : line) {
            if (c == '"')
                quoted = !quoted;
            else if (c == ',' && !quoted)
                cells.push_back(std::exchange(cell, {}));
            else if (c != '\r')
                cell += c;
        }
        cells.push_back(cell);
        if (header) {
            while (wanted < cells.size() && cells[wanted] != column)
                ++wanted;
            header = false;
            continue;
        }
        const std::string& text = cells.at(wanted);
        values.push_back(text.empty() ? std::nullopt : std::optional(std::stod(text)));
    }
    return values;
}

template <typename Any, typename EnergyOf>
void expectColumn(const std::filesystem::path& file, const std::vector<Any>& spans,
                  EnergyOf energyOf, const char* column = "energy_mj", std::size_t remainders = 0)
{
    const auto values = csvColumn(file, column);
    ASSERT_EQ(values.size(), spans.size() + remainders) << file;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const std::optional<Millijoules> energy = energyOf(spans[i]);
        ASSERT_EQ(values[i].has_value(), energy.has_value()) << file << " row " << i;
        if (energy) {
            EXPECT_NEAR(*values[i], energy->value, kRelative * std::abs(energy->value)) << file;
        }
    }
}

using test::energiesOf;
using test::expectSame;
using test::RunKind;

class OneNumber : public testing::TestWithParam<RunKind> {
protected:
    void SetUp() override
    {
        m_store = test::storeRun(GetParam(), m_run, m_folder.path() / "runs.db");
        ASSERT_TRUE(m_store);
    }

    test::TempFolder m_folder;
    ep::Run m_run = test::makeRun(GetParam());
    std::unique_ptr<store::Store> m_store;
};

TEST_P(OneNumber, LeavesByEveryWay)
{
    const test::Energies expected = energiesOf(m_run);
    const auto loaded = m_store->load(m_run.info.id);
    ASSERT_TRUE(loaded);
    expectSame(energiesOf(*loaded), expected, "database");

    std::stringstream json(store::runToJson(*loaded));
    const auto read = store::runFromJson(json);
    ASSERT_TRUE(read) << read.error().message;
    expectSame(energiesOf(*read), expected, "JSON");
    // Where the energy as a whole is unknown, its known part is written.
    const bool partial = knownEnergy(m_run).partial();
    EXPECT_EQ(json.str().find("known_energy_mj") != std::string::npos, partial);

    const auto folder = m_folder.path() / "csv";
    ASSERT_TRUE(store::exportCsv(store::RunInMemory(*loaded), folder.string()));
    const auto rich = [](const auto& node) { return node.energy.total_mj; };
    const auto plain = [](const Span& span) { return span.energy_mj; };
    const std::size_t rest = m_run.trace.phases.empty() ? 0 : 1;
    expectColumn(folder / "phases.csv", m_run.trace.phases, rich, "energy_mj", rest);
    expectColumn(
        folder / "phases.csv", m_run.trace.phases,
        [&](const PhaseSpan& phase) { return knownEnergy(m_run.trace, phase).energy_mj; },
        "known_energy_mj", rest);
    expectColumn(folder / "tokens.csv", m_run.trace.tokens, rich);
    expectColumn(folder / "sections.csv", m_run.trace.sections, plain);
    expectColumn(folder / "layers.csv", m_run.trace.layers, plain);
    expectColumn(folder / "component_spans.csv", m_run.trace.components, plain);
}

// Compares what the window shows of a run opened without its spans with sums over the spans.
TEST_P(OneNumber, OfRandomSelections)
{
    auto overview = m_store->overview(m_run.info.id);
    ASSERT_TRUE(overview);
    ASSERT_TRUE(overview->run.trace.components.empty());
    const energy::Ledger window(std::make_shared<const ep::Run>(std::move(overview->run)));
    const energy::Ledger whole(std::make_shared<const ep::Run>(m_run));
    const RunTrace& trace = m_run.trace;
    std::mt19937_64 engine(42);
    const auto pick = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine);
    };
    const auto expectTally = [](const Tally& a, const Tally& b) {
        EXPECT_EQ(a.duration_ns, b.duration_ns);
        ASSERT_EQ(a.energy_mj.has_value(), b.energy_mj.has_value());
        if (a.energy_mj) {
            EXPECT_NEAR(a.energy_mj->value, b.energy_mj->value,
                        kRelative * std::abs(b.energy_mj->value));
        }
    };
    for (int i = 0; i < kSelections; ++i) {
        const TokenSpan& token = trace.tokens[pick(trace.tokens.size())];
        TimeRange range = token.time; // a token, a phase, or any period of time
        if (i % 3 == 1)
            range = trace.phases[pick(trace.phases.size())].time;
        if (i % 3 == 2) {
            std::uniform_int_distribution<Nanoseconds> at(trace.time.begin_ns,
                                                          trace.time.end_ns - 1);
            const Nanoseconds begin = at(engine);
            range = {
                begin,
                std::uniform_int_distribution<Nanoseconds>(begin + 1, trace.time.end_ns)(engine)};
        }
        const auto opened = readExcerpt(*m_store, window, range);
        ASSERT_TRUE(opened);
        const energy::Excerpt direct = whole.excerpt(range);
        expectTally(opened->sum, direct.sum);
        if (trace.components.empty()) // a recovered run has none
            continue;
        const Span& component = trace.components[pick(trace.components.size())];
        const energy::PartOfLayer part{.layer = component.layer, .component = component.component};
        expectTally(energy::tallyOf(opened->parts, part), energy::tallyOf(direct.parts, part));
        if (i % 3 != 0)
            continue;
        expectTally(opened->sum, tallyOf(token.time, token.energy));
        Tally spans;
        for (const Span& span : componentsOf(trace, token.index, component.layer)) {
            if (span.component == component.component)
                spans.add(tallyOf(span));
        }
        expectTally(energy::tallyOf(opened->parts, part), spans);
    }
}

// Each kind has the property that it is named for.
TEST(KindsOfRuns, ShiftedMovesTheSamplesBack)
{
    const RunKind kind{.name = "Shifted", .late_ns = 15'000'000};
    RunKind late = kind;
    late.align = false;
    const ep::Run moved = test::makeRun(kind);
    const ep::Run unmoved = test::makeRun(late);
    ASSERT_TRUE(moved.info.power.attribution);
    EXPECT_TRUE(moved.info.power.attribution->offset_applied);
    EXPECT_FALSE(unmoved.info.power.attribution->offset_applied);
    std::size_t differing = 0;
    for (std::size_t i = 0; i < moved.trace.tokens.size(); ++i) {
        const double a = moved.trace.tokens[i].energy.total_mj->value;
        const double b = unmoved.trace.tokens[i].energy.total_mj->value;
        differing += std::abs(a - b) > 1e-3 * b ? 1 : 0;
    }
    EXPECT_GT(differing, moved.trace.tokens.size() / 2);
}

TEST(KindsOfRuns, GapsLeaveNodesWithoutEnergy)
{
    const auto run = std::make_shared<const ep::Run>(test::makeRun({.name = "Gaps", .gap = true}));
    const auto missing = [](const TokenSpan& token) { return !token.energy.total_mj; };
    const auto lost = std::count_if(run->trace.tokens.begin(), run->trace.tokens.end(), missing);
    EXPECT_GT(lost, 0);
    EXPECT_LT(lost, static_cast<std::ptrdiff_t>(run->trace.tokens.size()));
    EXPECT_FALSE(run->metrics.energy.total_mj);
    EXPECT_EQ(run->metrics.energy.provenance, Provenance::Missing);
    const Tally sum = energy::Ledger(run).excerpt(run->trace.time).sum;
    ASSERT_TRUE(sum.energy_mj); // the known part
    EXPECT_GT(sum.energy_mj->value, 0.0);
    EXPECT_TRUE(sum.partial());
    EXPECT_GT(sum.uncovered_ns(), 0);
    EXPECT_LT(sum.uncovered_ns(), run->trace.time.duration_ns());
    EXPECT_FALSE(sum.complete());
    const Tally known = knownEnergy(*run);
    EXPECT_NEAR(known.energy_mj->value, sum.energy_mj->value, kRelative * sum.energy_mj->value);
    EXPECT_EQ(known.uncovered_ns(), sum.uncovered_ns());
}

// The clean execution changes no figure of a twin run, also when it is attributed again; its own
// joules are beside them.
TEST(KindsOfRuns, TwinHasTheFiguresOfItsOwnExecution)
{
    const RunKind kind{.name = "Twin", .twin = true};
    const ep::Run run = test::makeRun(kind);
    const TwinRecord& twin = *run.info.profiling.twin;
    ASSERT_TRUE(twin.clean_mj && twin.instrumented_mj);
    Tally steps;
    for (const TokenSpan& token : run.trace.tokens)
        steps.add(tallyOf(token.time, token.energy));
    EXPECT_NEAR(*twin.instrumented_mj, steps.energy_mj->value, 0.05 * *twin.instrumented_mj);
    EXPECT_NE(*twin.clean_mj, *twin.instrumented_mj);
    EXPECT_EQ(run.metrics.duration_ns, run.trace.time.duration_ns());
    test::TempFolder folder;
    const auto store = test::storeRun(kind, run, folder.path() / "runs.db");
    ASSERT_TRUE(store);
    auto loaded = store->load(run.info.id);
    ASSERT_TRUE(loaded);
    energy::attribute(*loaded, {});
    expectSame(energiesOf(*loaded), energiesOf(run), "reattributed");
    EXPECT_EQ(loaded->metrics, run.metrics);
    EXPECT_EQ(loaded->info.profiling, run.info.profiling);
}

// The rows of the token ledger add up to prefill and decode.
TEST_P(OneNumber, RowsOfTheLedgerAddUp)
{
    const TokenLedger ledger = tokenLedger(m_run.info, m_run.trace);
    double rows = 0.0;
    for (const TokenLedger::Row* row : {&ledger.computed, &ledger.drafted, &ledger.accepted,
                                        &ledger.rejected, &ledger.own, &ledger.between})
        rows += row->energy.energy_mj.value_or(Millijoules{}).value;
    Tally phases;
    for (const PhaseSpan& phase : m_run.trace.phases) {
        if (phase.phase == Phase::Prefill || phase.phase == Phase::Decode)
            phases.add(tallyOf(phase.time, phase.energy));
    }
    if (const auto energy = phases.complete())
        EXPECT_NEAR(rows, energy->value, kRelative * energy->value);
    else
        EXPECT_FALSE(ledger.between.energy.complete());
    EXPECT_EQ(ledger.cached.tokens + ledger.computed.tokens, m_run.info.input_tokens);
    EXPECT_EQ(ledger.own.tokens + ledger.accepted.tokens, m_run.info.output_tokens);
    EXPECT_EQ(ledger.accepted.tokens + ledger.rejected.tokens, ledger.drafted.tokens);
}

TEST(KindsOfRuns, RecoveredHasItsTokensAlone)
{
    const ep::Run run = test::makeRun({.name = "Recovered", .recovered = true});
    EXPECT_TRUE(run.trace.sections.empty());
    EXPECT_EQ(run.trace.tokens.size(), 12U);
    EXPECT_TRUE(run.metrics.energy.total_mj);
}

INSTANTIATE_TEST_SUITE_P(Kinds, OneNumber, testing::ValuesIn(test::runKinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });

} // namespace
} // namespace ep::session
