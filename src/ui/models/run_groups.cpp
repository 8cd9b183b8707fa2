// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_groups.h"

#include "text.h"

#include "ep/energy/comparison.h"

#include <QCoreApplication>

#include <algorithm>

namespace ep::ui {

namespace {

constexpr double kJoules = 1e-3; // per millijoule

RepeatedRuns describedRuns(std::vector<const RunSummary*> runs)
{
    std::vector<double> energy;
    std::vector<double> perToken;
    std::vector<double> rate;
    for (const RunSummary* run : runs) {
        if (const auto& total = run->metrics.energy.total_mj)
            energy.push_back(total->value * kJoules);
        if (const auto& joules = run->metrics.joules_per_token)
            perToken.push_back(*joules);
        if (const auto& tokens = run->metrics.tokens_per_second)
            rate.push_back(*tokens);
    }
    return {.runs = std::move(runs),
            .energy = energy::describe(energy),
            .perToken = energy::describe(perToken),
            .rate = energy::describe(rate)};
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

QString meanText(const energy::SampleStatistics& sample, QString (*value)(double))
{
    if (sample.n == 0)
        return missingText();
    if (!sample.ci95)
        return value(sample.mean);
    return QCoreApplication::translate("ep::ui::RepeatTable", "%1 (%2 – %3)")
        .arg(value(sample.mean), value(sample.ci95->low), value(sample.ci95->high));
}

RunSum sumOf(const std::vector<const RunSummary*>& runs)
{
    RunSum all;
    for (const RunSummary* run : runs) {
        const EnergyValue& energy = run->metrics.energy;
        all.sum.add(run->metrics.duration_ns, energy.total_mj, energy.provenance);
        all.tokens += run->info.output_tokens;
        ++all.runs;
    }
    return all;
}

} // namespace ep::ui
