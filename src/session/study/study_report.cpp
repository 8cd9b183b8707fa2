// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/matmul_kind.h"
#include "ep/core/run_figure.h"
#include "ep/energy/comparison.h"
#include "ep/energy/paired_runs.h"
#include "ep/session/study.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

namespace ep::session {

namespace {

constexpr std::string_view kHostTag = "host:";

std::string machineOf(const RunInfo& info)
{
    std::string text;
    for (const std::string& tag : info.tags) {
        if (tag.starts_with(kHostTag))
            text = tag.substr(kHostTag.size()) + ": ";
    }
    return text + info.environment.cpu + ", " + info.environment.os;
}

using Key = std::tuple<std::string, std::string, bool, std::size_t>; // machine, source, modelled
using Runs = std::vector<const RunSummary*>; // complete runs of one cell

energy::SampleStatistics statisticsOf(RunFigure figure, const Runs& runs)
{
    std::vector<double> values;
    for (const RunSummary* run : runs) {
        if (const auto value = valueOf(figure, *run))
            values.push_back(*value);
    }
    return energy::describe(values);
}

bool samePrompt(const NamedSettings& a, const NamedSettings& b)
{
    return a.prompt == b.prompt && a.run.prompt == b.run.prompt
        && a.run.conversations == b.run.conversations;
}

// The first cell with which a cell can be compared. Settings besides models, prompts and lengths
// are compared within each model, prompt and length. If no setting varies, the first of these three
// that varies is compared.
std::size_t baselineOf(const StudySpec& spec, const std::vector<NamedSettings>& cells,
                       std::size_t cell)
{
    const auto varies = [](const StudyList& list) {
        return list.setting != "max_new_tokens" && list.values.size() > 1;
    };
    const bool settings = std::ranges::any_of(spec.lists, varies);
    const bool models = spec.models.size() + spec.servers.size() > 1;
    const bool lengths = spec.values("max_new_tokens").size() > 1;
    const NamedSettings& own = cells[cell];
    const bool holdsModel = settings && !own.run.server;
    const bool holdsLength = settings || models || own.run.server;
    const bool holdsPrompt = holdsLength || lengths;
    for (std::size_t i = 0; i < cell; ++i) {
        const NamedSettings& other = cells[i];
        if ((!holdsModel || other.model() == own.model())
            && (!holdsLength || other.run.max_new_tokens == own.run.max_new_tokens)
            && (!holdsPrompt || samePrompt(other, own)))
            return i;
    }
    return cell;
}

std::optional<energy::SideTest> testBeside(const Runs& a, const Runs& b,
                                           const energy::SideTestOptions& options)
{
    const auto infos = [](const Runs& runs) {
        std::vector<const RunInfo*> all;
        std::ranges::transform(runs, std::back_inserter(all),
                               [](const RunSummary* run) { return &run->info; });
        return all;
    };
    const energy::RunPairs pairs = energy::pairsOf(infos(a), infos(b));
    const auto have = [](const Runs& runs, RunFigure figure) {
        return std::ranges::any_of(
            runs, [&](const RunSummary* run) { return valueOf(figure, *run).has_value(); });
    };
    const auto figure = RunFigure::JoulesPerToken;
    if (have(a, figure) != have(b, figure))
        return std::nullopt; // nothing in common
    const RunFigure compared = have(a, figure) ? figure : RunFigure::Duration;
    energy::SideValues values =
        energy::sideValues(a.size(), b.size(), pairs, [&](bool ofA, std::size_t i) {
            return valueOf(compared, *(ofA ? a : b)[i]);
        });
    values.figure = compared;
    return energy::testSides(values, options);
}

double comparedMean(const StudyGroup& group)
{
    return group.joules_per_token.n > 0 ? group.joules_per_token.mean : group.duration_s.mean;
}

Message labelOf(const std::vector<NamedSettings>& cells, const StudyGroup& group)
{
    return cells[group.cell].label;
}

// The sentence about the cell that needs least: whether it certainly needs less than each of the
// others, at the error of the cells' verdicts.
Message winnerOf(const std::vector<NamedSettings>& cells, const std::vector<const StudyGroup*>& set,
                 const std::map<const StudyGroup*, const Runs*>& runs,
                 const energy::SideTestOptions& options)
{
    const StudyGroup& best = **std::ranges::min_element(
        set, {}, [](const StudyGroup* group) { return comparedMean(*group); });
    std::int64_t more = 0;
    std::optional<Message> alike;
    const char* what = "energy per token";
    for (const StudyGroup* other : set) {
        if (other == &best)
            continue;
        const auto test = testBeside(*runs.at(&best), *runs.at(other), options);
        if (test && test->figure == RunFigure::Duration)
            what = "time";
        if (test && test->verdict == energy::PairedVerdict::ACheaper)
            continue;
        if (!alike)
            alike = labelOf(cells, *other);
        if (test && test->more_needed)
            more = std::max(more, test->more_needed->about);
    }
    if (!alike)
        return {"%1 needs the least %2 of these %3 cells.", labelOf(cells, best), Message(what),
                set.size()};
    const Message none{"No cell needs the least %1 for certain: %2 has the lowest mean, but its "
                       "difference from %3 may be chance.",
                       Message(what), labelOf(cells, best), *alike};
    return more > 0 ? sequence({none, {"About %1 more repeats of each would tell.", more}}) : none;
}

// Compares the cells of one machine and source, which are sorted by cell.
void compareCells(const StudySpec& spec, const std::vector<NamedSettings>& cells,
                  std::span<StudyGroup> groups, std::span<const Runs* const> runs,
                  std::vector<Message>& winners)
{
    std::map<std::size_t, std::vector<std::size_t>> sets; // by baseline
    for (std::size_t i = 0; i < groups.size(); ++i)
        sets[baselineOf(spec, cells, groups[i].cell)].push_back(i);
    std::int64_t comparisons = 0;
    for (const auto& [baseline, members] : sets)
        comparisons += std::ssize(members) - 1;
    const energy::SideTestOptions options{
        .error =
            energy::kIntervalError / static_cast<double>(std::max<std::int64_t>(1, comparisons))};
    std::map<const StudyGroup*, const Runs*> runsOf;
    for (std::size_t i = 0; i < groups.size(); ++i)
        runsOf[&groups[i]] = runs[i];
    for (const auto& [baseline, members] : sets) {
        std::vector<const StudyGroup*> set;
        for (const std::size_t i : members) {
            StudyGroup& group = groups[i];
            // The baseline itself may have no runs yet.
            group.baseline_cell = groups[members.front()].cell;
            group.comparisons = comparisons;
            if (i != members.front())
                group.test = testBeside(*runs[members.front()], *runs[i], options);
            if (group.test && group.test->p)
                group.test->p_corrected =
                    std::min(1.0, *group.test->p * static_cast<double>(comparisons));
            set.push_back(&group);
        }
        if (set.size() > 2) // two cells have a verdict, which names the winner
            winners.push_back(winnerOf(cells, set, runsOf, options));
    }
}

std::vector<StudyGroup> groupsOf(const StudySpec& spec, const StudyPlan& plan,
                                 const std::vector<RunSummary>& runs, std::vector<Message>& winners)
{
    std::map<std::string, std::size_t> cells; // by tag
    for (const StudyStep& step : plan.steps)
        cells[step.tag] = step.cell;
    std::map<Key, Runs> found;
    for (const RunSummary& run : runs) {
        if (run.info.status != RunStatus::Complete)
            continue;
        for (const std::string& tag : run.info.tags) {
            if (const auto cell = cells.find(tag); cell != cells.end())
                found[{machineOf(run.info), run.info.power.source,
                       run.metrics.energy.provenance == Provenance::Modelled, cell->second}]
                    .push_back(&run);
        }
    }
    std::vector<StudyGroup> groups;
    std::vector<const Runs*> compared;
    for (const auto& [key, ofCell] : found) {
        compared.push_back(&ofCell);
        StudyGroup& group = groups.emplace_back();
        group.cell = std::get<3>(key);
        group.machine = std::get<0>(key);
        group.source = std::get<1>(key);
        group.modelled = std::get<2>(key);
        group.joules_per_token = statisticsOf(RunFigure::JoulesPerToken, ofCell);
        group.joules_per_total_token = statisticsOf(RunFigure::JoulesPerTotalToken, ofCell);
        group.tokens_per_second = statisticsOf(RunFigure::TokensPerSecond, ofCell);
        group.duration_s = statisticsOf(RunFigure::Duration, ofCell);
        for (const RunSummary* run : ofCell)
            group.runs.push_back(run->info.id);
    }
    // The keys are sorted by machine and source, then by cell.
    for (std::size_t begin = 0; begin < groups.size();) {
        std::size_t end = begin;
        while (end < groups.size() && groups[end].comparesWith(groups[begin]))
            ++end;
        compareCells(spec, plan.cells, std::span(groups).subspan(begin, end - begin),
                     std::span(compared).subspan(begin, end - begin), winners);
        begin = end;
    }
    std::ranges::stable_sort(groups, {}, [](const StudyGroup& group) {
        return std::make_tuple(group.machine, group.source, group.modelled, group.baseline_cell,
                               group.joules_per_token.n == 0, comparedMean(group));
    });
    return groups;
}

// How the runs in the groups multiplied their number formats, "a / b"; empty if all multiplied in
// the same way.
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
        few = few || group.duration_s.n < energy::kMinToTest;
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
            spec.run.repeats < 3
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
    for (const NamedSettings& cell : plan.cells)
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
    report.groups = groupsOf(spec, plan, runs, report.winners);
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
