// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/diagnosis_trials.h"

#include "ep/energy/diagnosis.h"

#include <algorithm>
#include <cmath>

namespace ep::test {

namespace {

using energy::Cause;
using energy::Diagnosis;
using energy::Finding;

constexpr double kWorthNaming = 0.10;

Cause causeOf(std::size_t index)
{
    return energy::kCauses[index].cause;
}

double trueShare(const DiagnosedRun& run, Cause cause)
{
    return run.explained[static_cast<std::size_t>(cause)] / run.joules;
}

void scoreShares(Score& score, const DiagnosedRun& run, const Diagnosis& diagnosis)
{
    const auto holds = [&](energy::Picojoules part, double sd, double truth) {
        const double error = energy::toDouble(part) * energy::kPico - truth;
        score.add(std::fabs(error) <= kHalfInterval95 * sd);
    };
    const energy::Division& whole = diagnosis.whole;
    holds(whole.compute, whole.compute_sd, run.compute);
    holds(whole.memory, whole.memory_sd, run.memory);
    holds(whole.idle, whole.idle_sd, run.idle);
}

const Finding& findingWith(const Diagnosis& diagnosis, Cause cause)
{
    return *std::ranges::find(diagnosis.findings, cause, &Finding::cause);
}

void scoreExplained(DiagnosisScores& scores, const DiagnosedRun& run, const Diagnosis& diagnosis,
                    Cause cause)
{
    const Finding& finding = findingWith(diagnosis, cause);
    const double truth = run.explained[static_cast<std::size_t>(cause)];
    scores.explained.add(finding.explained.ci95().contains(truth));
}

// A narrower number format: the same run on the same machine is made again.
void scoreSaving(DiagnosisScores& scores, RunSetup setup, const DiagnosedRun& run,
                 const Diagnosis& diagnosis)
{
    for (const energy::Remedy& remedy : energy::remediesFor(diagnosis, run.run.info)) {
        if (remedy.lever != energy::Lever::NumberFormat || !remedy.saving)
            continue;
        setup.computed_bits = remedy.setting == "bf16" ? 16 : remedy.setting == "q4_0" ? 4.5 : 8;
        const double truth = run.joules - diagnosedRun(setup).joules;
        scores.savings.add(remedy.saving->ci95().contains(truth));
    }
}

void tryAlone(DiagnosisScores& scores, Cause cause, int seed)
{
    RunSetup setup;
    setup.seed = static_cast<std::uint32_t>(1 + seed + 1000 * static_cast<int>(cause));
    inject(setup, cause, seed % 4);
    const DiagnosedRun run = diagnosedRun(setup);
    const Diagnosis diagnosis = energy::diagnose(run.request());
    const auto named = diagnosis.named();
    if (trueShare(run, cause) >= kWorthNaming)
        scores.first[cause].add(!named.empty() && named.front()->cause == cause);
    bool wrong = false;
    for (const Finding* finding : named) {
        if (finding->cause == cause)
            continue;
        wrong = true;
        ++scores.confused[{cause, finding->cause}];
    }
    scores.wrong[cause].add(wrong);
    scoreShares(scores.shares, run, diagnosis);
    scoreExplained(scores, run, diagnosis, cause);
    scoreSaving(scores, setup, run, diagnosis);
}

void tryPair(DiagnosisScores& scores, Cause a, Cause b, int seed)
{
    RunSetup setup;
    setup.seed = static_cast<std::uint32_t>(
        500'000 + seed + 1000 * (20 * static_cast<int>(a) + static_cast<int>(b)));
    inject(setup, a, seed % 4);
    inject(setup, b, seed / 4 % 4);
    const DiagnosedRun run = diagnosedRun(setup);
    const Diagnosis diagnosis = energy::diagnose(run.request());
    bool wrong = false;
    int right = 0;
    for (const Finding* finding : diagnosis.named()) {
        const bool injected = finding->cause == a || finding->cause == b;
        right += injected ? 1 : 0;
        wrong = wrong || !injected;
        if (!injected)
            ++scores.confused[{a, finding->cause}];
    }
    if (trueShare(run, a) >= kWorthNaming && trueShare(run, b) >= kWorthNaming)
        scores.pairs_both.add(right == 2);
    scores.pairs_wrong.add(wrong);
}

void tryUsual(DiagnosisScores& scores, int seed)
{
    RunSetup setup;
    setup.seed = static_cast<std::uint32_t>(900'000 + seed);
    const DiagnosedRun run = diagnosedRun(setup);
    const Diagnosis diagnosis = energy::diagnose(run.request());
    scores.usual.add(diagnosis.named().empty());
    scoreShares(scores.shares, run, diagnosis);
}

// Prefill, a long context and a small batch, so that windows differ.
void tryFit(DiagnosisScores& scores, int seed)
{
    RunSetup setup;
    setup.prompt_rows = 6000;
    setup.batch = 4;
    setup.steps = 240;
    setup.context = 0.5;
    setup.seed = static_cast<std::uint32_t>(950'000 + seed);
    const DiagnosedRun run = diagnosedRun(setup);
    const Diagnosis diagnosis = energy::diagnose(run.request(false));
    scoreShares(scores.fitted_shares, run, diagnosis);
    const auto error = [&](double energy::Prices::*constant) {
        return std::fabs(diagnosis.costs.mean.*constant / (run.truth.*constant) - 1.0);
    };
    scores.errors_flop.push_back(error(&energy::Prices::joules_per_flop));
    scores.errors_byte.push_back(error(&energy::Prices::joules_per_byte));
    scores.errors_watts.push_back(error(&energy::Prices::watts));
}

} // namespace

DiagnosisScores scoreDiagnoses(int seeds, bool pairs)
{
    DiagnosisScores scores;
    for (std::size_t a = 0; a < energy::kCauseCount; ++a) {
        for (int seed = 0; seed < seeds; ++seed)
            tryAlone(scores, causeOf(a), seed);
        for (std::size_t b = a + 1; pairs && b < energy::kCauseCount; ++b) {
            for (int seed = 0; seed < seeds; ++seed)
                tryPair(scores, causeOf(a), causeOf(b), seed);
        }
    }
    for (int seed = 0; seed < 2 * seeds; ++seed)
        tryUsual(scores, seed);
    for (int seed = 0; seed < seeds; ++seed)
        tryFit(scores, seed);
    return scores;
}

} // namespace ep::test
