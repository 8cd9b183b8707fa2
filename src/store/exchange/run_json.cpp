// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/store/run_json.h"

#include "exchange/json_parts.h"
#include "exchange/record_json.h"
#include "exchange/run_sums.h"
#include "tables/message_json.h"

#include "ep/core/run_figure.h"
#include "ep/core/tally.h"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <set>
#include <unordered_map>

namespace ep::store {
namespace {

template <typename Step>
auto& at(Step& step, SpanLevel level)
{
    return step[static_cast<std::size_t>(level)];
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

// The spans of a layer, from a list sorted by layer.
std::vector<const Span*> ofLayer(const std::vector<const Span*>& spans, std::int32_t layer)
{
    return {std::ranges::lower_bound(spans, layer, {}, &Span::layer),
            std::ranges::upper_bound(spans, layer, {}, &Span::layer)};
}

// Writes the two trees of a run, run > phase > section and run > token > layer > component >
// operation, with the remainder of each node as `remainder`.
class JsonTree {
public:
    // All must outlive this object.
    JsonTree(JsonWriter& json, const RunSource& source, const RunSums& sums)
        : m_json(json)
        , m_source(source)
        , m_sums(sums)
        , m_run(source.head())
    {
    }

    // Members of the object `run`: the phases with their sections, and what grows with the run.
    void writePhases()
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

    // Fails if the source does.
    Status writeSteps()
    {
        m_json.key("sections");
        m_json.beginArray();
        for (const Span& section : m_sums.outside)
            writeSection(section, true);
        m_json.endArray();
        const Status written = writeTokens();
        if (written)
            writeUnfinishedSteps();
        return written;
    }

private:
    using Spans = std::vector<const Span*>;
    using Step = std::array<Spans, kSpanLevels.size()>; // the spans of one step by level

    void collectSteps(const RunTrace& piece)
    {
        m_steps.clear();
        for (const SpanLevel level : kSpanLevels) {
            for (const Span& span : piece.spans(level)) {
                if (level != SpanLevel::Section || span.token != kNoToken)
                    at(m_steps[span.token], level).push_back(&span);
            }
        }
        for (auto& [token, step] : m_steps) {
            for (Spans& spans : step) // sections have no layer
                std::ranges::stable_sort(spans, {}, &Span::layer);
        }
    }

    // Writes thinking and answer, if the model marks them.
    void writeAnswerSections()
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

    void writePhase(std::size_t index)
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

    Status writeTokens()
    {
        m_json.key("tokens");
        m_json.beginArray();
        const Status read =
            m_source.read(RunSource::Parts::All, [&](const RunTrace& piece) -> Status {
                writePiece(piece);
                return {};
            });
        m_json.endArray();
        return read;
    }

    void writePiece(const RunTrace& piece)
    {
        collectSteps(piece);
        for (const TokenSpan& token : piece.tokens) {
            const auto step = m_steps.find(token.index);
            writeToken(token, step != m_steps.end() ? step->second : Step());
        }
        for (const TokenSpan& token : piece.tokens)
            m_steps.erase(token.index);
        for (const auto& [token, step] : m_steps) {
            for (const SpanLevel level : kSpanLevels) {
                for (const Span* span : at(step, level))
                    m_unfinished.spans(level).push_back(*span);
            }
        }
    }

    void writeToken(const TokenSpan& token, const Step& step)
    {
        m_json.beginObject();
        writeSpan(m_json, token, m_run.trace.time.begin_ns);
        const Tally parts = writeStep(step);
        writeRemainder(m_json, tallyOf(token.time, token.energy) - parts);
        m_json.endObject();
    }

    void writeUnfinishedSteps()
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

    // The functions below return the sum of the written nodes.
    // A section that contains the layers listed here would count twice among the token's children,
    // so it is listed separately.
    Tally writeStep(const Step& step)
    {
        Tally parts;
        const auto holdsLayers = [&](const Span& section) {
            return section.section == Section::Layers && !at(step, SpanLevel::Layer).empty();
        };
        m_json.key("sections");
        m_json.beginArray();
        for (const Span* section : at(step, SpanLevel::Section)) {
            if (holdsLayers(*section))
                continue;
            writeSection(*section, false);
            parts.add(tallyOf(*section));
        }
        m_json.endArray();
        m_json.key("enclosing_sections");
        m_json.beginArray();
        for (const Span* section : at(step, SpanLevel::Section)) {
            if (holdsLayers(*section))
                writeSection(*section, false);
        }
        m_json.endArray();

        std::set<std::int32_t> layers;
        for (const SpanLevel level : kStepLevels) {
            for (const Span* span : at(step, level))
                layers.insert(span->layer);
        }
        m_json.key("layers");
        m_json.beginArray();
        for (const std::int32_t layer : layers)
            parts.add(writeLayer(step, layer));
        m_json.endArray();
        return parts;
    }

    void writeSection(const Span& section, bool withPhase)
    {
        m_json.beginObject(JsonWriter::Layout::Inline);
        if (withPhase)
            m_json.member("phase", section.phase);
        writeSpan(m_json, section, m_run.trace.time.begin_ns);
        m_json.endObject();
    }

    Tally writeLayer(const Step& step, std::int32_t layer)
    {
        const Spans spans = ofLayer(at(step, SpanLevel::Layer), layer);
        const bool interrupted = spans.empty();
        const Span span = interrupted ? Span::ofLayer(kNoToken, layer) : *spans.front();
        m_json.beginObject();
        writeSpan(m_json, span, m_run.trace.time.begin_ns, interrupted);
        const Tally parts = writeComponents(ofLayer(at(step, SpanLevel::Component), layer),
                                            ofLayer(at(step, SpanLevel::Operation), layer));
        const Tally whole = interrupted ? Tally() : tallyOf(span);
        if (!interrupted)
            writeRemainder(m_json, whole - parts);
        m_json.endObject();
        return whole;
    }

    Tally writeComponents(const Spans& components, const Spans& operations)
    {
        // A component may occur several times in a layer. An operation belongs to the occurrence
        // that contains it, otherwise to the first one.
        const auto homeOf = [&](const Span& operation) -> const Span* {
            const Span* first = nullptr;
            for (const Span* span : components) {
                if (span->component != operation.component)
                    continue;
                if (span->time.contains(operation.time))
                    return span;
                first = first ? first : span;
            }
            return first;
        };
        std::map<const Span*, Spans> homes;
        std::map<Component, Spans> cut; // operations of interrupted components
        for (const Span* operation : operations) {
            if (const Span* home = homeOf(*operation))
                homes[home].push_back(operation);
            else
                cut[operation->component].push_back(operation);
        }
        Tally parts;
        m_json.key("components");
        m_json.beginArray();
        for (const Span* span : components) {
            writeComponent(*span, false, homes[span]);
            parts.add(tallyOf(*span));
        }
        for (const auto& [component, own] : cut)
            writeComponent(Span::ofComponent(kNoToken, kNoLayer, component), true, own);
        m_json.endArray();
        return parts;
    }

    void writeComponent(const Span& component, bool interrupted, const Spans& operations)
    {
        const auto layout =
            operations.empty() ? JsonWriter::Layout::Inline : JsonWriter::Layout::Block;
        m_json.beginObject(layout);
        writeSpan(m_json, component, m_run.trace.time.begin_ns, interrupted);
        Tally parts;
        m_json.key("operations");
        m_json.beginArray();
        for (const Span* operation : operations) {
            m_json.beginObject(JsonWriter::Layout::Inline);
            writeSpan(m_json, *operation, m_run.trace.time.begin_ns);
            m_json.endObject();
            parts.add(tallyOf(*operation));
        }
        m_json.endArray();
        if (!interrupted)
            writeRemainder(m_json, tallyOf(component) - parts);
        m_json.endObject();
    }

    JsonWriter& m_json;
    const RunSource& m_source;
    const RunSums& m_sums;
    const Run& m_run; // head of the run
    std::unordered_map<std::int32_t, Step> m_steps; // steps of the current piece
    RunTrace m_unfinished; // steps that produced no token
};

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
    // Figures that follow from others, as in the other outputs; readers of JSON compute them again.
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
    json.tree(inEnglish(energyRecordJson(run)));
    if (extent == JsonExtent::Complete)
        writeSamples(json, run.trace);
    json.endObject();
}

// The texts above whose parts vary, in the form that can be translated, each once.
void writeMessages(JsonWriter& json, const Run& run)
{
    json.key("messages");
    json.beginArray();
    std::set<std::string> written;
    const auto write = [&](const Message& message) {
        if (!message.arguments().empty() && written.insert(message.english()).second)
            json.tree(json::messageJson(message));
    };
    visitMessages(run.info, write);
    visitSourceMessages(run.trace.secondary, write);
    json.endArray();
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
    json.tree(inEnglish(profilingJson(run.info.profiling)));
    writeMessages(json, run);
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
