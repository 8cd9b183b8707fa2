// SPDX-License-Identifier: GPL-3.0-or-later
// The outputs of the program above the store: API, Perfetto trace, comparison, terminal, report
// and run summary. tests/session/one_number_test.cpp covers database, JSON, CSV and excerpts.
#include "run_text.h"
#include "run_view.h"
#include "shown_figures.h"
#include "support/run_kinds.h"
#include "support/temp_folder.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/session/comparison.h"
#include "ep/store/run_json.h"
#include "ep/ui/report.h"
#include "ep/viz/metric.h"

#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

namespace ep::test {
namespace {

using api::Json;
using testing::HasSubstr;

class OneNumberWays : public testing::TestWithParam<RunKind> {
protected:
    void SetUp() override
    {
        m_store = storeRun(GetParam(), m_run, m_folder.path() / "runs.db");
        ASSERT_TRUE(m_store);
        auto loaded = m_store->load(m_run.info.id);
        ASSERT_TRUE(loaded);
        m_loaded = *std::move(loaded);
    }

    TempFolder m_folder;
    ep::Run m_run = makeRun(GetParam());
    ep::Run m_loaded; // the run as all outputs load it
    std::unique_ptr<store::Store> m_store;
};

std::optional<double> millijoules(const std::optional<Millijoules>& energy)
{
    return energy ? std::optional(energy->value) : std::nullopt;
}

void expectNumber(const std::optional<double>& number, const std::optional<double>& expected,
                  const std::string& where)
{
    ASSERT_EQ(number.has_value(), expected.has_value()) << where;
    if (number) {
        EXPECT_NEAR(*number, *expected, 1e-12 * std::abs(*expected)) << where;
    }
}

// Adds the total and the rails of an object of the API.
void putEnergy(Energies& energies, const std::string& path, const Json& json)
{
    energies[path] = numberAt(json, "energy_mj");
    for (const Rail rail : kRails) {
        energies[path + "/rail" + std::to_string(static_cast<int>(rail))] =
            numberAt(json, std::string(name(rail)) + "_energy_mj");
    }
}

// The API's nodes under the paths of energiesOf(); messages have no rails.
Energies energiesOfApi(const ep::Run& run)
{
    Energies energies;
    const Json summary = api::runSummary(run);
    putEnergy(energies, "run", summary.at("rails"));
    for (const Json& phase : summary.at("phases"))
        putEnergy(energies, "phase/" + phase.at("phase").get<std::string>(), phase);
    const Json pipeline = api::runPipeline(run);
    for (const Json& phase : pipeline.at("phases")) {
        for (const Json& section : phase.at("sections")) {
            const Json& token = section.at("token");
            putEnergy(energies,
                      "section/" + std::to_string(token.is_null() ? kNoToken : token.get<int>())
                          + section.at("section_name").get<std::string>(),
                      section);
        }
    }
    for (const TokenSpan& token : run.trace.tokens) {
        session::TokenComplete event{.token = token, .layers = {}, .components = {}};
        const std::string index = std::to_string(token.index);
        for (const Span& layer : run.trace.layers) {
            if (layer.token == token.index)
                event.layers.push_back(layer);
        }
        for (const Span& component : run.trace.components) {
            if (component.token == token.index)
                event.components.push_back(component);
        }
        energies["token/" + index] = numberAt(api::tokenMessage({}, event), "energy_mj");
        const Json layers = api::layerMessage({}, event);
        for (const Json& layer : layers.at("layers")) {
            const std::string path = index + "/" + layer.at("layer_index").dump();
            energies["layer/" + path] = numberAt(layer, "energy_mj");
        }
        const Json components = api::componentMessage({}, event);
        for (const Json& part : components.at("components")) {
            const std::string path = index + "/" + part.at("layer_index").dump();
            energies["component/" + path + part.at("component_name").get<std::string>()] =
                numberAt(part, "energy_mj");
        }
    }
    return energies;
}

TEST_P(OneNumberWays, Api)
{
    Energies expected = energiesOf(m_run);
    std::erase_if(expected, [](const auto& node) {
        return node.first.starts_with("token/") && node.first.find("/rail") != std::string::npos;
    });
    expectSame(energiesOfApi(m_loaded), expected, "API");

    const Json summary = api::runSummary(m_loaded);
    const auto expectKnown = [](const Json& json, const Tally& known, const std::string& where) {
        expectNumber(numberAt(json, "known_energy_mj"), millijoules(known.energy_mj), where);
        expectNumber(numberAt(json, "energy_uncovered_ms"), toMilliseconds(known.uncovered_ns()),
                     where);
    };
    expectKnown(summary.at("rails"), knownEnergy(m_run), "run");
    for (std::size_t i = 0; i < m_run.trace.phases.size(); ++i) {
        expectKnown(summary.at("phases").at(i), knownEnergy(m_run.trace, m_run.trace.phases[i]),
                    "phase " + std::to_string(i));
    }

    const auto listed = m_store->list();
    ASSERT_TRUE(listed);
    ASSERT_EQ(listed->size(), 1U);
    for (const Json& item :
         {api::runItem(listed->front()), api::runSummary(m_loaded),
          api::runComparison({{"", {{std::make_shared<const ep::Run>(m_loaded), nullptr}}}})
              .at("runs")
              .at(0)}) {
        for (const RunFigureFacts& facts : kRunFigures) {
            expectNumber(numberAt(item, facts.api),
                         apiValueOf(facts.figure, {m_run.info, m_run.metrics}), facts.api);
        }
    }
}

TEST_P(OneNumberWays, SumsOfComponentsInTheApi)
{
    std::map<std::string, Tally> sums;
    for (const Span& span : m_run.trace.components)
        sums[std::string(name(span.component))].add(tallyOf(span));
    const Json summary = api::runSummary(m_loaded);
    ASSERT_EQ(summary.at("components").size(), sums.size());
    for (const Json& part : summary.at("components")) {
        const std::string component = part.at("component_name").get<std::string>();
        const Tally& sum = sums.at(component);
        expectNumber(numberAt(part, "energy_mj"), millijoules(sum.complete()), component);
        expectNumber(numberAt(part, "known_energy_mj"), millijoules(sum.energy_mj), component);
        expectNumber(numberAt(part, "energy_uncovered_ms"), toMilliseconds(sum.uncovered_ns()),
                     component);
    }
}

EnergyValue energyOf(const Span& span)
{
    return span.energy();
}
template <typename Node>
EnergyValue energyOf(const Node& node)
{
    return node.energy;
}

// The slices of one category, in trace order.
template <typename Any>
void expectSlices(const Json& trace, const char* category, const std::vector<Any>& spans)
{
    std::size_t index = 0;
    for (const Json& event : trace.at("traceEvents")) {
        if (event.value("cat", "") != category)
            continue;
        ASSERT_LT(index, spans.size()) << category;
        const EnergyValue energy = energyOf(spans[index++]);
        const std::string where = category + std::to_string(index);
        const Json& arguments = event.at("args");
        const auto joules = [&](const std::optional<Millijoules>& mj) {
            return mj ? std::optional(mj->value / 1e3) : std::nullopt;
        };
        expectNumber(numberAt(arguments, "joules"), joules(energy.total_mj), where);
        for (const Rail rail : kRails) {
            expectNumber(numberAt(arguments, std::string(name(rail)) + "_joules"),
                         joules(energy.rails_mj[rail]), where);
        }
    }
    EXPECT_EQ(index, spans.size()) << category;
}

TEST_P(OneNumberWays, Perfetto)
{
    std::stringstream text;
    ASSERT_TRUE(store::writeTrace(store::RunInMemory(m_loaded), text));
    const Json trace = Json::parse(text);
    expectSlices(trace, "phase", m_run.trace.phases);
    expectSlices(trace, "token", m_run.trace.tokens);
    for (const SpanLevel level : kSpanLevels)
        expectSlices(trace, std::string(name(level)).c_str(), m_run.trace.spans(level));
}

// A sum is known if all its parts are.
template <typename Fits>
std::optional<double> sumOf(const std::vector<Span>& spans, const Fits& fits)
{
    double sum = 0.0;
    for (const Span& span : spans) {
        if (!fits(span))
            continue;
        if (!span.energy_mj)
            return std::nullopt;
        sum += span.energy_mj->value;
    }
    return sum;
}

std::optional<double> expectedOf(const energy::DifferenceNode& node, const RunTrace& trace)
{
    if (node.component) {
        return sumOf(trace.components, [&](const Span& span) {
            return span.component == *node.component && (!node.layer || span.layer == *node.layer);
        });
    }
    return sumOf(trace.sections, [&](const Span& span) {
        return span.section == *node.section && (!node.phase || span.phase == *node.phase);
    });
}

TEST_P(OneNumberWays, Comparison)
{
    const auto groups = session::loadGroups(*m_store, {{m_run.info.id}, {m_run.info.id}});
    ASSERT_TRUE(groups);
    const energy::Comparison comparison =
        energy::compare(*groups, {.normalisation = energy::Normalisation::PerRun});
    ASSERT_FALSE(comparison.tree.empty());
    for (const energy::DifferenceNode& node : comparison.tree) {
        if (node.depth > 0 && !node.component && !node.section)
            continue; // a remainder, checked by the sum below
        const auto expected = node.depth == 0 ? millijoules(m_run.metrics.energy.total_mj)
                                              : expectedOf(node, m_run.trace);
        for (const energy::NodeCell& cell : node.energy_mj)
            expectNumber(cell.mean, expected, node.word);
    }
    // The parts of the run add up to it. A recovered run only has tokens, which are not parts here.
    double parts = 0.0;
    bool known = comparison.tree.size() > 1;
    for (const energy::DifferenceNode& node : comparison.tree) {
        known = known && node.energy_mj.front().mean;
        parts += node.depth == 1 ? node.energy_mj.front().mean.value_or(0.0) : 0.0;
    }
    if (known) {
        const double whole = *comparison.tree.front().energy_mj.front().mean;
        EXPECT_NEAR(parts, whole, 1e-9 * whole);
    }
    for (const energy::MetricRow& row : comparison.rows) {
        const auto expected = valueOf(row.metric, m_run.info, m_run.metrics);
        for (const energy::MetricCell& cell : row.groups) {
            ASSERT_EQ(cell.values.size(), expected ? 1U : 0U) << name(row.metric);
            if (expected)
                expectNumber(cell.values.front(), expected, std::string(name(row.metric)));
        }
    }
    // The JSON has the same numbers.
    const Json json = Json::parse(session::comparisonToJson(comparison));
    const Json& tree = json.at("tree");
    ASSERT_EQ(tree.size(), comparison.tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        expectNumber(numberAt(tree[i].at("energy_mj").at(0), "mean"),
                     comparison.tree[i].energy_mj.front().mean, comparison.tree[i].word);
    }
}

TEST_P(OneNumberWays, Terminal)
{
    const std::string text = app::summaryText(m_loaded);
    for (const PhaseSpan& phase : m_run.trace.phases) {
        EXPECT_THAT(lineOf(text, std::string(name(phase.phase))),
                    HasSubstr(" " + formatEnergy(knownEnergy(m_run.trace, phase)) + " "));
    }
    const Tally known = knownEnergy(m_run);
    EXPECT_THAT(lineOf(text, "run"), HasSubstr(" " + formatEnergy(known) + " "));
    if (known.partial()) {
        EXPECT_THAT(lineOf(text, "run"), HasSubstr(formatDuration(known.uncovered_ns())));
    }
    for (const RunFigureFacts& facts : kRunFigures) {
        const auto value = valueOf(facts.figure, m_run.info, m_run.metrics);
        const std::string line = lineOf(text, facts.title);
        EXPECT_EQ(line.empty(), !value) << facts.title;
        if (value) {
            EXPECT_THAT(line, HasSubstr(formatFigure(facts.figure, value)));
        }
    }
    if (const auto& energy = m_run.metrics.energy; energy.total_mj) {
        const std::string total = formatEnergy(energy.total_mj);
        EXPECT_THAT(lineOf(text, "total"),
                    testing::AnyOf(HasSubstr(total + " "), HasSubstr(total + ";")));
        EXPECT_THAT(lineOf(text, "cpu"), HasSubstr(formatEnergy(energy.rails_mj[Rail::Cpu])));
    }
    const auto listed = m_store->list();
    ASSERT_TRUE(listed);
    EXPECT_THAT(app::listText(*listed),
                HasSubstr(formatCell(RunFigure::Energy,
                                     valueOf(RunFigure::Energy, m_run.info, m_run.metrics))));
}

// The row of an HTML table whose first cell is the title.
std::string rowOf(const std::string& html, const std::string& title)
{
    const std::string first = "<tr><td>" + title + "</td>";
    const std::size_t begin = html.find(first);
    return begin == std::string::npos ? std::string()
                                      : html.substr(begin, html.find("</tr>", begin) - begin);
}

TEST_P(OneNumberWays, Report)
{
    const auto groups = session::loadGroups(*m_store, {{m_run.info.id}});
    ASSERT_TRUE(groups);
    const std::string html = ui::reportHtml({.groups = *groups, .comparison = {}});
    for (const PhaseSpan& phase : m_run.trace.phases) {
        EXPECT_THAT(rowOf(html, std::string(viz::title(phase.phase))),
                    HasSubstr(">" + formatEnergy(knownEnergy(m_run.trace, phase)) + "</td>"));
    }
    for (const RunFigureFacts& facts : kRunFigures) {
        EXPECT_THAT(
            rowOf(html, facts.title),
            HasSubstr(">"
                      + formatFigure(facts.figure, valueOf(facts.figure, m_run.info, m_run.metrics))
                      + "</td>"));
    }
}

TEST_P(OneNumberWays, RunSummary)
{
    const auto listed = m_store->list();
    ASSERT_TRUE(listed);
    for (const std::string& text : {store::summaryToJson(listed->front()),
                                    store::summaryToJson({m_loaded.info, m_loaded.metrics})}) {
        const Json metrics = Json::parse(text).at("metrics");
        const Json& energy = metrics.at("energy");
        expectNumber(numberAt(energy, "total_mj"), millijoules(m_run.metrics.energy.total_mj),
                     "total");
        for (const Rail rail : kRails) {
            expectNumber(numberAt(energy.at("rails"), std::string(name(rail))),
                         millijoules(m_run.metrics.energy.rails_mj[rail]), std::string(name(rail)));
        }
        for (const RunFigureFacts& facts : kRunFigures) {
            if (!facts.field || facts.figure == RunFigure::Energy || !needsEnergy(facts.figure))
                continue;
            const double factor = std::string(facts.unit) == "W" ? 1e3 : 1.0;
            auto expected = valueOf(facts.figure, m_run.info, m_run.metrics);
            if (expected)
                *expected *= factor;
            expectNumber(numberAt(metrics, facts.field), expected, facts.field);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OneNumberWays, testing::ValuesIn(runKinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });

} // namespace
} // namespace ep::test
