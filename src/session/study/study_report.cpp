// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/matmul_kind.h"
#include "ep/core/run_figure.h"
#include "ep/energy/comparison.h"
#include "ep/session/study.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

namespace ep::session {

namespace {

constexpr std::string_view kHostTag = "host:";

StudyFigure figureOf(const std::vector<double>& values)
{
    StudyFigure figure;
    figure.count = static_cast<int>(values.size());
    if (values.empty())
        return figure;
    for (const double value : values)
        figure.mean += value / static_cast<double>(values.size());
    double squares = 0.0;
    for (const double value : values)
        squares += (value - figure.mean) * (value - figure.mean);
    if (values.size() > 1)
        figure.sd = std::sqrt(squares / static_cast<double>(values.size() - 1));
    return figure;
}

std::string machineOf(const RunInfo& info)
{
    std::string text;
    for (const std::string& tag : info.tags) {
        if (tag.starts_with(kHostTag))
            text = tag.substr(kHostTag.size()) + ": ";
    }
    return text + info.environment.cpu + ", " + info.environment.os;
}

struct Values {
    std::vector<double> joules, totalJoules, speed, duration;
    std::vector<std::string> runs;
};

// The compared quantity: energies or, without any, times.
const std::vector<double>& comparedOf(const Values& values)
{
    return values.joules.empty() ? values.duration : values.joules;
}

using Key = std::tuple<std::string, std::string, bool, std::size_t>; // machine, source, modelled

// Compares every cell of one machine and source with the first one.
void testAgainstFirst(std::span<StudyGroup> groups, std::span<const Values* const> values)
{
    groups.front().baseline = true;
    std::vector<double> p;
    for (std::size_t i = 1; i < groups.size(); ++i) {
        if (values[i]->joules.empty() != values[0]->joules.empty())
            continue; // nothing in common
        groups[i].test = energy::compareGroups(comparedOf(*values[0]), comparedOf(*values[i]));
        if (groups[i].test->p)
            p.push_back(*groups[i].test->p);
    }
    const std::vector<double> corrected = energy::holmAdjusted(p);
    auto next = corrected.begin();
    for (StudyGroup& group : groups) {
        if (group.test && group.test->p)
            group.test->p_holm = *next++;
    }
}

std::vector<StudyGroup> groupsOf(const StudyPlan& plan, const std::vector<RunSummary>& runs)
{
    std::map<std::string, std::size_t> cells; // by tag
    for (const StudyStep& step : plan.steps)
        cells[step.tag] = step.cell;
    std::map<Key, Values> found;
    for (const RunSummary& run : runs) {
        if (run.info.status != RunStatus::Complete)
            continue;
        for (const std::string& tag : run.info.tags) {
            const auto cell = cells.find(tag);
            if (cell == cells.end())
                continue;
            Values& values =
                found[{machineOf(run.info), run.info.power.source,
                       run.metrics.energy.provenance == Provenance::Modelled, cell->second}];
            if (run.metrics.joules_per_token)
                values.joules.push_back(*run.metrics.joules_per_token);
            if (const auto joules = valueOf(RunFigure::JoulesPerTotalToken, run))
                values.totalJoules.push_back(*joules);
            if (run.metrics.tokens_per_second)
                values.speed.push_back(*run.metrics.tokens_per_second);
            values.duration.push_back(toSeconds(run.metrics.duration_ns));
            values.runs.push_back(run.info.id);
        }
    }
    std::vector<StudyGroup> groups;
    std::vector<const Values*> compared;
    for (const auto& [key, values] : found) {
        compared.push_back(&values);
        groups.push_back({.cell = std::get<3>(key),
                          .machine = std::get<0>(key),
                          .source = std::get<1>(key),
                          .modelled = std::get<2>(key),
                          .joules_per_token = figureOf(values.joules),
                          .joules_per_total_token = figureOf(values.totalJoules),
                          .tokens_per_second = figureOf(values.speed),
                          .duration_s = figureOf(values.duration),
                          .runs = values.runs});
    }
    // The keys are sorted by machine and source, then by cell.
    for (std::size_t begin = 0; begin < groups.size();) {
        std::size_t end = begin;
        while (end < groups.size() && groups[end].comparesWith(groups[begin]))
            ++end;
        testAgainstFirst(std::span(groups).subspan(begin, end - begin),
                         std::span(compared).subspan(begin, end - begin));
        begin = end;
    }
    std::stable_sort(groups.begin(), groups.end(), [](const StudyGroup& a, const StudyGroup& b) {
        const auto rank = [](const StudyGroup& group) {
            const bool energy = group.joules_per_token.count > 0;
            return std::make_tuple(group.machine, group.source, group.modelled, !energy,
                                   energy ? group.joules_per_token.mean : group.duration_s.mean);
        };
        return rank(a) < rank(b);
    });
    return groups;
}

// How the runs in the groups multiplied their number formats, "a / b"; empty if all did it
// alike.
std::string matmulKinds(const std::vector<StudyGroup>& groups, const std::vector<RunSummary>& runs)
{
    std::set<std::string> ids;
    for (const StudyGroup& group : groups)
        ids.insert(group.runs.begin(), group.runs.end());
    std::set<std::string> kinds;
    for (const RunSummary& run : runs) {
        const std::string kind = matmulKindOf(run.info.profiling.kernels);
        if (ids.contains(run.info.id) && !kind.empty())
            kinds.insert(kind);
    }
    std::string text;
    for (const std::string& kind : kinds)
        text += (text.empty() ? "" : " / ") + kind;
    return kinds.size() > 1 ? text : std::string();
}

std::vector<Message> cautionsOf(const StudySpec& spec, const std::vector<StudyGroup>& groups,
                                const std::vector<RunSummary>& runs)
{
    std::vector<Message> cautions;
    std::set<std::string> machines, sources;
    bool modelled = false;
    bool measured = false;
    bool few = false;
    for (const StudyGroup& group : groups) {
        machines.insert(group.machine);
        sources.insert(group.source);
        (group.modelled ? modelled : measured) = true;
        few = few || group.duration_s.count < 3;
    }
    if (machines.size() > 1) {
        cautions.push_back(
            Message("The runs come from %1 machines. Cells are ranked within one machine only: "
                    "sensors of different machines cover different components and vary between "
                    "units, so energies cannot be ranked across machines.",
                    machines.size()));
    }
    if (sources.size() > 1) {
        cautions.push_back(
            "The runs were measured with different power sources, which cover different components "
            "of a machine: compare only cells of the same source.");
    }
    if (modelled) {
        cautions.push_back(measured
                               ? "Some energies are modelled, others measured; they are kept apart."
                               : "All energies are modelled from the load of the machine, not "
                                 "measured: differences between cells reflect time and load.");
    }
    if (const std::string kinds = matmulKinds(groups, runs); !kinds.empty()) {
        cautions.push_back(
            Message("The number formats were multiplied in different ways (%1): part of the "
                    "difference is that of this program's kernels, not of the formats.",
                    kinds));
    }
    if (few) {
        cautions.push_back(
            spec.repeats < 3
                ? "Some cells have fewer than three runs: their spread is not meaningful; request "
                  "at least three repeats."
                : "Some cells have fewer than three runs: their spread is not meaningful.");
    }
    return cautions;
}

// Number of complete runs of a study of this name that match no cell of the plan.
std::size_t otherRuns(const StudyPlan& plan, const std::vector<RunSummary>& runs)
{
    std::set<std::string> cells;
    for (const StudyCell& cell : plan.cells)
        cells.insert("cell:" + cell.id);
    return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [&](const auto& run) {
        return run.info.status == RunStatus::Complete
            && std::any_of(run.info.tags.begin(), run.info.tags.end(), [&](const auto& tag) {
                   return tag.starts_with("cell:") && !cells.contains(tag.substr(0, tag.find('#')));
               });
    }));
}

// Adds the newest record of each cell's model and format, on the study's text if that is known.
void addQuality(const std::vector<RunSummary>& runs, const std::vector<QualityRecord>& qualities,
                std::vector<StudyGroup>& groups)
{
    for (StudyGroup& group : groups) {
        const auto run = std::find_if(runs.begin(), runs.end(), [&](const RunSummary& one) {
            return one.info.id == group.runs.front();
        });
        if (run == runs.end())
            continue;
        const auto records = energy::qualityOf(qualities, run->info);
        if (!records.empty())
            group.quality = records.front();
    }
}

} // namespace

bool StudyGroup::comparesWith(const StudyGroup& other) const
{
    return machine == other.machine && source == other.source && modelled == other.modelled;
}

std::vector<std::span<const StudyGroup>> rankedTogether(const StudyReport& report)
{
    const std::span<const StudyGroup> all(report.groups);
    std::vector<std::span<const StudyGroup>> parts;
    for (std::size_t begin = 0; begin < all.size();) {
        std::size_t end = begin;
        while (end < all.size() && all[end].comparesWith(all[begin]))
            ++end;
        parts.push_back(all.subspan(begin, end - begin));
        begin = end;
    }
    return parts;
}

StudyReport reportStudy(const StudySpec& spec, const std::vector<RunSummary>& runs,
                        const std::vector<QualityRecord>& qualities)
{
    const StudyPlan plan = planStudy(spec);
    const std::vector<bool> done = doneSteps(plan, runs);
    StudyReport report;
    report.name = spec.name;
    report.cells = plan.cells;
    report.steps = plan.steps.size();
    report.done = static_cast<std::size_t>(std::count(done.begin(), done.end(), true));
    report.groups = groupsOf(plan, runs);
    addQuality(runs, qualities, report.groups);
    report.cautions = cautionsOf(spec, report.groups, runs);
    if (const std::size_t others = otherRuns(plan, runs); others > 0) {
        report.cautions.push_back(
            Message(others == 1 ? "%1 complete run of this study is left out: it was made when its "
                                  "file said something else about the model, the prompt, the power "
                                  "source, the baseline or the warm-up."
                                : "%1 complete runs of this study are left out: they were made "
                                  "when its file said something else about the model, the prompt, "
                                  "the power source, the baseline or the warm-up.",
                    others));
    }
    return report;
}

} // namespace ep::session
