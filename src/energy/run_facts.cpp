// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/run_facts.h"

#include "compare/properties.h"

#include "ep/core/clock.h"
#include "ep/core/disturbed_tokens.h"
#include "ep/core/format.h"
#include "ep/core/joined.h"
#include "ep/core/known_energy.h"
#include "ep/core/metrics.h"
#include "ep/core/no_layers.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_deviation.h"
#include "ep/core/stated_tokens.h"
#include "ep/energy/baseline.h"
#include "ep/energy/insights.h"
#include "ep/energy/paired_runs.h"
#include "ep/energy/quality.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

namespace ep::energy {

namespace {

Message when(bool known, Message text)
{
    return known ? std::move(text) : Message();
}

// The pattern with the formatted value, if that is known.
template <typename T, typename Format>
Message known(const std::optional<T>& value, const char* pattern, Format format)
{
    return value ? Message(pattern, format(*value)) : Message();
}

std::string significant(double value)
{
    return formatSignificant(value);
}

Message withAside(const Message& text, const Message& aside)
{
    return aside.empty() ? text : sequence({text, Message("(%1)", aside)});
}

Message model(const ModelFacts& model)
{
    return sequence({withAside(model.name, model.architecture),
                     when(model.parameters > 0, {"%1 parameters", formatCount(model.parameters)})},
                    ", ");
}

Message weights(const RunInfo& run)
{
    const ModelFacts& model = run.model;
    return when(
        model.weight_bytes > 0,
        sequence({formatBytes(model.weight_bytes),
                  known(valueOf(RunFeature::BitsPerWeight, run), "%1 bits per weight", significant),
                  when(!model.stored_dtype.empty(), {"stored as %1", model.stored_dtype})},
                 ", "));
}

// A recorded command or another server does not state its device.
Message device(const RunInfo& run)
{
    const bool stated = run.device != "recorded" && !run.profiling.server;
    return sequence({when(stated, run.device), withAside(run.dtype, run.model.quantization)}, ", ");
}

// The first token comes from the prefill.
Message decodedTokens(const ServerRecord& server)
{
    const std::int64_t tokens = server.output_tokens.value_or(0);
    return when(tokens > 0, std::to_string(tokens - 1));
}

Message overlapping(const ServerRecord& server)
{
    const auto& group = server.group;
    return group && group->shared
        ? Message("with %1 overlapping requests, by tokens in flight", group->requests - 1)
        : Message();
}

Message engine(const RunInfo& run)
{
    if (const auto& command = run.profiling.command) {
        const std::size_t colon = command->engine.find(": "); // "recorded: transformers 5.1"
        return colon == std::string::npos ? std::string() : command->engine.substr(colon + 2);
    }
    const ExecutionRecord& execution = run.execution;
    if (execution.attention.empty())
        return {};
    return sequence({Message("attention: %1", execution.attention),
                     sequence({when(!execution.cache.empty(), {"%1 cache", execution.cache}),
                               known(execution.peak_cache_bytes, "at most %1", formatBytes)},
                              ", ")},
                    "; ");
}

Message processorTime(const FactSubject& run)
{
    const auto& command = run.info.profiling.command;
    if (!command || command->processes == 0)
        return {};
    Message processes(command->processes == 1 ? "%1 process" : "%1 processes", command->processes);
    const auto& spent = command->processor_ns;
    if (!spent)
        return processes;
    const double share = static_cast<double>(*spent) / static_cast<double>(run.metrics.duration_ns);
    return sequence(
        {Message("%1 in %2", formatDuration(*spent), processes),
         when(std::isfinite(share), {"%1 processors on average", formatSignificant(share)})},
        ", ");
}

Message tokens(const RunInfo& run)
{
    const std::string in = tokensText(inputTokens(run));
    const std::string out = tokensText(outputTokens(run));
    return run.batch.size() > 1 ? Message("%1 sequences, %2 in, %3 out", run.batch.size(), in, out)
                                : Message("%1 in, %2 out", in, out);
}

Message sampling(const RunInfo& run)
{
    const SamplingSettings& s = run.sampling;
    return {"temperature %1, top-k %2, top-p %3, min-p %4, repetition penalty %5, seed %6",
            formatSignificant(s.temperature),
            s.top_k,
            formatSignificant(s.top_p),
            formatSignificant(s.min_p),
            formatSignificant(s.repetition_penalty),
            s.seed};
}

Message powerSource(const RunInfo& run)
{
    const PowerInfo& power = run.power;
    const bool none = power.source.empty() || power.source == "none";
    return sequence(
        {withAside(none ? "none (timing only)" : power.source, power.detail), power.notice}, "; ");
}

Message samples(const PowerQuality& quality)
{
    return {quality.samples == 1 ? "%1 sample; interval median %2 ms, p95 %3 ms, asked %4 ms; "
                                   "largest gap %5 ms; covers %6"
                                 : "%1 samples; interval median %2 ms, p95 %3 ms, asked %4 ms; "
                                   "largest gap %5 ms; covers %6",
            quality.samples,
            formatSignificant(quality.median_interval_ms),
            formatSignificant(quality.p95_interval_ms),
            quality.asked_interval_ms,
            formatSignificant(quality.largest_gap_ms),
            coverageText(quality.coverage)};
}

Message baseline(const RunInfo& run)
{
    const auto& baseline = run.power.baseline;
    if (!baseline)
        return {};
    return {baseline->moment == BaselineMoment::BeforeLoad
                ? "%1 over %2, %3 samples, before the model was loaded; %4 old"
                : "%1 over %2, %3 samples, after the model was loaded; %4 old",
            sequence({formatPower(baseline->total_mw),
                      known(baseline->total_sd_mw, "standard deviation %1", formatPower)},
                     ", "),
            formatDuration(baseline->duration_ns), baseline->samples,
            formatDuration(baseline->age_ns)};
}

Message total(const FactSubject& run)
{
    const auto withInterval = [](std::optional<Millijoules> energy,
                                 const std::optional<Millijoules>& sd) {
        return formatEnergy(energy) + (sd ? ' ' + formatInterval95(*sd) : std::string());
    };
    const EnergyValue& energy = run.metrics.energy;
    const Nanoseconds duration = run.metrics.duration_ns;
    const auto& baseline = run.info.power.baseline;
    const auto sd = statedDeviation(energy.sd_mj, energy.provenance);
    const std::string gross = withInterval(energy.total_mj, sd);
    const auto idle = staticEnergy(duration, baseline);
    if (!idle)
        return {"%1; net energy unknown without a baseline", gross};
    const auto net = netEnergy(energy.total_mj, duration, baseline);
    if (!net)
        return {"%1; net energy unknown: the baseline needs more in the same time, %2", gross,
                formatEnergy(idle)};
    const Message share(energy.total_mj->value > 0.0 ? formatPercent(*idle / *energy.total_mj)
                                                     : std::string());
    return sequence(
        {Message("%1; net energy %2; idle machine %3", gross,
                 withInterval(net, netDeviation(sd, duration, baseline)), formatEnergy(idle)),
         share},
        ", ");
}

Message typicalOf(const FactSubject& run)
{
    const auto& joules = run.metrics.joules_per_typical_token;
    if (!joules || !run.trace)
        return {};
    const std::string energy = formatFigure(RunFigure::JoulesPerTypicalToken, joules);
    const auto decoded = std::ranges::count(run.trace->tokens, Phase::Decode, &TokenSpan::phase);
    const auto used = std::ssize(typicalTokens(run.trace->tokens));
    if (used >= decoded)
        return {"%1, the median of the decoded tokens", energy};
    return {"%1, the median of the decoded tokens without the %2 of %3 that other programs "
            "disturbed",
            energy, decoded - used, decoded};
}

Message energyDelay(const FactSubject& run)
{
    const auto text = [](std::optional<double> edp) {
        return formatFigure(RunFigure::EnergyDelayProduct, edp);
    };
    const auto of = [](const auto& span) {
        return energyDelayProduct(span.energy.total_mj, span.time.duration_ns());
    };
    std::vector<Message> parts{{"run %1", text(run.metrics.edp_joule_seconds)}};
    if (!run.trace)
        return parts.front();
    for (const PhaseSpan& phase : run.trace->phases) {
        if (phase.phase == Phase::Prefill || phase.phase == Phase::Decode)
            parts.emplace_back("%1 %2", name(phase.phase), text(of(phase)));
    }
    double sum = 0.0;
    std::size_t known = 0;
    for (const TokenSpan& token : run.trace->tokens) {
        const auto edp = of(token);
        sum += edp.value_or(0.0);
        known += edp ? 1 : 0;
    }
    if (known > 0)
        parts.emplace_back("token %1 (mean)", text(sum / static_cast<double>(known)));
    return sequence(std::move(parts), ", ");
}

Message load(const FactSubject& run)
{
    const auto share = utilisation({run.info, run.metrics});
    return share
        ? Message("%1 of the rated %2", formatPercent(*share), formatPower(run.info.power.rated_mw))
        : Message();
}

Message cost(const FactSubject& run)
{
    const Millijoules energy = *run.metrics.energy.total_mj;
    const Tariff& tariff = run.tariff;
    return withAside({"%1, %2 CO₂; at %3 USD/kWh, %4 g/kWh", formatMoney(costUsd(energy, tariff)),
                      formatMass(emittedGrams(energy, tariff)),
                      formatSignificant(tariff.usd_per_kwh),
                      formatSignificant(tariff.grams_per_kwh)},
                     sequence({tariff.region, tariff.date}, ", "));
}

Message battery(const FactSubject& run)
{
    const auto share = batteryShare(run.metrics.energy.total_mj, run.info.power.battery_mj);
    return share ? Message("%1 % of a full battery", formatSignificant(*share * 100.0)) : Message();
}

Message charge(const FactSubject& run)
{
    const AnswersPerCharge answers = answersPerCharge({run.info, run.metrics});
    if (!answers.in_a_row)
        return answers.reason;
    const auto& spaced = answers.every_three_minutes;
    return sequence({Message("%1 answers like this in a row, %2 at one every three minutes",
                             formatSignificant(*answers.in_a_row),
                             spaced ? formatSignificant(*spaced) : std::string(kMissingText)),
                     answers.reason},
                    "; ");
}

Message secondary(const FactSubject& run)
{
    std::vector<Message> sources;
    if (!run.trace)
        return {};
    for (const SecondarySource& other : run.trace->secondary) {
        sources.emplace_back(other.samples.size() == 1 ? "%1: %2 sample" : "%1: %2 samples",
                             other.source, other.samples.size());
        sources.emplace_back(other.notice);
    }
    return sequence(std::move(sources), "; ");
}

Message overhead(const FactSubject& run)
{
    const ProfilingRecord& record = run.info.profiling;
    // For a command, only a clean pass can tell what recording costs it.
    if (record.spans <= 0 || record.command || run.metrics.duration_ns <= 0)
        return {};
    const double share =
        static_cast<double>(record.cost_ns) / static_cast<double>(run.metrics.duration_ns);
    std::vector<Message> counts{
        {"%1 spans at %2 ns", formatCount(record.spans), formatSignificant(record.span_cost_ns)}};
    if (record.statistics > 0)
        counts.emplace_back("%1 statistics at %2 ns", formatCount(record.statistics),
                            formatSignificant(record.statistic_cost_ns));
    return {"%1 of the run's time was spent recording: %2; %3", formatPercent(share),
            sequence(std::move(counts), ", "), formatBytes(record.memory_bytes)};
}

Message clock(const ProfilingRecord& record)
{
    return when(record.clock != "host" || !record.clock_note.empty(),
                sequence({record.clock, record.clock_note}, ": "));
}

// "+2.1 %"
std::string change(Nanoseconds clean, Nanoseconds now)
{
    if (clean <= 0)
        return kMissingText;
    const double share = static_cast<double>(now - clean) / static_cast<double>(clean);
    return (share < 0.0 ? "-" : "+") + formatPercent(std::abs(share));
}

Message twin(const FactSubject& run)
{
    if (!run.info.profiling.twin)
        return {};
    const TwinRecord& twin = *run.info.profiling.twin;
    std::vector<Message> parts{
        {"every figure contains the cost of recording: prefill %1, decode %2 time",
         change(twin.clean_prefill_ns, twin.prefill_ns),
         change(twin.clean_decode_ns, twin.decode_ns)}};
    if (twin.different_tokens == 0)
        parts.emplace_back("the same %1 tokens", twin.tokens);
    else
        parts.emplace_back("%1 of %2 tokens differ", twin.different_tokens, twin.tokens);
    if (twin.clean_mj && twin.instrumented_mj)
        parts.emplace_back("without recording %1, with it %2",
                           formatEnergy(Millijoules{*twin.clean_mj}),
                           formatEnergy(Millijoules{*twin.instrumented_mj}));
    if (const auto clean = joulesPerTokenUnrecorded(run.info, run.metrics))
        parts.emplace_back("energy per token without recording %1",
                           formatFigure(RunFigure::JoulesPerToken, clean));
    return sequence(std::move(parts), "; ");
}

template <auto kField>
Message time(const ServerRecord& server)
{
    return known(server.*kField, "%1", formatDuration);
}

std::vector<Message> messages(const Message& text)
{
    return {text};
}

std::vector<Message> messages(const std::optional<std::int64_t>& number)
{
    return messages(number ? std::to_string(*number) : std::string());
}

std::vector<Message> messages(const std::vector<Message>& notes)
{
    return notes;
}

// The values of a field or function of one part of a run's record; no values without that part.
struct FactValues {
    template <typename Value, typename Part>
    FactValues(Value Part::*field)
        : of([field](const FactSubject& run) { return from<Part>(field, run); })
    {
    }
    template <typename Value, typename Part>
    FactValues(Value (*function)(const Part&))
        : of([function](const FactSubject& run) { return from<Part>(function, run); })
    {
    }

    std::function<std::vector<Message>(const FactSubject&)> of;

private:
    template <typename Part, typename Get>
    static std::vector<Message> from(Get get, const FactSubject& run)
    {
        const auto held = [](const auto& part) { return part ? &*part : nullptr; };
        const RunInfo& info = run.info;
        const CommandRecord* const command = held(info.profiling.command);
        const std::tuple parts{&run,
                               &info,
                               &info.model,
                               &info.environment,
                               &info.execution,
                               &info.profiling,
                               held(info.power.quality),
                               held(info.power.attribution),
                               held(info.profiling.server),
                               command,
                               command ? held(command->spans) : nullptr};
        const Part* const part = std::get<const Part*>(parts);
        return part ? messages(std::invoke(get, *part)) : std::vector<Message>();
    }
};

struct FactRow {
    std::string_view word;
    const char* term;
    unsigned places; // FactPlace
    FactValues values;
    FactKind kind = FactKind::Plain;
};

constexpr unsigned kEverywhere = kInDetails | kInManifest | kInHeader;
constexpr unsigned kServerRow = kInDetails | kOnServerCard;
constexpr unsigned kCommandRow = kInDetails | kOfCommand | kOnCommandCard;

const std::vector<FactRow>& factRows()
{
    using enum FactKind;
    // clang-format off
    static const std::vector<FactRow> kRows{
        {"id", "Run", kInManifest, &RunInfo::id, Verbatim},
        {"created", "Created", kInManifest, +[](const RunInfo& run) { return isoTimestamp(run.created_at_ms); }, Verbatim},
        {"status", "Status", kEverywhere, +[](const RunInfo& run) { return sequence({name(run.status), run.status_message}, ": "); }},
        {"model", "Model", kEverywhere, model},
        {"hash", "Fingerprint", kInManifest, &ModelFacts::fingerprint, Verbatim},
        {"shape", "Layers x width", kInManifest | kInHeader,
         +[](const ModelFacts& model) { return when(model.layers > 0, {"%1 x %2", model.layers, model.hidden_size}); }},
        {"heads", "Heads (keys and values)", kInManifest,
         +[](const ModelFacts& model) { return when(model.attention_heads > 0, {"%1 (%2)", model.attention_heads, model.kv_heads}); }},
        {"weights", "Weights in memory", kInManifest | kInHeader, weights},
        {"device", "Device, number format", kEverywhere, device},
        {"depth", "Depth", kInManifest | kInHeader, +[](const RunInfo& run) { return Message(name(run.depth)); }},
        {"tokens", "Tokens", kInManifest | kInHeader, tokens},
        {"server", "Server", kInDetails | kInHeader,
         +[](const ServerRecord& server) { return Message("%1 at %2", server.engine, withAside(server.address + server.endpoint, server.way)); }},
        {"tokens", "Prompt tokens", kServerRow, &ServerRecord::prompt_tokens, Stated},
        {"tokens", "Cached prompt tokens", kServerRow, &ServerRecord::cached_tokens, Stated},
        {"tokens", "Uncached prompt tokens (J/input token)", kServerRow, &ServerRecord::uncached_tokens, Stated},
        {"tokens", "Output tokens (J/token)", kServerRow, &ServerRecord::output_tokens, Stated},
        {"tokens", "Decoded after the first (J/decoded token)", kServerRow, decodedTokens, Titled},
        {"tokens", "Reasoning tokens, in the output", kServerRow, &ServerRecord::reasoning_tokens, Titled},
        {"tokens", "Draft tokens", kServerRow, &ServerRecord::draft_tokens, Titled},
        {"tokens", "Draft tokens accepted, in the output", kServerRow, &ServerRecord::draft_accepted_tokens, Titled},
        {"shared", "Shared", kInDetails, overlapping},
        {"refused", "Refused", kInDetails | kInHeader | kBelowServerCard, &ServerRecord::refusals},
        {"note", "Note", kInDetails | kBelowServerCard, &ServerRecord::notes},
        {"layers", "Layers", kInDetails | kBelowServerCard,
         +[](const RunInfo& run) { return when(run.profiling.server.has_value(), whyNoLayers(run)); }},
        {"load", "Load, by the server", kOnServerCard, time<&ServerRecord::load_ns>},
        {"prompt", "Prompt, by the server", kOnServerCard, time<&ServerRecord::prompt_ns>},
        {"decode", "Decode, by the server", kOnServerCard, time<&ServerRecord::decode_ns>},
        {"client", "Decode, by this program", kOnServerCard, time<&ServerRecord::client_decode_ns>},
        {"command", "Command", kInDetails | kOfCommand, +[](const CommandRecord& command) { return commandText(command.arguments); }, Verbatim},
        {"engine", "Engine", kInDetails | kOfCommand | kInManifest, engine},
        {"exit", "Exit status", kOnCommandCard, &CommandRecord::exit_status},
        {"signal", "Ended by signal", kOnCommandCard, &CommandRecord::signal},
        {"cpu", "Processor time", kCommandRow, processorTime},
        {"memory", "Memory", kCommandRow,
         +[](const CommandRecord& command) { return known(command.peak_memory_bytes, "at most %1", formatBytes); }},
        {"spans", "Spans in the run", kOnCommandCard, &SpanCounts::kept},
        {"mapped", "Forward passes with a known name", kOnCommandCard,
         +[](const SpanCounts& spans) { return known(spans.mapped_share, "%1", formatPercent); }},
        {"note", "Note", kInDetails | kOfCommand | kBelowCommandCard, &CommandRecord::notes},
        {"unknown", "Unknown names", kBelowCommandCard,
         +[](const SpanCounts& spans) { return when(!spans.unknown.empty(),
                                                    {"Names without a place in the vocabulary: %1", joined(spans.unknown)}); }},
        {"sampling", "Sampling", kInManifest, sampling},
        {"settings", "Settings", kInDetails, +[](const RunInfo& run) { return Message(recordedText(run)); }, Verbatim},
        {"kernels", "Kernels", kInDetails | kInManifest, &ProfilingRecord::kernels},
        {"note", "Note", kInDetails, &ExecutionRecord::notes},
        {"power", "Power source", kEverywhere | kInMethod, powerSource},
        {"samples", "Samples", kInDetails | kInHeader | kInMethod, samples},
        {"quality", "Quality", kEverywhere | kInMethod,
         +[](const PowerQuality& quality) { return sequence({name(quality.verdict), sequence(quality.reasons)}, ": "); }},
        {"baseline", "Baseline", kInDetails | kInMethod, baseline, OfEnergy},
        {"total", "Gross and net energy", kInDetails | kInHeader | kInMethod, total, OfEnergy},
        {"method", "Attribution", kInDetails | kInHeader | kInMethod, attributionFact},
        {"typical", "Typical token", kInDetails, typicalOf, OfEnergy},
        {"EDP", "Energy-delay product", kInDetails, energyDelay, OfEnergy},
        {"load", "Share of rated power", kInDetails, load, OfEnergy},
        {"cost", "Cost", kInDetails | kInHeader, cost, OfEnergy},
        {"battery", "Battery", kInDetails, battery, OfEnergy},
        {"charge", "Answers per charge", kInDetails, charge, OfEnergy},
        {"also", "Also measured", kInDetails, secondary, OfEnergy},
        {"profiler", "Recording overhead", kInDetails | kInHeader, overhead},
        {"clock", "Clock", kInDetails, clock},
        {"exact", "Exact times", kInDetails | kInHeader,
         +[](const ProfilingRecord& record) { return known(record.exact_slowdown, "synchronising made a token take %1 times as long",
                                                           significant); }},
        {"twin", "Without recording", kInDetails | kInHeader | kInMethod, twin},
        {"tags", "Tags", kInManifest,
         +[](const RunInfo& run) { std::vector<std::string> own = run.tags; std::erase_if(own, isMachineTag); return joined(own); }, Verbatim},
        {"experiment", "Experiment", kInManifest, &RunInfo::experiment, Verbatim},
        {"machine", "Machine", kInManifest, +[](const Environment& here) { return sequence({here.machine, here.cpu}, ", "); }, Verbatim},
        {"system", "System", kInManifest, &Environment::os, Verbatim},
        {"threads", "Threads", kInManifest, +[](const Environment& here) { return when(here.threads > 0, std::to_string(here.threads)); }},
        {"libraries", "LibTorch, BLAS", kInManifest,
         +[](const Environment& here) { return sequence({here.torch_version, here.blas}, ", "); }, Verbatim},
        {"version", "Energy Profiler", kInManifest, &Environment::app_version, Verbatim},
    };
    // clang-format on
    return kRows;
}

std::vector<Message> factValues(const FactRow& row, const FactSubject& run)
{
    if (row.kind == FactKind::OfEnergy && !run.metrics.energy.total_mj)
        return {};
    std::vector<Message> values = row.values.of(run);
    std::erase(values, Message());
    if (values.empty() && row.kind == FactKind::Stated && run.info.profiling.server)
        values.emplace_back("not stated by the server");
    return values;
}

} // namespace

std::vector<Fact> factsOf(const FactSubject& run, FactPlace place)
{
    std::vector<Fact> facts;
    for (const FactRow& row : factRows()) {
        if ((row.places & place) == 0)
            continue;
        std::vector<Message> values = factValues(row, run);
        if (values.empty() && place == kInManifest)
            values.emplace_back();
        for (Message& value : values)
            facts.push_back({row.word, row.term, std::move(value), row.kind});
    }
    return facts;
}

Fact factOf(const FactSubject& run, std::string_view word)
{
    const auto row = std::ranges::find(factRows(), word, &FactRow::word);
    return {row->word, row->term, sequence(factValues(*row, run)), row->kind};
}

Message attributionFact(const AttributionRecord& record)
{
    std::vector<Message> parts{withAside({"split by %1", name(record.method)}, record.note)};
    if (record.method != AttributionMethod::Time && record.fit) {
        for (const Rail rail : kRails) {
            if (const auto& costs = record.fit->rails[rail])
                parts.emplace_back("%1 %2 pJ/byte, %3 pJ/FLOP, %4", name(rail),
                                   formatSignificant(costs->pj_per_byte),
                                   formatSignificant(costs->pj_per_flop),
                                   formatPower(Milliwatts{costs->time_mw}));
        }
        parts.emplace_back("%1 windows, condition number %2", record.fit->windows,
                           formatSignificant(record.fit->condition));
    }
    if (record.method == AttributionMethod::Calibrated)
        parts.emplace_back("the calibration is for decoded tokens: prefill uses other kernels and "
                           "is split without it");
    if (record.offset_applied)
        parts.emplace_back("power shifted by %1 ms",
                           formatSignificant(toMilliseconds(record.offset_ns)));
    parts.emplace_back("parts add up within %1 of the whole", formatSignificant(record.closure));
    return sequence(std::move(parts), "; ");
}

} // namespace ep::energy
