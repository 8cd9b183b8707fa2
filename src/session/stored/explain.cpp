// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/explain.h"

#include "ep/core/format.h"
#include "ep/core/run_title.h"
#include "ep/energy/machine_costs.h"
#include "ep/energy/statistics.h"
#include "ep/json/conversation.h"
#include "ep/model/format.h"
#include "ep/session/answer.h"
#include "ep/session/babble.h"
#include "ep/session/environment.h"
#include "ep/store/store.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <unistd.h>
#include <utility>

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

namespace ep::session {
namespace {

std::int64_t cacheBytes(); // the largest cache of this machine's processor; 0: unknown

// The limits of a format that was not measured, or cannot be because it mixes types: the memory is
// the machine's, and products take about as long as in the measured format of the nearest size.
// limits: by number format.
std::optional<energy::MachineCosts> derivedCosts(const std::string& dtype,
                                                 const std::map<std::string, MachineRecord>& limits)
{
    const MachineRecord* nearest = nullptr;
    const MachineRecord* fastest = nullptr;
    const auto distance = [bits = energy::bitsOf(dtype)](const MachineRecord& record) {
        return std::fabs(std::log(energy::bitsOf(record.dtype) / bits));
    };
    if (!(energy::bitsOf(dtype) > 0.0))
        return std::nullopt;
    for (const auto& [name, record] : limits) {
        if (!(energy::bitsOf(name) > 0.0))
            continue;
        if (nearest == nullptr || distance(record) < distance(*nearest))
            nearest = &record;
        if (fastest == nullptr || record.bytes_per_second.value > fastest->bytes_per_second.value)
            fastest = &record;
    }
    if (nearest == nullptr)
        return std::nullopt;
    constexpr double kUnsure = 0.25; // relative error of rates from other kernels
    MachineRecord derived = *nearest;
    derived.bytes_per_second = fastest->bytes_per_second;
    for (MeasuredConstant* rate : {&derived.bytes_per_second, &derived.flops_per_second})
        rate->sd = std::hypot(rate->sd, kUnsure * rate->value);
    return costsOf(derived);
}

std::int64_t cacheBytes()
{
#if defined(__APPLE__)
    std::int64_t bytes = 0;
    std::size_t size = sizeof bytes;
    return ::sysctlbyname("hw.perflevel0.l2cachesize", &bytes, &size, nullptr, 0) == 0 ? bytes : 0;
#elif defined(_SC_LEVEL3_CACHE_SIZE)
    return std::max(0L, ::sysconf(_SC_LEVEL3_CACHE_SIZE));
#else
    return 0;
#endif
}

constexpr std::size_t kBars = 5;

struct TrialSide {
    std::vector<double> values; // J or s per output token
};

std::optional<double> perToken(const RunSummary& run, bool ofTime)
{
    if (!ofTime)
        return run.metrics.joules_per_token;
    if (run.info.output_tokens <= 0)
        return std::nullopt;
    return toSeconds(run.metrics.duration_ns) / run.info.output_tokens;
}

// Whether any run of the study has the new setting.
bool hasSetting(const RunInfo& info, const AdviceRecord& advice)
{
    const auto lever = energy::leverFromName(advice.lever);
    switch (lever.value_or(energy::Lever::QuietMachine)) {
    case energy::Lever::NumberFormat:
        return info.dtype == advice.setting;
    case energy::Lever::Batch:
        return std::to_string(std::max<std::size_t>(1, info.batch.size())) == advice.setting;
    case energy::Lever::Device:
        return info.device == advice.setting;
    case energy::Lever::Depth:
        return name(info.depth) == advice.setting;
    default:
        return false;
    }
}

std::optional<energy::Estimate> observe(const AdviceRecord& advice,
                                        const std::vector<RunSummary>& runs)
{
    TrialSide before;
    TrialSide after;
    for (const RunSummary& run : runs) {
        if (run.info.experiment != advice.experiment || run.info.status != RunStatus::Complete)
            continue;
        if (const auto value = perToken(run, advice.of_time))
            (hasSetting(run.info, advice) ? after : before).values.push_back(*value);
    }
    if (before.values.empty() || after.values.empty())
        return std::nullopt;
    const double old = energy::meanOf(before.values);
    const double changed = energy::meanOf(after.values);
    if (!(old > 0.0))
        return std::nullopt;
    const auto relative = [](const TrialSide& side) {
        const auto sd = energy::sampleSd(side.values);
        const auto count = static_cast<double>(side.values.size());
        return sd ? *sd / energy::meanOf(side.values) / std::sqrt(count) : 0.0;
    };
    const double ratio = changed / old;
    return energy::Estimate{1.0 - ratio, ratio * std::hypot(relative(before), relative(after))};
}

Result<std::vector<TriedRemedy>> triedOn(const store::Store& store, const std::string& machine)
{
    auto records = store.advice(machine);
    if (!records)
        return records.error();
    std::vector<TriedRemedy> tried;
    if (records->empty())
        return tried;
    std::ranges::reverse(*records);
    for (AdviceRecord& record : *records) {
        const auto runs = store.list({.experiments = {record.experiment}});
        if (!runs)
            return runs.error();
        TriedRemedy one{.advice = std::move(record)};
        one.observed = observe(one.advice, *runs);
        if (one.observed) {
            const double sd = std::hypot(one.advice.share.sd, one.observed->sd);
            one.held =
                std::fabs(one.observed->value - one.advice.share.value) <= kHalfInterval95 * sd;
        }
        tried.push_back(std::move(one));
    }
    return tried;
}

// Records that a diagnosis reads besides the run and its totals.
struct Evidence {
    RunTrace first_step;
    std::map<std::string, MachineRecord> limits; // by number format
};

Result<Evidence> evidenceFor(const store::Store& store, const RunInfo& info,
                             const CancelToken& cancel)
{
    if (info.status == RunStatus::Running) {
        return Error{ErrorCode::Unsupported,
                     {"The run %1 is still in progress; wait for its end.", shortId(info.id)}};
    }
    auto first = store.steps(info.id, {0, 1}, cancel);
    if (!first)
        return first.error();
    Evidence evidence{std::move(*first), {}};
    const std::string machine = machineKey(info.environment);
    std::vector<std::string> formats = model::formatChoices(); // formats that advice may suggest
    formats.push_back(info.dtype);
    for (const std::string& dtype : formats) {
        auto limits = store.machine(machine, info.device, model::mainTypeName(dtype));
        if (!limits)
            return limits.error();
        if (*limits)
            evidence.limits.emplace(dtype, std::move(**limits));
    }
    return evidence;
}

energy::Diagnosis diagnose(const Run& run, const std::vector<ComponentTotal>& totals,
                           const Evidence& evidence, bool timeOnly = false)
{
    energy::DiagnosisRequest request{
        .parts = {.run = run, .totals = totals, .first_step = evidence.first_step}};
    for (const auto& [dtype, limits] : evidence.limits) {
        if (dtype == run.info.dtype)
            request.measured = costsOf(limits);
        else
            request.other_formats[dtype] = costsOf(limits);
    }
    if (!request.measured)
        request.measured = derivedCosts(run.info.dtype, evidence.limits);
    if (machineKey(run.info.environment) == machineKey(readEnvironment()))
        request.cache_bytes = cacheBytes();
    // Repetition is babble in any text; the other rules are for the user to choose.
    if (const auto babble = findBabble(run, {.kind = text::AnswerRule::Kind::Repetition});
        babble && *babble)
        request.answered_at = (*babble)->onset;
    request.time_only = timeOnly;
    return energy::diagnose(request);
}

} // namespace

energy::MachineCosts costsOf(const MachineRecord& record)
{
    using energy::CostOrigin;
    using energy::Prices;
    energy::MachineCosts costs;
    const auto inverse = [&](double Prices::*constant, const MeasuredConstant& rate) {
        costs.mean.*constant = 1.0 / rate.value;
        costs.addSpread(constant, rate.sd / (rate.value * rate.value));
    };
    if (record.flops_per_second.value > 0.0 && record.bytes_per_second.value > 0.0) {
        inverse(&Prices::seconds_per_flop, record.flops_per_second);
        inverse(&Prices::seconds_per_byte, record.bytes_per_second);
        costs.ceilings = CostOrigin::Measured;
    }
    const auto direct = [&](double Prices::*constant, const MeasuredConstant& measured) {
        costs.mean.*constant = measured.value;
        costs.addSpread(constant, measured.sd);
    };
    if (record.joules_per_flop && record.joules_per_byte && record.static_watts) {
        direct(&Prices::joules_per_flop, *record.joules_per_flop);
        direct(&Prices::joules_per_byte, *record.joules_per_byte);
        direct(&Prices::watts, *record.static_watts);
        costs.energies = CostOrigin::Measured;
    }
    return costs;
}

std::vector<AnswerBar> barsOf(const energy::Diagnosis& diagnosis)
{
    std::vector<AnswerBar> bars;
    const energy::Spending spending = energy::spendingOf(diagnosis);
    for (const energy::SpentPart& part : spending.parts) {
        if (bars.size() < kBars && part.amount > 0.0)
            bars.push_back({std::string(part.title), energy::formatAmount(spending, part.amount),
                            std::min(part.share, 1.0), part.place});
    }
    return bars;
}

Explanation explainMean(const energy::Excerpt& mean)
{
    RunTrace first;
    for (const RunBreakdown::OfComponent& of : mean.parts.components) {
        if (of.phase == Phase::Prefill)
            first.components.push_back(Span::ofComponent(
                0, of.layer, of.component, {0, of.sum.duration_ns}, of.sum.complete()));
    }
    Explanation explanation;
    energy::Diagnosis& diagnosis = explanation.diagnosis;
    diagnosis =
        energy::diagnose({.parts = {.run = mean.run, .totals = mean.totals, .first_step = first}});
    diagnosis.reason.clear();
    diagnosis.findings.clear();
    explanation.bars = barsOf(diagnosis);
    return explanation;
}

Message Explanation::unusualLine() const
{
    return unusual     ? energy::lineOf(*unusual)
        : unusual_part ? energy::lineOf(*unusual_part)
                       : Message();
}

Message trackRecordOf(const std::vector<TriedRemedy>& tried)
{
    int known = 0;
    int held = 0;
    for (const TriedRemedy& one : tried) {
        known += one.observed ? 1 : 0;
        held += one.held ? 1 : 0;
    }
    if (known == 0)
        return {};
    return {known == 1 ? "Such advice held %1 of %2 time on this machine."
                       : "Such advice held %1 of %2 times on this machine.",
            held, known};
}

Result<Explanation> explainRun(const store::Store& store, const std::string& id,
                               const CancelToken& cancel)
{
    const auto overview = store.overview(id, cancel);
    if (!overview)
        return overview.error();
    const RunInfo& info = overview->run.info;
    const auto evidence = evidenceFor(store, info, cancel);
    if (!evidence)
        return evidence.error();
    Explanation explanation;
    explanation.run = id;
    explanation.diagnosis = diagnose(overview->run, overview->totals, *evidence);
    explanation.remedies = energy::remediesFor(explanation.diagnosis, info);
    explanation.bars = barsOf(explanation.diagnosis);
    auto tried = triedOn(store, machineKey(info.environment));
    if (!tried)
        return tried.error();
    explanation.tried = std::move(*tried);
    const auto others = store.list({.dtypes = {info.dtype}, .statuses = {"complete"}});
    if (!others)
        return others.error();
    const RunSummary summary{info, overview->run.metrics};
    explanation.unusual = energy::unusualCostOf(summary, *others);
    if (energy::runsLike(summary, *others).size() < energy::kMinOthers)
        explanation.unusual_part = energy::unusualPartOf(explanation.diagnosis);
    return explanation;
}

Result<Message> answerOf(const store::Store& store, const std::string& id)
{
    const auto overview = store.overview(id);
    if (!overview)
        return overview.error();
    const auto evidence = evidenceFor(store, overview->run.info, {});
    if (!evidence)
        return evidence.error();
    return energy::answersOf(diagnose(overview->run, overview->totals, *evidence)).front();
}

Message answerOf(const Run& run)
{
    Evidence evidence;
    for (const Span& span : run.trace.components) {
        if (span.token == 0)
            evidence.first_step.components.push_back(span);
    }
    return energy::answersOf(diagnose(run, totalsOf(run.trace), evidence)).front();
}

Status explainGroups(const store::Store& store, std::vector<energy::RunGroup>& groups,
                     const CancelToken& cancel)
{
    struct Explained {
        energy::ComparedRun* run;
        Evidence evidence;
        energy::Diagnosis diagnosis;
    };
    std::vector<Explained> all;
    for (energy::RunGroup& group : groups) {
        if (groups.size() < 2 || group.runs.size() != 1)
            continue;
        energy::ComparedRun& compared = group.runs.front();
        auto evidence = evidenceFor(store, compared.run->info, cancel);
        if (!evidence) {
            if (evidence.error().code == ErrorCode::Unsupported)
                continue;
            return evidence.error();
        }
        auto diagnosis = diagnose(*compared.run, *compared.totals, *evidence);
        all.push_back({&compared, *std::move(evidence), std::move(diagnosis)});
    }
    const bool ofTime =
        std::ranges::any_of(all, [](const Explained& one) { return one.diagnosis.of_time; });
    for (Explained& one : all) {
        if (one.diagnosis.of_time != ofTime)
            one.diagnosis = diagnose(*one.run->run, *one.run->totals, one.evidence, true);
        one.run->why = std::make_shared<const energy::Diagnosis>(std::move(one.diagnosis));
    }
    return {};
}

Result<StudySpec> studyFor(const RunInfo& run, const energy::Remedy& remedy)
{
    constexpr int kRepeats = 5;
    if (run.profiling.command) {
        return Error{ErrorCode::Unsupported,
                     {"“%1” cannot be tried by a study: %2", remedy.what, remedy.how}};
    }
    static constexpr std::pair<energy::Lever, std::string_view> kLists[] = {
        {energy::Lever::NumberFormat, "dtype"},
        {energy::Lever::Batch, "batch_size"},
        {energy::Lever::Device, "device"},
        {energy::Lever::Depth, "profiling_depth"}};
    const auto* const list =
        std::ranges::find(kLists, remedy.lever, &std::pair<energy::Lever, std::string_view>::first);
    if (list == std::end(kLists))
        return Error{ErrorCode::Unsupported,
                     {"“%1” cannot be tried by a study: %2", remedy.what, remedy.how}};
    StudySpec spec = studyLike(requestOf(run));
    spec.name =
        "advice-" + shortId(run.id) + '-' + std::string(name(remedy.lever)) + '-' + remedy.setting;
    spec.models = {run.model.path};
    spec.prompts = {{.name = "as in the run", .text = run.prompt}};
    if (run.chat_template)
        spec.prompts.front().conversations = {
            run.conversation.empty() ? json::promptConversation({}, run.prompt) : run.conversation};
    spec.values("device") = {run.device};
    spec.values("dtype") = {run.dtype};
    spec.values("batch_size") = {std::to_string(std::max<std::size_t>(1, run.batch.size()))};
    spec.values("max_new_tokens") = {std::to_string(std::max(1, run.max_new_tokens))};
    spec.run.repeats = kRepeats;
    if (!run.power.source.empty())
        spec.run.power.kind = run.power.source;
    spec.run.tags = {"advice"};
    spec.values(list->second).push_back(remedy.setting);
    return spec;
}

AdviceRecord adviceFor(const RunInfo& run, const energy::Remedy& remedy, bool ofTime,
                       const std::string& experiment)
{
    AdviceRecord record;
    record.experiment = experiment;
    record.machine = machineKey(run.environment);
    record.run = run.id;
    record.lever = name(remedy.lever);
    record.setting = remedy.setting;
    record.of_time = ofTime;
    if (remedy.share)
        record.share = {remedy.share->value, remedy.share->sd};
    return record;
}

} // namespace ep::session
