// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_groups.h"

#include "text.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_tokens.h"
#include "ep/energy/aggregate.h"
#include "ep/energy/comparison.h"
#include "ep/energy/insights.h"
#include "ep/energy/paired_runs.h"
#include "ep/ui/terms.h"

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr double kJoules = 1e-3; // joules per millijoule

// Mean and interval, as Analysis shows them for the same repeats.
energy::SampleStatistics meanEnergy(const std::vector<double>& energies_mj,
                                    const std::vector<double>& deviations_mj)
{
    energy::SampleStatistics mean = energy::describe(energies_mj);
    if (!mean.ci95)
        return mean;
    if (const auto deviation = energy::deviationOfMean(energies_mj, deviations_mj)) {
        const double half = kHalfInterval95 * deviation->value;
        mean.ci95 = {std::max(0.0, mean.mean - half), mean.mean + half};
    }
    return mean;
}

// Multiplies statistics by a factor, to convert their unit or to form a quotient of sums, as in
// Analysis.
energy::SampleStatistics scaledBy(energy::SampleStatistics sum, double factor)
{
    sum.mean *= factor;
    if (sum.ci95)
        sum.ci95 = {sum.ci95->low * factor, sum.ci95->high * factor};
    return sum;
}

// Energies of repeats, and the tokens by which their sum is divided.
struct EnergyOfTokens {
    std::vector<double> energies_mj;
    std::vector<double> deviations_mj;
    double tokens = 0.0;

    void add(const EnergyValue& energy, double made)
    {
        energies_mj.push_back(energy.total_mj->value);
        tokens += made;
        if (energy.sd_mj)
            deviations_mj.push_back(energy.sd_mj->value);
    }
    energy::SampleStatistics joules() const
    {
        return scaledBy(meanEnergy(energies_mj, deviations_mj), kJoules);
    }
    energy::SampleStatistics perToken() const
    {
        return tokens > 0.0 ? scaledBy(joules(), static_cast<double>(energies_mj.size()) / tokens)
                            : energy::SampleStatistics();
    }
};

RepeatedRuns describedRuns(std::vector<const RunSummary*> runs)
{
    EnergyOfTokens whole; // of all runs with an energy
    EnergyOfTokens output;
    EnergyOfTokens total;
    std::vector<double> seconds; // for all tokens of a run
    double timed = 0.0; // tokens of the runs with a rate
    for (const RunSummary* run : runs) {
        const EnergyValue& energy = run->metrics.energy;
        if (energy.total_mj)
            whole.add(energy, 0.0);
        if (const auto tokens = energy::countedTokens(RunFigure::JoulesPerToken, *run))
            output.add(energy, *tokens);
        if (const auto tokens = energy::countedTokens(RunFigure::JoulesPerTotalToken, *run))
            total.add(energy, *tokens);
        if (const auto& rate = run->metrics.tokens_per_second; rate && *rate > 0.0) {
            const auto made = static_cast<double>(run->info.output_tokens);
            seconds.push_back(made / *rate);
            timed += made;
        }
    }
    RepeatedRuns described{.runs = std::move(runs),
                           .energy = whole.joules(),
                           .perToken = output.perToken(),
                           .perTotalToken = total.perToken()};
    if (timed > 0.0) {
        described.rate = energy::describe(seconds);
        const double each = timed / static_cast<double>(seconds.size());
        const auto perSecond = [&](double time) { return each / time; };
        if (const auto& time = described.rate.ci95; time && time->low > 0.0)
            described.rate.ci95 = {perSecond(time->high), perSecond(time->low)};
        else
            described.rate.ci95.reset();
        described.rate.mean = perSecond(described.rate.mean);
    }
    return described;
}

} // namespace

std::vector<RepeatedRuns> foldRepeats(const std::vector<const RunSummary*>& runs)
{
    struct Experiment {
        std::string name;
        std::vector<const RunSummary*> runs;
    };
    std::vector<Experiment> experiments;
    for (const RunSummary* run : runs) {
        auto at = std::find_if(experiments.begin(), experiments.end(), [&](const Experiment& each) {
            return each.name == run->info.experiment;
        });
        if (at == experiments.end())
            at = experiments.insert(experiments.end(), {run->info.experiment, {}});
        at->runs.push_back(run);
    }
    std::vector<RepeatedRuns> folded;
    for (const Experiment& experiment : experiments) {
        const auto inAPair = [](const RunSummary* run) {
            return energy::isSideTagged(run->info, true) || energy::isSideTagged(run->info, false);
        };
        if (std::ranges::all_of(experiment.runs, inAPair)) {
            folded.push_back(describedRuns(experiment.runs));
            folded.back().comparison = true;
            continue;
        }
        std::vector<const RunInfo*> infos;
        for (const RunSummary* run : experiment.runs)
            infos.push_back(&run->info);
        for (const std::vector<std::size_t>& group : energy::groupRepeats(infos)) {
            std::vector<const RunSummary*> members;
            for (const std::size_t index : group)
                members.push_back(experiment.runs[index]);
            folded.push_back(describedRuns(std::move(members)));
        }
    }
    return folded;
}

const std::vector<GroupBy>& groupings()
{
    using Run = const RunSummary&;
    static const std::vector<GroupBy> kGroupings{
        {"model", [](Run run) { return toQString(run.info.model.name); }},
        {"dtype", [](Run run) { return toQString(run.info.dtype); }},
        {"device", [](Run run) { return toQString(run.info.device); }},
        {"experiment", [](Run run) { return toQString(run.info.experiment); }},
        {"prompt", [](Run run) { return toQString(run.info.prompt).simplified(); }},
        {"batch", [](Run run) { return QString::number(batchSize(run.info)); }},
        {"day", [](Run run) { return toQString(localDay(run.info.created_at_ms)); }},
    };
    return kGroupings;
}

const GroupBy* groupingWith(std::string_view id)
{
    const auto found = std::ranges::find(groupings(), id, &GroupBy::id);
    return found == groupings().end() ? nullptr : &*found;
}

std::vector<ListGroup> groupRuns(const std::vector<const RunSummary*>& runs, const GroupBy& by)
{
    std::vector<ListGroup> groups;
    for (const RunSummary* run : runs) {
        const QString name = by.nameOf(*run);
        const std::string origin(energy::energyOrigin(*run));
        auto at = std::ranges::find_if(groups, [&](const ListGroup& group) {
            return group.name == name && group.origin == origin;
        });
        if (at == groups.end())
            at = groups.insert(groups.end(), {.name = name, .origin = origin});
        at->runs.push_back(run);
    }
    for (ListGroup& group : groups) {
        double seconds = 0.0;
        double timed = 0.0;
        for (const RunSummary* run : group.runs) {
            if (const auto& rate = run->metrics.tokens_per_second; rate && *rate > 0.0) {
                seconds += static_cast<double>(run->info.output_tokens) / *rate;
                timed += static_cast<double>(run->info.output_tokens);
            }
        }
        group.total = energy::totalOf(group.runs);
        if (seconds > 0.0)
            group.rate = timed / seconds;
    }
    return groups;
}

std::vector<ListGroup> groupByOrigin(const std::vector<const RunSummary*>& runs)
{
    return groupRuns(runs, {"all", [](const RunSummary&) { return QString(); }});
}

QString sumText(const std::vector<const RunSummary*>& runs)
{
    QStringList parts;
    for (const ListGroup& group : groupByOrigin(runs)) {
        if (const auto& energy = group.total.energy.energy_mj)
            parts << energyText(energy) + u' ' + term(group.origin);
    }
    if (const auto tokens = energy::totalOf(runs).output_tokens; tokens > 0)
        parts << translated("%1 tokens").arg(toQString(tokensText(tokens)));
    return parts.join(u" · "_s);
}

} // namespace ep::ui
