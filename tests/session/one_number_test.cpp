// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/synthetic_truth.h"
#include "support/temp_folder.h"

#include "ep/core/trace_lookup.h"
#include "ep/energy/attribute.h"
#include "ep/energy/ledger.h"
#include "ep/session/read_excerpt.h"
#include "ep/store/run_json.h"
#include "ep/store/store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

// One number, one origin: whichever way a figure leaves the program, it is the same.
namespace ep::session {
namespace {

constexpr double kRelative = 1e-12;
constexpr int kSelections = 200;

// How a run of the test comes about.
struct Kind {
    const char* name;
    AttributionMethod method = AttributionMethod::Cost;
    Nanoseconds late_ns = 0; // of the samples
    double twin_factor = 1.0; // of all energies: those of a clean twin
    bool batch = false;
    bool cancelled = false;
    bool imported = false; // by JSON
    bool gap = false; // some samples are lost
};

std::ostream& operator<<(std::ostream& stream, const Kind& kind)
{
    return stream << kind.name;
}

void scale(Run& run, double factor)
{
    const auto one = [&](std::optional<Millijoules>& energy) {
        if (energy)
            energy->value *= factor;
    };
    const auto all = [&](EnergyValue& energy) {
        one(energy.total_mj);
        for (auto& rail : energy.rails_mj.values)
            one(rail);
    };
    for (auto& phase : run.trace.phases)
        all(phase.energy);
    for (auto& section : run.trace.sections)
        all(section.energy);
    for (auto& token : run.trace.tokens)
        all(token.energy);
    for (auto& span : run.trace.layers)
        one(span.energy_mj);
    for (auto& span : run.trace.components)
        one(span.energy_mj);
    for (auto& span : run.trace.operations)
        one(span.energy_mj);
    all(run.metrics.energy);
}

Run makeRun(const Kind& kind)
{
    const test::Truth truth = test::makeTruth({.output_tokens = 12, .layers = 4, .time_mw = 500.0});
    Run run;
    run.info.id = "0d6f3a52-5a6c-4b52-8f0e-2a4f3c1d9e77";
    run.info.status = kind.cancelled ? RunStatus::Cancelled : RunStatus::Complete;
    run.info.model.name = "synthetic";
    run.info.depth = Depth::Module;
    run.info.input_tokens = 8;
    run.info.output_tokens = 12;
    run.info.power.source = "replay";
    if (kind.batch) {
        run.info.batch = {{"a", "b", 4, 6}, {"c", "d", 4, 6}};
    }
    run.trace = truth.trace;
    if (kind.batch) {
        for (TokenSpan& token : run.trace.tokens)
            token.sequences = 2;
    }
    int index = 0;
    for (const test::Reading& reading : test::readSensor(truth, {.interval_ms = 20.0})) {
        if (kind.gap && ++index % 7 == 0)
            continue;
        PowerSample sample;
        sample.window = {reading.true_window.begin_ns + kind.late_ns,
                         reading.true_window.end_ns + kind.late_ns};
        sample.arrival_ns = reading.arrival_ns;
        sample.energy_mj[Rail::Cpu] = Millijoules{reading.energy_mj};
        sample.power_mw[Rail::Cpu] =
            meanPower(Millijoules{reading.energy_mj}, sample.window.duration_ns());
        sample.total_mw = sample.power_mw[Rail::Cpu];
        run.trace.samples.push_back(sample);
    }
    energy::attribute(run, {.method = kind.method});
    if (kind.twin_factor != 1.0)
        scale(run, kind.twin_factor);
    if (kind.imported) {
        std::stringstream text(store::runToJson(run));
        auto read = store::runFromJson(text);
        EXPECT_TRUE(read);
        run = *std::move(read);
    }
    return run;
}

// Every energy of a run by the path of its node.
using Energies = std::map<std::string, std::optional<double>>;

Energies energiesOf(const Run& run)
{
    Energies all;
    const auto put = [&](const std::string& path, std::optional<Millijoules> energy) {
        std::string key = path;
        for (int again = 2; all.contains(key); ++again)
            key = path + "#" + std::to_string(again);
        all[key] = energy ? std::optional(energy->value) : std::nullopt;
    };
    const auto whole = [&](const std::string& path, const EnergyValue& energy) {
        put(path, energy.total_mj);
        for (std::size_t rail = 0; rail < kRailCount; ++rail)
            put(path + "/rail" + std::to_string(rail), energy.rails_mj.values[rail]);
    };
    whole("run", run.metrics.energy);
    for (const PhaseSpan& phase : run.trace.phases)
        whole("phase/" + std::string(name(phase.phase)), phase.energy);
    for (const SectionSpan& section : run.trace.sections)
        whole("section/" + std::to_string(section.token) + std::string(name(section.section)),
              section.energy);
    for (const TokenSpan& token : run.trace.tokens)
        whole("token/" + std::to_string(token.index), token.energy);
    const auto step = [](const auto& span) {
        return std::to_string(span.token) + "/" + std::to_string(span.layer);
    };
    for (const LayerSpan& span : run.trace.layers)
        put("layer/" + step(span), span.energy_mj);
    for (const ComponentSpan& span : run.trace.components)
        put("component/" + step(span) + std::string(name(span.component)), span.energy_mj);
    return all;
}

void expectSame(const Energies& a, const Energies& b, const char* way)
{
    ASSERT_EQ(a.size(), b.size()) << way;
    for (const auto& [path, energy] : a) {
        const auto other = b.find(path);
        ASSERT_TRUE(other != b.end()) << way << ": " << path;
        ASSERT_EQ(energy.has_value(), other->second.has_value()) << way << ": " << path;
        if (energy) {
            EXPECT_NEAR(*energy, *other->second, kRelative * std::abs(*energy))
                << way << ": " << path;
        }
    }
}

// The column of a CSV file, absent where it is empty.
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

template <typename Span, typename EnergyOf>
void expectColumn(const std::filesystem::path& file, const std::vector<Span>& spans,
                  EnergyOf energyOf)
{
    const auto values = csvColumn(file, "energy_mj");
    ASSERT_EQ(values.size(), spans.size()) << file;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const std::optional<Millijoules> energy = energyOf(spans[i]);
        ASSERT_EQ(values[i].has_value(), energy.has_value()) << file << " row " << i;
        if (energy) {
            EXPECT_NEAR(*values[i], energy->value, kRelative * std::abs(energy->value)) << file;
        }
    }
}

class OneNumber : public testing::TestWithParam<Kind> {
protected:
    void SetUp() override
    {
        auto opened = store::Store::open(m_folder.path() / "runs.db");
        ASSERT_TRUE(opened);
        m_store = *std::move(opened);
        ASSERT_TRUE(m_store->saveRun(m_run));
    }

    test::TempFolder m_folder;
    ep::Run m_run = makeRun(GetParam());
    std::unique_ptr<store::Store> m_store;
};

TEST_P(OneNumber, LeavesByEveryWay)
{
    const Energies expected = energiesOf(m_run);
    const auto loaded = m_store->load(m_run.info.id);
    ASSERT_TRUE(loaded);
    expectSame(energiesOf(*loaded), expected, "database");

    std::stringstream json(store::runToJson(*loaded));
    const auto read = store::runFromJson(json);
    ASSERT_TRUE(read);
    expectSame(energiesOf(*read), expected, "JSON");

    const auto folder = m_folder.path() / "csv";
    ASSERT_TRUE(store::exportCsv(*loaded, folder.string()));
    const auto rich = [](const auto& span) { return span.energy.total_mj; };
    const auto plain = [](const auto& span) { return span.energy_mj; };
    expectColumn(folder / "phases.csv", m_run.trace.phases, rich);
    expectColumn(folder / "pipeline_sections.csv", m_run.trace.sections, rich);
    expectColumn(folder / "tokens.csv", m_run.trace.tokens, rich);
    expectColumn(folder / "layer_metrics.csv", m_run.trace.layers, plain);
    expectColumn(folder / "component_metrics.csv", m_run.trace.components, plain);
}

// What the window shows of a run that it opened without its spans, against sums over the spans.
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
        const ComponentSpan& component = trace.components[pick(trace.components.size())];
        TimeRange range = token.time; // a token, a phase, or any stretch of time
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
        const energy::PartOfLayer part{.layer = component.layer, .component = component.component};
        expectTally(energy::tallyOf(opened->parts, part), energy::tallyOf(direct.parts, part));
        if (i % 3 != 0)
            continue;
        expectTally(opened->sum, tallyOf(token.time, token.energy));
        Tally spans;
        for (const ComponentSpan& span : componentsOf(trace, token.index, component.layer)) {
            if (span.component == component.component)
                spans.add(span.time.duration_ns(), span.energy_mj, Provenance::Attributed);
        }
        expectTally(energy::tallyOf(opened->parts, part), spans);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OneNumber,
                         testing::Values(Kind{.name = "ByTime", .method = AttributionMethod::Time},
                                         Kind{.name = "ByCost"},
                                         Kind{.name = "Shifted", .late_ns = 15'000'000},
                                         Kind{.name = "Twin", .twin_factor = 0.87654321},
                                         Kind{.name = "Batch", .batch = true},
                                         Kind{.name = "Cancelled", .cancelled = true},
                                         Kind{.name = "Imported", .imported = true},
                                         Kind{.name = "Gaps", .gap = true}),
                         [](const auto& kind) { return std::string(kind.param.name); });

} // namespace
} // namespace ep::session
