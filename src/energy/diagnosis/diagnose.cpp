// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence.h"

#include "ep/core/enum_words.h"
#include "ep/energy/energy_origin.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string_view>
#include <tuple>

namespace ep::energy {

namespace {

constexpr double kAbsent = 0.1;
// Counted work and measured energy never agree better than this.
constexpr double kModelError = 0.03;

using Examine = Clue (*)(const Scene&);
constexpr std::array<Examine, kCauseCount> kExaminers{
    memoryBoundDecode, computeBoundPrefill, slowRun,       gaps,       fallback, contextCost,
    headCost,          unusedExperts,       smallBatch,    throttling, lowPower, otherLoad,
    recordingCost,     wideFormat,          afterTheAnswer};

double normalBelow(double z)
{
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

Judgement judgementOf(double probability)
{
    return probability >= kNameable ? Judgement::Named
        : probability > kAbsent     ? Judgement::CannotTell
                                    : Judgement::Absent;
}

// Causes that can be seen without access to the inside of a server.
bool seenFromOutside(Cause cause)
{
    return cause == Cause::LowPower || cause == Cause::OtherLoad || cause == Cause::AfterTheAnswer;
}

Inside insideOf(const Run& run)
{
    const ProfilingRecord& record = run.info.profiling;
    if (record.server)
        return Inside::OfServer;
    return record.command && run.info.depth == Depth::None ? Inside::OfCommand : Inside::Known;
}

bool settledByLimits(Cause cause)
{
    return std::string_view(factsOf(cause).settles).find("energy-profiler calibrate")
        != std::string_view::npos;
}

Finding findingOf(const Scene& scene, const MachineCosts& costs, Cause cause)
{
    if (insideOf(scene.parts.run) != Inside::Known && !seenFromOutside(cause))
        return {.cause = cause};
    const Clue clue = kExaminers[static_cast<std::size_t>(cause)](scene);
    Finding finding{.cause = cause};
    if (clue.explained && scene.total > 0.0) {
        finding.explained = costs.propagate(clue.explained);
        finding.explained.value = std::max(0.0, finding.explained.value);
        finding.explained.sd =
            std::hypot(finding.explained.sd, clue.sd, kModelError * finding.explained.value);
        finding.share = {finding.explained.value / scene.total, finding.explained.sd / scene.total};
        const double sd = std::max(finding.share.sd, 1e-9);
        finding.probability = clue.certainty * normalBelow((finding.share.value - kUnusual) / sd);
    } else if (clue.fact || clue.certainty < kNameable) {
        finding.probability = clue.certainty;
    }
    finding.judgement = judgementOf(finding.probability);
    finding.fact = clue.fact;
    if (clue.certainty < kNameable && finding.judgement != Judgement::Absent) {
        finding.explained = {}; // a guess has no figure
        finding.share = {};
    }
    if (!clue.figures.empty())
        finding.evidence = Message(factsOf(cause).evidence, clue.figures);
    finding.evidence = sequence({finding.evidence, clue.remark});
    if (finding.judgement == Judgement::CannotTell)
        finding.missing = clue.settles ? clue.settles
            : scene.measured_ceilings && settledByLimits(cause)
            ? "It is too close to tell: repeat the run."
            : factsOf(cause).settles;
    return finding;
}

std::string whyOnlyTime(const RunParts& parts)
{
    const EnergyValue& energy = parts.run.metrics.energy;
    const char* const why = originOf(parts.run.info.power.source,
                                     energy.total_mj ? energy.provenance : Provenance::Missing)
                                .why_time;
    return why ? why : std::string();
}

// The limits are the machine's, or unknown: the best rates of a run are not the machine's limits.
MachineCosts costsOf(const DiagnosisRequest& request, bool ofTime)
{
    const MachineCosts costs = request.measured.value_or(MachineCosts{});
    if (ofTime)
        return costs.forTime();
    if (costs.energies != CostOrigin::Unknown)
        return costs;
    MachineCosts own = fitMachineCosts(request.parts);
    if (costs.ceilings == CostOrigin::Unknown)
        return own;
    for (const auto constant : {&Prices::seconds_per_flop, &Prices::seconds_per_byte}) {
        own.mean.*constant = costs.mean.*constant;
        own.addSpread(constant, costs.of(constant).sd);
    }
    own.ceilings = costs.ceilings;
    return own;
}

// The limits of the same run in another number format and, if measured for both formats, its
// energy costs.
MachineCosts inFormat(const MachineCosts& own, const MachineCosts& other, bool ofTime)
{
    const bool both =
        own.energies == CostOrigin::Measured && other.energies == CostOrigin::Measured;
    return both && !ofTime ? other : other.forTime();
}

} // namespace

std::string_view name(Judgement judgement)
{
    return wordOf(std::array{"named", "cannot tell", "absent"}, judgement);
}

std::vector<const Finding*> Diagnosis::named() const
{
    std::vector<const Finding*> result;
    for (const Finding& finding : findings) {
        if (finding.judgement == Judgement::Named)
            result.push_back(&finding);
    }
    return result;
}

Diagnosis diagnose(const DiagnosisRequest& request)
{
    Diagnosis diagnosis;
    diagnosis.why_time = whyOnlyTime(request.parts);
    if (request.time_only && diagnosis.why_time.empty())
        diagnosis.why_time = "Only the time of this run is compared.";
    diagnosis.of_time = !diagnosis.why_time.empty();
    const std::vector<WorkNode> nodes = nodesOf(request.parts);
    diagnosis.costs = costsOf(request, diagnosis.of_time);
    for (const auto& [dtype, costs] : request.other_formats) {
        if (diagnosis.costs.ceilings == CostOrigin::Measured
            && costs.ceilings == CostOrigin::Measured)
            diagnosis.other_formats[dtype] = inFormat(diagnosis.costs, costs, diagnosis.of_time);
    }
    Amount all;
    for (const WorkNode& node : nodes) {
        DividedNode& divided = diagnosis.nodes.emplace_back(DividedNode{node, std::nullopt});
        all += node.amount;
        if (diagnosis.of_time)
            divided.division = divideTime(node.amount, diagnosis.costs);
        else if (node.sum.complete())
            divided.division = divideEnergy(node.sum, node.amount, diagnosis.costs);
        if (divided.division)
            diagnosis.whole = diagnosis.whole + *divided.division;
    }
    if (!diagnosis.of_time) {
        const Run& run = request.parts.run;
        diagnosis.whole =
            divideEnergy(tallyOf(run.trace.time, run.metrics.energy), all, diagnosis.costs);
    }
    const Scene scene = lookAt(request, nodes, diagnosis.of_time, diagnosis.costs);
    for (const CauseFacts& facts : kCauses)
        diagnosis.findings.push_back(findingOf(scene, diagnosis.costs, facts.cause));
    std::ranges::stable_sort(diagnosis.findings, [](const Finding& a, const Finding& b) {
        // A recorded fact whose effect cannot be divided comes before derived causes, since it may
        // be behind them, too.
        const auto rank = [](const Finding& finding) {
            const bool known = finding.fact && !(finding.explained.value > 0.0);
            return std::tuple(finding.judgement, !known, -finding.explained.value);
        };
        return rank(a) < rank(b);
    });
    if (diagnosis.of_time)
        diagnosis.notes.push_back(diagnosis.why_time);
    diagnosis.inside = insideOf(request.parts.run);
    if (diagnosis.inside == Inside::OfServer) {
        diagnosis.notes.push_back(
            "What a server computes is not seen from outside: profile the same model with this "
            "program to see its parts.");
    } else if (diagnosis.inside == Inside::OfCommand) {
        diagnosis.notes.push_back("The command sent no spans of what it computes: record it with "
                                  "--python --auto, or send them (docs/spans.md).");
    } else if (diagnosis.costs.ceilings == CostOrigin::Unknown) {
        diagnosis.notes.push_back("Machine limits unknown: measure them with "
                                  "`energy-profiler calibrate`.");
    }
    diagnosis.answer = answersOf(diagnosis).front().english();
    diagnosis.reason = reasonOf(diagnosis).english();
    if (!diagnosis.reason.empty())
        diagnosis.reason.front() =
            static_cast<char>(std::toupper(static_cast<unsigned char>(diagnosis.reason.front())));
    return diagnosis;
}

} // namespace ep::energy
