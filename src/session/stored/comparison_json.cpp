// SPDX-License-Identifier: GPL-3.0-or-later
#include "stored/side_json.h"

#include "ep/core/enum_words.h"
#include "ep/session/comparison.h"

#include <array>
#include <cmath>

namespace ep::session {

namespace {

using Json = json::OrderedJson;
using energy::Comparison;
using energy::Interval;
using energy::NodeCell;

Json toJson(const std::optional<Interval>& interval)
{
    return interval ? Json{{"low", interval->low}, {"high", interval->high}} : Json(nullptr);
}

// In the order of Better and of ComparisonWarning::Weight.
constexpr std::array kBetterWords{"neither", "lower", "higher"};
constexpr std::array kWeightWords{"note", "caution", "serious"};

Json toJson(const energy::SampleStatistics& s)
{
    if (s.n == 0)
        return Json{{"n", 0}};
    return {
        {"n", s.n},         {"mean", s.mean}, {"median", s.median},     {"min", s.smallest},
        {"max", s.largest}, {"sd", s.sd},     {"ci95", toJson(s.ci95)}, {"ci_method", s.ci_method}};
}

Json toJson(const energy::SideTest& test)
{
    return {{"difference", test.difference},
            {"relative", finiteJson(test.relative)},
            {"interval", intervalJson(test.interval)},
            {"confidence", test.confidence},
            {"test", energy::name(test.kind)},
            {"reason", test.reason},
            {"p", test.p},
            {"p_corrected", test.p_corrected},
            {"hedges_g", test.hedges_g},
            {"more_needed", test.more_needed ? Json(test.more_needed->about) : Json()}};
}

Json rowsOf(const Comparison& comparison)
{
    Json rows = Json::array();
    for (const energy::MetricRow& row : comparison.rows) {
        Json cells = Json::array();
        for (std::size_t g = 0; g < row.groups.size(); ++g) {
            const energy::MetricCell& cell = row.groups[g];
            cells.push_back({{"values", cell.values},
                             {"statistics", toJson(cell.statistics)},
                             {"provenance", std::string(name(cell.provenance))},
                             {"verdict", std::string(name(cell.verdict))},
                             {"sentence", sentenceOf(comparison, row, g)},
                             {"against_baseline", cell.test ? toJson(*cell.test) : Json(nullptr)}});
        }
        rows.push_back({{"metric", std::string(name(row.metric))},
                        {"unit", factsOf(row.metric).unit},
                        {"better", wordOf(kBetterWords, factsOf(row.metric).better)},
                        {"groups", std::move(cells)}});
    }
    return rows;
}

Json toJson(const std::vector<NodeCell>& cells)
{
    Json all = Json::array();
    for (const NodeCell& cell : cells) {
        all.push_back(
            {{"mean", cell.mean}, {"difference", cell.difference}, {"ci95", toJson(cell.ci95)}});
    }
    return all;
}

Json toJson(const Comparison& comparison, const energy::DifferenceNode& node)
{
    Json all = Json::array();
    for (std::size_t g = 0; g < node.tests.size(); ++g) {
        const energy::NodeTest& test = node.tests[g];
        all.push_back({{"verdict", std::string(name(test.verdict))},
                       {"sentence", sentenceOf(comparison, node, g)},
                       {"relative", test.relative},
                       {"p", test.p},
                       {"p_adjusted", test.p_adjusted},
                       {"from_power_mj", test.from_power_mj},
                       {"from_time_mj", test.from_time_mj},
                       {"repeats_needed", test.repeats_needed}});
    }
    return all;
}

Json qualityJson(const Comparison& comparison, std::size_t group)
{
    const auto& record = comparison.groups[group].quality;
    Json json{{"sentence", qualitySentence(comparison, group)},
              {"perplexity", record ? Json(record->perplexity) : Json()},
              {"text", record ? Json(record->text_name) : Json()},
              {"text_hash", record ? Json(record->text_hash) : Json()},
              {"kl_nats", record ? Json(record->kl) : Json()},
              {"top1_agreement", record ? Json(record->top1) : Json()}};
    return json;
}

Json answerJson(const Comparison& comparison, std::size_t group)
{
    const auto& answer = comparison.groups[group].answer;
    return answer ? sideJson(*answer, comparison.groups[comparison.options.baseline].label,
                             comparison.groups[group].label)
                  : Json(nullptr);
}

std::string pathOf(const Comparison& comparison, const energy::DifferenceNode& node)
{
    if (node.parent < 0)
        return node.word;
    return pathOf(comparison, comparison.tree[static_cast<std::size_t>(node.parent)]) + " > "
        + node.word;
}

std::string numberOrEmpty(const std::optional<double>& value)
{
    return value ? json::textOf(Json(*value)) : std::string();
}

// In joules, or in seconds if an energy is unknown.
Json causesJson(const std::optional<energy::CauseDifference>& causes)
{
    if (!causes)
        return nullptr;
    const auto amount = [](energy::Picojoules value) {
        return energy::toDouble(value) * energy::kPico;
    };
    Json parts = Json::array();
    for (const energy::DifferencePart& part : causes->parts) {
        parts.push_back({{"part", std::string(part.id)},
                         {"before", amount(part.before)},
                         {"after", amount(part.after)},
                         {"difference", amount(part.difference())},
                         {"by_amount", amount(part.by_amount)},
                         {"by_price", amount(part.by_price)},
                         {"sd", part.sd}});
    }
    return {{"sentence", causes->sentence},
            {"unit", causes->of_time ? "s" : "J"},
            {"per_output_token", causes->per_token},
            {"difference", amount(causes->difference())},
            {"parts", std::move(parts)}};
}

} // namespace

Json finiteJson(const std::optional<double>& value)
{
    return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json intervalJson(const std::optional<Interval>& interval)
{
    return interval ? Json{{"low", finiteJson(interval->low)}, {"high", finiteJson(interval->high)}}
                    : Json(nullptr);
}

Json sideJson(const energy::SideTest& test, const Message& a, const Message& b)
{
    Json more = nullptr;
    if (const auto& needed = test.more_needed)
        more = {{"about", needed->about}, {"low", needed->low}, {"high", needed->high}};
    return {{"a", a},
            {"b", b},
            {"figure", factsOf(test.figure).id},
            {"verdict", energy::name(test.verdict)},
            {"sentence", verdictSentence(test, a, b)},
            {"relative", finiteJson(test.relative)},
            {"interval", intervalJson(test.interval)},
            {"confidence", test.confidence},
            {"test", energy::name(test.kind)},
            {"p", test.p},
            {"p_corrected", test.p_corrected},
            {"smallest_difference", test.smallest_difference},
            {"values_a", test.n_a},
            {"values_b", test.n_b},
            {"pairs", test.pairs},
            {"pairs_used", test.pairs_used},
            {"more_needed", std::move(more)},
            {"first", energy::firstSide(test)},
            {"correlation", test.correlation}};
}

std::string sideToJson(const energy::SideTest& test, const Message& a, const Message& b)
{
    return json::textOf(sideJson(test, a, b));
}

std::string treeToCsv(const Comparison& comparison, CsvText formulas)
{
    std::string text = "node,depth,group,baseline_energy_mj,energy_mj,energy_difference_mj,"
                       "energy_ci95_low_mj,energy_ci95_high_mj,from_power_mj,from_time_mj,"
                       "baseline_time_ms,time_ms,time_difference_ms,tested,relative,p,p_adjusted,"
                       "repeats_needed,verdict\n";
    const std::size_t baseline = comparison.options.baseline;
    const char* tested = comparison.tested == energy::NodeQuantity::Energy ? "energy" : "time";
    for (const energy::DifferenceNode& node : comparison.tree) {
        for (std::size_t g = 0; g < node.tests.size(); ++g) {
            if (g == baseline)
                continue;
            const NodeCell& mj = node.energy_mj[g];
            const NodeCell& ms = node.time_ms[g];
            const energy::NodeTest& test = node.tests[g];
            const auto bound = [&](double Interval::*end) {
                return mj.ci95 ? std::optional((*mj.ci95).*end) : std::nullopt;
            };
            text += csvCell(pathOf(comparison, node), formulas) + ',' + std::to_string(node.depth)
                + ',' + csvCell(comparison.groups[g].label.english(), formulas);
            for (const std::optional<double>& value :
                 {node.energy_mj[baseline].mean, mj.mean, mj.difference, bound(&Interval::low),
                  bound(&Interval::high), test.from_power_mj, test.from_time_mj,
                  node.time_ms[baseline].mean, ms.mean, ms.difference})
                text += ',' + numberOrEmpty(value);
            text += std::string(",") + tested + ',' + numberOrEmpty(test.relative) + ','
                + numberOrEmpty(test.p) + ',' + numberOrEmpty(test.p_adjusted) + ','
                + (test.repeats_needed ? std::to_string(*test.repeats_needed) : std::string()) + ','
                + std::string(name(test.verdict)) + '\n';
        }
    }
    return text;
}

std::string comparisonToJson(const Comparison& comparison, int indent)
{
    Json groups = Json::array();
    for (const energy::GroupFacts& group : comparison.groups) {
        Json tokens = nullptr;
        if (group.tokens) {
            tokens = {{"mean_joules", group.tokens->mean},
                      {"ci95", toJson(std::optional(group.tokens->ci95))},
                      {"n", group.tokens->n},
                      {"block", group.tokens->block},
                      {"describes", "the first run of the group only"}};
        }
        groups.push_back({{"label", group.label},
                          {"runs", group.ids},
                          {"provenance", std::string(name(group.provenance))},
                          {"power_source", group.source},
                          {"decoded_tokens", std::move(tokens)},
                          {"quality", qualityJson(comparison, groups.size())},
                          {"comparison", answerJson(comparison, groups.size())},
                          {"causes", causesJson(group.causes)}});
    }
    Json first = nullptr; // first group that is not the baseline
    for (const Json& group : groups) {
        if (first.is_null())
            first = group.at("comparison");
    }
    Json warnings = Json::array();
    for (const energy::ComparisonWarning& warning : comparison.warnings)
        warnings.push_back(
            {{"weight", wordOf(kWeightWords, warning.weight)}, {"text", warning.text}});
    Json tree = Json::array();
    for (const energy::DifferenceNode& node : comparison.tree) {
        tree.push_back({{"node", node.word},
                        {"depth", node.depth},
                        {"parent", node.parent},
                        {"energy_mj", toJson(node.energy_mj)},
                        {"time_ms", toJson(node.time_ms)},
                        {"tests", toJson(comparison, node)}});
    }
    const Json all{
        {"format", "energy-profiler-comparison"},
        {"version", 1},
        {"baseline", comparison.options.baseline},
        {"smallest_difference", comparison.options.smallest_difference},
        {"normalised", std::string(name(comparison.options.normalisation))},
        {"differs_in", comparison.differs_in},
        {"comparison", std::move(first)},
        {"groups", std::move(groups)},
        {"warnings", std::move(warnings)},
        {"tests", comparison.tests},
        {"metrics", rowsOf(comparison)},
        {"tree_tests",
         {{"quantity", comparison.tested == energy::NodeQuantity::Energy ? "energy" : "time"},
          {"leaves", comparison.leaves},
          {"explanation", explainTree(comparison)}}},
        {"tree", std::move(tree)}};
    return json::textOf(all, indent);
}

} // namespace ep::session
