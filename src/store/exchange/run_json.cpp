// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/store/run_json.h"

#include "exchange/energy_record_json.h"
#include "exchange/json_parts.h"
#include "exchange/json_tree.h"
#include "exchange/json_versions.h"
#include "exchange/parsed_json.h"
#include "exchange/profiling_json.h"
#include "exchange/run_sums.h"

#include "ep/core/run_figure.h"

#include <ostream>

namespace ep::store {

namespace {

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

} // namespace

namespace {

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
