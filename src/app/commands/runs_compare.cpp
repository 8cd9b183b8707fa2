// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "limit_check.h"
#include "run_text.h"
#include "runs_options.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"
#include "ep/session/comparison.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ep::app {

namespace {

using energy::Comparison;
using energy::MetricRow;
using store::Store;

struct CompareOptions {
    bool repeats = false;
    int baseline = 1;
    double percent = energy::kSmallestDifference * 100.0;
    std::string normalise = "per_token";
    LimitOption limits{};
    bool tree = false;
    bool details = false;
    bool csv = false;
};

// "a,b,c" names repeats of one group.
std::vector<std::string> splitCommas(const std::string& text)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin)
            parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

Result<std::vector<std::vector<std::string>>>
groupsOf(const Store& store, const std::vector<std::string>& arguments, bool repeats)
{
    std::vector<std::vector<std::string>> groups;
    for (const std::string& argument : arguments) {
        const auto ids = resolveAll(store, splitCommas(argument));
        if (!ids)
            return ids.error();
        if (ids->empty())
            return Error{ErrorCode::InvalidInput, "A run to compare has an empty name; give ids."};
        groups.push_back(*ids);
    }
    if (!repeats)
        return groups;
    const auto stored = store.list();
    if (!stored)
        return stored.error();
    std::vector<std::string> first;
    for (const auto& group : groups)
        first.push_back(group.front());
    auto whole = session::withRepeats(*stored, first);
    if (whole.size() < groups.size()) {
        return Error{ErrorCode::InvalidInput,
                     "Two of the runs are repeats of one configuration; without --repeats they are "
                     "compared as single runs."};
    }
    return whole;
}

// A run that belongs to more than one group; empty: there is none.
std::string inTwoGroups(const std::vector<std::vector<std::string>>& groups)
{
    std::set<std::string> seen;
    for (const std::vector<std::string>& group : groups) {
        for (const std::string& id : group) {
            if (!seen.insert(id).second)
                return id;
        }
    }
    return {};
}

std::string letterOf(std::size_t group)
{
    return std::string(1, static_cast<char>('A' + group));
}

// The figure that answers the question, and those that are tested beside it.
bool isShown(const Comparison& comparison, const MetricRow& row, bool details)
{
    return details || row.metric == comparison.compared || isTested(row.metric);
}

std::string textOf(const Comparison& comparison, bool details)
{
    std::string text;
    for (const std::size_t g : comparison.others())
        text += wrapped(answerOf(comparison, g).english()) + '\n';
    text += '\n';
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        const energy::GroupFacts& group = comparison.groups[g];
        text += letterOf(g) + "  " + group.label.english() + ", "
            + (group.ids.size() == 1 ? "run " + shortId(group.ids.front())
                                     : counted(std::ssize(group.ids), "run"))
            + ", joules " + std::string(name(group.provenance)) + " (" + group.source + ')'
            + (g == comparison.options.baseline ? ", the baseline" : "") + '\n';
        if (group.tokens && details) {
            text += "   decoded tokens of run " + shortId(group.ids.front()) + ": "
                + formatFigure(RunFigure::JoulesPerToken, group.tokens->mean) + ", 95 % CI "
                + intervalText(RunFigure::JoulesPerToken, group.tokens->ci95).english()
                + " (blocks of " + std::to_string(group.tokens->block) + "; for this run only)\n";
        }
        text += "   " + qualitySentence(comparison, g).english() + '\n';
        if (group.causes)
            text += "   " + group.causes->sentence.english() + '\n';
    }
    text += '\n';
    std::vector<TextTable::Column> columns{{"", TextTable::Align::Left}};
    for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
        columns.push_back({letterOf(g), TextTable::Align::Right});
        columns.push_back({"n", TextTable::Align::Right});
        columns.push_back({"sd", TextTable::Align::Right});
    }
    TextTable table(columns);
    for (const MetricRow& row : comparison.rows) {
        if (!isShown(comparison, row, details))
            continue;
        std::vector<std::string> cells{std::string(title(row.metric))};
        for (const energy::MetricCell& cell : row.groups) {
            const bool known = cell.statistics.n > 0;
            cells.push_back(formatFigure(
                row.metric, known ? std::optional(cell.statistics.mean) : std::nullopt));
            cells.push_back(std::to_string(cell.statistics.n));
            cells.push_back(relativeSd(cell.statistics));
        }
        table.addRow(std::move(cells));
    }
    text += table.toString();
    for (const std::size_t g : comparison.others()) {
        text += "\n" + letterOf(g) + " against " + letterOf(comparison.options.baseline) + ":\n";
        for (const MetricRow& row : comparison.rows) {
            if (isShown(comparison, row, details))
                text += "  " + std::string(title(row.metric)) + ": "
                    + sentenceOf(comparison, row, g).english() + '\n';
        }
        if (const auto& answer = comparison.groups[g].answer; answer && answer->interval)
            text += "  " + answer->reason.english() + '\n';
    }
    for (const energy::ComparisonWarning& warning : comparison.warnings)
        text += "\nNote: " + warning.text.english();
    return comparison.warnings.empty() ? text : text + '\n';
}

std::string percentText(const std::optional<double>& fraction)
{
    return fraction ? formatSignedPercent(*fraction) : kMissingText;
}

std::string energyCell(const std::optional<double>& mj, bool sign = false)
{
    std::string text = formatEnergy(mj ? std::optional(Millijoules{*mj}) : std::nullopt);
    return sign ? withSign(std::move(text), mj.value_or(0.0)) : text;
}

std::string timeCell(const std::optional<double>& ms)
{
    return ms ? formatDuration(std::llround(*ms * 1e6)) : kMissingText;
}

// Without --csv or --json, lists only parts and, below those that differ, what they consist of.
std::string treeText(const Comparison& comparison, std::size_t group)
{
    using Align = TextTable::Align;
    const bool energy = comparison.tested == energy::NodeQuantity::Energy;
    TextTable table({{"", Align::Left},
                     {letterOf(comparison.options.baseline), Align::Right},
                     {letterOf(group), Align::Right},
                     {"difference", Align::Right},
                     {"by power", Align::Right, false, 1},
                     {"by time", Align::Right, false, 1},
                     {"p", Align::Right},
                     {"repeats", Align::Right, false, 2},
                     {"", Align::Left}});
    for (const energy::DifferenceNode& node : comparison.tree) {
        if (node.depth > 1
            && !isFound(
                comparison.tree[static_cast<std::size_t>(node.parent)].tests[group].verdict))
            continue;
        const energy::NodeTest& test = node.tests[group];
        const auto& cells = energy ? node.energy_mj : node.time_ms;
        const auto cell = [&](std::size_t g) {
            return energy ? energyCell(cells[g].mean) : timeCell(cells[g].mean);
        };
        table.addRow({std::string(static_cast<std::size_t>(node.depth) * 2, ' ') + node.word,
                      cell(comparison.options.baseline), cell(group), percentText(test.relative),
                      energyCell(test.from_power_mj, true), energyCell(test.from_time_mj, true),
                      test.p_adjusted ? formatProbability(*test.p_adjusted) : kMissingText,
                      test.repeats_needed ? (test.repeats_at_least ? "≥ " : "")
                              + std::to_string(*test.repeats_needed)
                                          : std::string(),
                      std::string(title(test.verdict))});
    }
    return table.toString();
}

std::string treesText(const Comparison& comparison)
{
    std::string text;
    for (std::size_t g = 0; g < comparison.groups.size(); ++g)
        text += letterOf(g) + "  " + comparison.groups[g].label.english() + ", joules "
            + std::string(name(comparison.groups[g].provenance)) + " ("
            + comparison.groups[g].source + ")\n";
    for (const std::size_t g : comparison.others())
        text += '\n' + treeText(comparison, g);
    text += '\n' + wrapped(explainTree(comparison).english()) + '\n';
    text += wrapped("Repeats: how many on each side would probably show a difference like this.")
        + '\n';
    for (const energy::ComparisonWarning& warning : comparison.warnings)
        text += '\n' + wrapped("Note: " + warning.text.english());
    return comparison.warnings.empty() ? text : text + '\n';
}

int checkLimits(const Comparison& comparison, const LimitOption& option)
{
    int status = kExitDone;
    for (std::size_t i = 0; i < option.limits.size(); ++i) {
        const MetricRow* row = comparison.row(option.limits[i].metric);
        for (const std::size_t g : comparison.others()) {
            const int one = statusOfLimit(
                option.limits[i], option.texts[i], row ? row->groups[g].test : std::nullopt,
                row ? row->groups[comparison.options.baseline].statistics.mean : 0.0,
                comparison.groups[g].label.english());
            status = worseStatus(status, one);
        }
    }
    return status;
}

int compareRuns(const RunsOptions& options, const CompareOptions& chosen)
{
    LimitOption limits = chosen.limits;
    if (const Status read = limits.read(); !read)
        return failUsage(read.error().message);
    // Scripts must be able to tell an error from an exceeded limit.
    const auto failed = [&](const Error& error) {
        const int status = fail(error);
        return limits.any() ? kExitUsage : status;
    };
    if (chosen.baseline > static_cast<int>(options.runs.size())) {
        return failUsage("--baseline is " + std::to_string(chosen.baseline) + ", but there are "
                         + std::to_string(options.runs.size()) + " runs to compare.");
    }
    const auto store = openExisting(options.database.path());
    if (!store)
        return failed(store.error());
    const auto ids = groupsOf(**store, options.runs, chosen.repeats);
    if (!ids)
        return failed(ids.error());
    if (const std::string twice = inTwoGroups(*ids); !twice.empty())
        return failUsage("The run " + shortId(twice)
                         + " is on both sides: compare it with another run.");
    const auto groups = session::loadGroups(**store, *ids);
    if (!groups)
        return failed(groups.error());
    const Comparison comparison =
        energy::compare(*groups,
                        {.baseline = static_cast<std::size_t>(chosen.baseline) - 1,
                         .smallest_difference = chosen.percent / 100.0,
                         .error = limits.error(),
                         .normalisation = energy::normalisationFromName(chosen.normalise)
                                              .value_or(energy::Normalisation::PerToken)});
    if (options.json)
        printJson(session::comparisonToJson(comparison) + '\n');
    else if (chosen.csv)
        print(session::treeToCsv(comparison));
    else
        print(chosen.tree ? treesText(comparison) : textOf(comparison, chosen.details));
    return checkLimits(comparison, limits);
}

} // namespace

void addCompareCommand(RunsCommands& commands)
{
    const auto chosen = std::make_shared<CompareOptions>();
    const auto [command, options] =
        commands.add("compare", "Compare 2 to 4 runs or groups of repeats",
                     [chosen](const RunsOptions& all) { return compareRuns(all, *chosen); });
    command
        ->add_option("RUN", options->runs,
                     "Ids (or their beginnings); commas join the repeats of one group: a1,a2,a3")
        ->required()
        ->expected(2, 4);
    command->add_flag("--repeats", chosen->repeats,
                      "Include all stored repeats of each run's configuration");
    command
        ->add_option("--baseline", chosen->baseline,
                     "Number of the run to compare the others with (default 1)")
        ->check(wholeFrom(1, 4));
    command
        ->add_option("--smallest-difference", chosen->percent,
                     "Differences up to this do not matter (default 2)")
        ->check(realFrom(0.01, 90.0))
        ->type_name("PERCENT");
    command
        ->add_option("--normalise", chosen->normalise,
                     "Normalisation of the tree: per_token (default), per_run, per_input_token, "
                     "per_million_parameters")
        ->check(oneOf({"per_token", "per_run", "per_input_token", "per_million_parameters"}));
    chosen->limits.addTo(*command);
    command->add_flag("--details", chosen->details,
                      "Print the figures that follow from the tested ones, too");
    command->add_flag("--tree", chosen->tree,
                      "Print which parts differ, and which of that may be chance");
    CLI::Option* csv =
        command->add_flag("--csv", chosen->csv, "Print every part and layer of the tree as CSV");
    command->add_flag("--json", options->json, "Print the comparison as JSON")->excludes(csv);
}

} // namespace ep::app
