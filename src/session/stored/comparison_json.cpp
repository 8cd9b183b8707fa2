// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/comparison.h"

#include <nlohmann/json.hpp>

namespace ep::session {

namespace {

using Json = nlohmann::ordered_json;
using energy::Comparison;
using energy::Interval;
using energy::NodeCell;

template <typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json toJson(const std::optional<Interval>& interval)
{
    return interval ? Json{{"low", interval->low}, {"high", interval->high}} : Json(nullptr);
}

const char* word(energy::GroupTestKind kind)
{
    switch (kind) {
    case energy::GroupTestKind::Welch:
        return "welch";
    case energy::GroupTestKind::MannWhitney:
        return "mann_whitney";
    case energy::GroupTestKind::None:
        break;
    }
    return "none";
}

const char* word(Better better)
{
    switch (better) {
    case Better::Lower:
        return "lower";
    case Better::Higher:
        return "higher";
    case Better::Neither:
        break;
    }
    return "neither";
}

const char* word(energy::ComparisonWarning::Weight weight)
{
    switch (weight) {
    case energy::ComparisonWarning::Weight::Serious:
        return "serious";
    case energy::ComparisonWarning::Weight::Caution:
        return "caution";
    case energy::ComparisonWarning::Weight::Note:
        break;
    }
    return "note";
}

Json toJson(const energy::SampleStatistics& s)
{
    if (s.n == 0)
        return Json{{"n", 0}};
    return {{"n", s.n},
            {"mean", s.mean},
            {"median", s.median},
            {"min", s.smallest},
            {"max", s.largest},
            {"sd", orNull(s.sd)},
            {"ci95", toJson(s.ci95)},
            {"ci_method", s.ci_method}};
}

Json toJson(const energy::GroupTest& test)
{
    return {{"difference", test.difference},
            {"relative", orNull(test.relative)},
            {"ci95", toJson(test.ci95)},
            {"test", word(test.kind)},
            {"reason", test.reason},
            {"p", orNull(test.p)},
            {"p_holm", orNull(test.p_holm)},
            {"hedges_g", orNull(test.hedges_g)},
            {"cliffs_delta", orNull(test.cliffs_delta)},
            {"repeats_needed", orNull(test.repeats_needed)}};
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
                        {"better", word(factsOf(row.metric).better)},
                        {"groups", std::move(cells)}});
    }
    return rows;
}

Json toJson(const std::vector<NodeCell>& cells)
{
    Json all = Json::array();
    for (const NodeCell& cell : cells) {
        all.push_back({{"mean", orNull(cell.mean)},
                       {"difference", orNull(cell.difference)},
                       {"ci95", toJson(cell.ci95)}});
    }
    return all;
}

} // namespace

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
                          {"decoded_tokens", std::move(tokens)}});
    }
    Json warnings = Json::array();
    for (const energy::ComparisonWarning& warning : comparison.warnings)
        warnings.push_back({{"weight", word(warning.weight)}, {"text", warning.text}});
    Json tree = Json::array();
    for (const energy::DifferenceNode& node : comparison.tree) {
        tree.push_back({{"node", node.word},
                        {"depth", node.depth},
                        {"parent", node.parent},
                        {"energy_mj", toJson(node.energy_mj)},
                        {"time_ms", toJson(node.time_ms)}});
    }
    const Json all{{"format", "energy-profiler-comparison"},
                   {"version", 1},
                   {"baseline", comparison.options.baseline},
                   {"neutral", comparison.options.neutral},
                   {"normalised", std::string(name(comparison.options.normalisation))},
                   {"differs_in", comparison.differs_in},
                   {"groups", std::move(groups)},
                   {"warnings", std::move(warnings)},
                   {"tests", comparison.tests},
                   {"metrics", rowsOf(comparison)},
                   {"tree", std::move(tree)}};
    return all.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace ep::session
