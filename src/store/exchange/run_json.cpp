// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/store/run_json.h"

#include "exchange/energy_record_json.h"
#include "exchange/json_parts.h"
#include "exchange/json_versions.h"
#include "exchange/json_writer.h"
#include "exchange/profiling_json.h"
#include "exchange/run_sums.h"

#include "ep/core/run.h"
#include "ep/core/run_figure.h"
#include "ep/core/tally.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <unordered_map>

namespace ep::store {
namespace {

// Writes the two trees of a run, run > phase > section and run > token > layer > component >
// operation, with the remainder of each node as `remainder`.
class JsonTree {
public:
    // All must outlive this object.
    JsonTree(JsonWriter& json, const RunSource& source, const RunSums& sums);

    // Members of the object `run`: the phases with their sections, and what grows with the run.
    void writePhases();
    Status writeSteps(); // fails if the source does

private:
    using Layers = std::vector<const LayerSpan*>;
    using Components = std::vector<const ComponentSpan*>;
    using Operations = std::vector<const OperationSpan*>;
    // The records of one step.
    struct Step {
        std::vector<const SectionSpan*> sections;
        Layers layers;
        Components components;
        Operations operations;
    };

    void collectSteps(const RunTrace& piece);
    void writeAnswerSections();
    void writePhase(std::size_t index);
    Status writeTokens();
    void writePiece(const RunTrace& piece);
    void writeToken(const TokenSpan& token, const Step& step);
    void writeUnfinishedSteps();
    // The functions below return the sum of the written nodes.
    Tally writeStep(const Step& step);
    void writeSection(const SectionSpan& section, bool withPhase);
    Tally writeLayer(const Step& step, std::int32_t layer);
    Tally writeComponents(const Components& components, const Operations& operations);
    void writeComponent(Component component, const ComponentSpan* span,
                        const Operations& operations);

    JsonWriter& m_json;
    const RunSource& m_source;
    const RunSums& m_sums;
    const Run& m_run; // head of the run
    std::unordered_map<std::int32_t, Step> m_steps; // steps of the current piece
    RunTrace m_unfinished; // steps that produced no token
};

template <typename Span>
void append(const std::vector<const Span*>& spans, std::vector<Span>& list)
{
    for (const Span* span : spans)
        list.push_back(*span);
}

template <typename Span>
Tally tallyOfSpan(const Span& span)
{
    return tallyOf(span.time.duration_ns(), span.energy_mj, Provenance::Attributed);
}

void writeTally(JsonWriter& json, const Tally& tally)
{
    writeDuration(json, tally.duration_ns);
    json.member("energy_mj", tally.complete());
    writeKnown(json, tally);
}

void writeRemainder(JsonWriter& json, const Tally& rest)
{
    json.key("remainder");
    json.beginObject(JsonWriter::Layout::Inline);
    writeTally(json, rest);
    json.endObject();
}

// The elements with this key, in a list sorted by key.
template <typename Span, typename Key>
std::vector<const Span*> withKey(const std::vector<const Span*>& spans, const Key& keyOf,
                                 const decltype(keyOf(std::declval<const Span&>()))& key)
{
    const auto first = std::lower_bound(
        spans.begin(), spans.end(), key,
        [&](const Span* span, const auto& wanted) { return keyOf(*span) < wanted; });
    const auto last =
        std::find_if(first, spans.end(), [&](const Span* span) { return key < keyOf(*span); });
    return {first, last};
}

template <typename Span>
std::int32_t layerOf(const Span& span)
{
    return span.layer;
}

template <typename Span>
void orderByLayer(std::vector<const Span*>& spans)
{
    std::stable_sort(spans.begin(), spans.end(),
                     [](const Span* a, const Span* b) { return a->layer < b->layer; });
}

JsonTree::JsonTree(JsonWriter& json, const RunSource& source, const RunSums& sums)
    : m_json(json)
    , m_source(source)
    , m_sums(sums)
    , m_run(source.head())
{
}

void JsonTree::collectSteps(const RunTrace& piece)
{
    m_steps.clear();
    for (const SectionSpan& section : piece.sections) {
        if (section.token != kNoToken)
            m_steps[section.token].sections.push_back(&section);
    }
    for (const LayerSpan& layer : piece.layers)
        m_steps[layer.token].layers.push_back(&layer);
    for (const ComponentSpan& component : piece.components)
        m_steps[component.token].components.push_back(&component);
    for (const OperationSpan& operation : piece.operations)
        m_steps[operation.token].operations.push_back(&operation);
    for (auto& [token, step] : m_steps) {
        orderByLayer(step.layers);
        orderByLayer(step.components);
        orderByLayer(step.operations);
    }
}

Status JsonTree::writeSteps()
{
    m_json.key("sections");
    m_json.beginArray();
    for (const SectionSpan& section : m_sums.outside)
        writeSection(section, true);
    m_json.endArray();
    const Status written = writeTokens();
    if (written)
        writeUnfinishedSteps();
    return written;
}

void JsonTree::writePhases()
{
    const std::vector<PhaseSpan>& phases = m_run.trace.phases;
    m_json.key("phases");
    m_json.beginArray();
    for (std::size_t i = 0; i < phases.size(); ++i) {
        if (phases[i].phase != Phase::Idle)
            writePhase(i);
    }
    m_json.endArray();
    writeRemainder(m_json, remainderOfRun(m_run));
    m_json.key("idle");
    m_json.beginArray();
    for (std::size_t i = 0; i < phases.size(); ++i) {
        if (phases[i].phase == Phase::Idle)
            writePhase(i);
    }
    m_json.endArray();
    writeAnswerSections();
}

// Writes thinking and answer, if the model marks them.
void JsonTree::writeAnswerSections()
{
    if (m_sums.answer.sections().empty())
        return;
    m_json.key("answer_sections");
    m_json.beginArray();
    for (const AnswerSection& section : m_sums.answer.sections()) {
        m_json.beginObject(JsonWriter::Layout::Inline);
        m_json.member("section", section.name);
        m_json.member("start_ns", section.time.begin_ns - m_run.trace.time.begin_ns);
        writeDuration(m_json, section.time.duration_ns());
        m_json.member("tokens", section.tokens);
        m_json.member("energy_mj", section.energy.complete());
        writeKnown(m_json, section.energy);
        m_json.member("joules_per_token", section.joulesPerToken());
        m_json.endObject();
    }
    m_json.endArray();
}

void JsonTree::writePhase(std::size_t index)
{
    const PhaseSpan& phase = m_run.trace.phases[index];
    m_json.beginObject();
    writeSpan(m_json, phase, m_run.trace.time.begin_ns);
    writeKnown(m_json, m_sums.known.ofPhase(index));
    Tally parts;
    m_json.key("sections");
    m_json.beginArray();
    for (const SectionSum& total : m_sums.sections.of(phase.phase)) {
        m_json.beginObject(JsonWriter::Layout::Inline);
        m_json.member("section", total.section);
        m_json.member("count", total.sum.spans);
        writeTally(m_json, total.sum);
        m_json.endObject();
        parts.add(total.sum);
    }
    m_json.endArray();
    writeRemainder(m_json, tallyOf(phase.time, phase.energy) - parts);
    m_json.endObject();
}

Status JsonTree::writeTokens()
{
    m_json.key("tokens");
    m_json.beginArray();
    const Status read = m_source.read(RunSource::Parts::All, [&](const RunTrace& piece) -> Status {
        writePiece(piece);
        return {};
    });
    m_json.endArray();
    return read;
}

void JsonTree::writePiece(const RunTrace& piece)
{
    collectSteps(piece);
    for (const TokenSpan& token : piece.tokens) {
        const auto step = m_steps.find(token.index);
        writeToken(token, step != m_steps.end() ? step->second : Step());
    }
    for (const TokenSpan& token : piece.tokens)
        m_steps.erase(token.index);
    for (const auto& [token, step] : m_steps) {
        append(step.sections, m_unfinished.sections);
        append(step.layers, m_unfinished.layers);
        append(step.components, m_unfinished.components);
        append(step.operations, m_unfinished.operations);
    }
}

void JsonTree::writeToken(const TokenSpan& token, const Step& step)
{
    m_json.beginObject();
    writeSpan(m_json, token, m_run.trace.time.begin_ns);
    const Tally parts = writeStep(step);
    writeRemainder(m_json, tallyOf(token.time, token.energy) - parts);
    m_json.endObject();
}

void JsonTree::writeUnfinishedSteps()
{
    collectSteps(m_unfinished);
    std::map<std::int32_t, const Step*> cut;
    for (const auto& [token, step] : m_steps)
        cut.emplace(token, &step);
    m_json.key("unfinished_steps");
    m_json.beginArray();
    for (const auto& [token, step] : cut) {
        m_json.beginObject();
        m_json.member("index", token);
        writeStep(*step);
        m_json.endObject();
    }
    m_json.endArray();
}

// A section that contains the layers listed here would count twice among the token's children, so
// it is listed separately.
Tally JsonTree::writeStep(const Step& step)
{
    Tally parts;
    const auto holdsLayers = [&](const SectionSpan& section) {
        return section.section == Section::Layers && !step.layers.empty();
    };
    m_json.key("sections");
    m_json.beginArray();
    for (const SectionSpan* section : step.sections) {
        if (holdsLayers(*section))
            continue;
        writeSection(*section, false);
        parts.add(tallyOf(section->time, section->energy));
    }
    m_json.endArray();
    m_json.key("enclosing_sections");
    m_json.beginArray();
    for (const SectionSpan* section : step.sections) {
        if (holdsLayers(*section))
            writeSection(*section, false);
    }
    m_json.endArray();

    std::vector<std::int32_t> layers;
    for (const LayerSpan* layer : step.layers)
        layers.push_back(layer->layer);
    for (const ComponentSpan* component : step.components)
        layers.push_back(component->layer);
    for (const OperationSpan* operation : step.operations)
        layers.push_back(operation->layer);
    std::sort(layers.begin(), layers.end());
    layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
    m_json.key("layers");
    m_json.beginArray();
    for (const std::int32_t layer : layers)
        parts.add(writeLayer(step, layer));
    m_json.endArray();
    return parts;
}

void JsonTree::writeSection(const SectionSpan& section, bool withPhase)
{
    m_json.beginObject(JsonWriter::Layout::Inline);
    if (withPhase)
        m_json.member("phase", section.phase);
    writeSpan(m_json, section, m_run.trace.time.begin_ns);
    m_json.endObject();
}

Tally JsonTree::writeLayer(const Step& step, std::int32_t layer)
{
    const Layers spans = withKey(step.layers, layerOf<LayerSpan>, layer);
    const LayerSpan* span = spans.empty() ? nullptr : spans.front();
    m_json.beginObject();
    LayerSpan interrupted;
    interrupted.layer = layer;
    writeSpan(m_json, span ? *span : interrupted, m_run.trace.time.begin_ns, !span);
    const Tally parts = writeComponents(withKey(step.components, layerOf<ComponentSpan>, layer),
                                        withKey(step.operations, layerOf<OperationSpan>, layer));
    const Tally whole = span ? tallyOfSpan(*span) : Tally();
    if (span)
        writeRemainder(m_json, whole - parts);
    m_json.endObject();
    return whole;
}

Tally JsonTree::writeComponents(const Components& components, const Operations& operations)
{
    // A component may occur several times in a layer. An operation belongs to the occurrence that
    // contains it, otherwise to the first one.
    const auto homeOf = [&](const OperationSpan& operation) -> const ComponentSpan* {
        const ComponentSpan* first = nullptr;
        for (const ComponentSpan* span : components) {
            if (span->component != operation.component)
                continue;
            if (span->time.contains(operation.time))
                return span;
            first = first ? first : span;
        }
        return first;
    };
    std::map<const ComponentSpan*, Operations> homes;
    std::map<Component, Operations> cut; // operations of interrupted components
    for (const OperationSpan* operation : operations) {
        if (const ComponentSpan* home = homeOf(*operation))
            homes[home].push_back(operation);
        else
            cut[operation->component].push_back(operation);
    }
    Tally parts;
    m_json.key("components");
    m_json.beginArray();
    for (const ComponentSpan* span : components) {
        writeComponent(span->component, span, homes[span]);
        parts.add(tallyOfSpan(*span));
    }
    for (const auto& [component, own] : cut)
        writeComponent(component, nullptr, own);
    m_json.endArray();
    return parts;
}

void JsonTree::writeComponent(Component component, const ComponentSpan* span,
                              const Operations& operations)
{
    const auto layout = operations.empty() ? JsonWriter::Layout::Inline : JsonWriter::Layout::Block;
    m_json.beginObject(layout);
    ComponentSpan interrupted;
    interrupted.component = component;
    writeSpan(m_json, span ? *span : interrupted, m_run.trace.time.begin_ns, !span);
    Tally parts;
    m_json.key("operations");
    m_json.beginArray();
    for (const OperationSpan* operation : operations) {
        m_json.beginObject(JsonWriter::Layout::Inline);
        writeSpan(m_json, *operation, m_run.trace.time.begin_ns);
        m_json.endObject();
        parts.add(tallyOfSpan(*operation));
    }
    m_json.endArray();
    if (span)
        writeRemainder(m_json, tallyOfSpan(*span) - parts);
    m_json.endObject();
}

void writeHead(JsonWriter& json, std::string_view format)
{
    json.member("format", format);
    json.member("version", kNewestJson);
}

void writeSummary(JsonWriter& json, const RunSummary& summary)
{
    json.key("info");
    writeRecord(json, summary.info);
    json.key("metrics");
    writeRecord(json, summary.metrics);
    // The figures that are computed from others, as in the other outputs; readers compute them.
    json.key("derived");
    json.beginObject();
    for (const RunFigureFacts& facts : kRunFigures) {
        if (facts.field == nullptr)
            json.member(facts.api, apiValueOf(facts.figure, summary));
    }
    json.endObject();
}

void writeSamples(JsonWriter& json, const RunTrace& trace)
{
    json.key("samples");
    json.beginArray();
    for (const PowerSample& sample : trace.samples) {
        json.beginObject(JsonWriter::Layout::Inline);
        writeSpan(json, sample, trace.time.begin_ns);
        json.endObject();
    }
    json.endArray();
}

void writePower(JsonWriter& json, const Run& run, JsonExtent extent)
{
    const PowerInfo& power = run.info.power;
    json.key("power");
    json.beginObject();
    json.member("source", power.source);
    json.key("quality");
    detail::writeField(json, power.quality);
    json.key("record");
    writeParsed(json, energyRecordJson(run));
    if (extent == JsonExtent::Complete)
        writeSamples(json, run.trace);
    json.endObject();
}

Status writeRun(JsonWriter& json, const RunSource& source, JsonExtent extent)
{
    const Run& run = source.head();
    const auto sums = RunSums::of(source);
    if (!sums)
        return sums.error();
    json.beginObject();
    const bool complete = extent == JsonExtent::Complete;
    writeHead(json, complete ? "energy-profiler-run" : "energy-profiler-run-overview");
    json.key("run");
    json.beginObject();
    writeSummary(json, {run.info, run.metrics});
    json.member("clock_start_ns", run.trace.time.begin_ns);
    writeDuration(json, run.trace.time.duration_ns());
    json.key("energy");
    writeEnergy(json, run.metrics.energy);
    writeKnown(json, sums->known.ofRun());
    json.key("profiling");
    writeParsed(json, profilingJson(run.info.profiling));
    JsonTree tree(json, source, *sums);
    tree.writePhases();
    if (const Status written = complete ? tree.writeSteps() : Status(); !written)
        return written;
    writePower(json, run, extent);
    json.endObject();
    json.endObject();
    return {};
}

} // namespace

std::string runToJson(const Run& run, int indent)
{
    JsonWriter json(indent);
    static_cast<void>(writeRun(json, RunInMemory(run),
                               JsonExtent::Complete)); // a run in memory can always be read
    return json.take();
}

Status writeJson(const RunSource& run, std::ostream& sink, int indent, JsonExtent extent)
{
    JsonWriter json(indent, &sink);
    if (const Status written = writeRun(json, run, extent); !written)
        return written;
    json.flush();
    sink << '\n';
    return {};
}

std::string summaryToJson(const RunSummary& summary, int indent)
{
    JsonWriter json(indent);
    json.beginObject();
    writeHead(json, "energy-profiler-run-summary");
    writeSummary(json, summary);
    json.endObject();
    return json.take();
}

std::string summariesToJson(const std::vector<RunSummary>& summaries, int indent)
{
    JsonWriter json(indent);
    json.beginObject();
    writeHead(json, "energy-profiler-run-list");
    json.key("runs");
    json.beginArray();
    for (const RunSummary& summary : summaries) {
        json.beginObject();
        writeSummary(json, summary);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.take();
}

} // namespace ep::store
