// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/import_trace.h"

#include "import/recorded_energy.h"

#include "ep/core/clock.h"
#include "ep/core/uuid.h"
#include "ep/energy/attribute.h"
#include "ep/energy/quality.h"
#include "ep/json/document.h"
#include "ep/powerlog/read.h"
#include "ep/session/environment.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ep::session {

namespace {

Status addPower(const TraceImportOptions& options, ImportedTrace& imported)
{
    const auto recording = powerlog::readRecording(options.power, {.cancel = options.cancel});
    if (!recording)
        return recording.error();
    const std::vector<RunRail> rails = runRails(*recording);
    Run& run = imported.run;
    PowerInfo& power = run.info.power;
    power.source = kImportedSource;
    power.detail = sequence({recording->format_title, options.power.filename().string()}, ", ");
    // The two are aligned by the time of day if both state it, otherwise by their beginnings.
    const bool epoch = recording->clock != powerlog::Clock::Own && imported.trace.epoch_ns > 0;
    if (!epoch)
        imported.trace.notes.emplace_back(
            "Trace and power do not both state the time of day: their beginnings are taken for "
            "the same moment (--offset moves the power).");
    const Nanoseconds zero = epoch ? imported.trace.epoch_ns : recording->first_ns;
    const auto offset = static_cast<Nanoseconds>(std::llround(options.offset_s * 1e9));
    run.trace.samples = samplesOf(rails, wrappingDifference(offset, zero));
    if (recording->verdict() == powerlog::Weight::Poor)
        run.trace.samples.clear();
    return {};
}

void describeTrace(const TraceImportOptions& options, ImportedTrace& imported)
{
    const spans::TraceImport& trace = imported.trace;
    RunInfo& info = imported.run.info;
    info.id = makeUuid();
    info.created_at_ms = trace.epoch_ns > 0 ? trace.epoch_ns / 1'000'000 : wallClockMs();
    info.title = options.trace.filename().string();
    info.status = RunStatus::Complete;
    info.depth = trace.parts.depth;
    info.device = "imported";
    info.model.name = trace.model.empty() ? options.trace.stem().string() : trace.model;
    info.power.source = "none";
    info.environment.app_version = readEnvironment().app_version;
    info.profiling.clock_note = "times are those of the trace";
    info.profiling.spans = trace.parts.counts.kept;
    info.output_tokens = static_cast<int>(trace.parts.steps.size());
    for (const spans::Step& step : trace.parts.steps)
        info.model.layers = std::max(info.model.layers, static_cast<int>(step.layers.size()));
    CommandRecord& record = info.profiling.command.emplace();
    record.engine = "recorded: trace of torch.profiler";
    record.arguments = {options.trace.filename().string()};
    record.spans = trace.parts.counts;
    record.spans->mapped_share = trace.mappedShare();
}

} // namespace

Result<ImportedTrace> importTrace(const TraceImportOptions& options)
{
    auto trace = spans::readTrace(options.trace, options.cancel);
    if (!trace)
        return trace.error();
    ImportedTrace imported{.trace = *std::move(trace), .run = {}};
    describeTrace(options, imported);
    Run& run = imported.run;
    run.trace.time = {0, std::max<Nanoseconds>(1, imported.trace.duration_ns)};
    spans::appendTo(run.trace, std::move(imported.trace.parts));
    if (!options.power.empty()) {
        if (const Status added = addPower(options, imported); !added)
            return added.error();
    }
    energy::attribute(run, {.method = AttributionMethod::Time, .align = false});
    if (!run.trace.samples.empty())
        run.info.power.quality = energy::assessQuality(run.trace, 0);
    run.info.profiling.command->notes = imported.trace.notes;
    return imported;
}

std::string importedTraceJson(const ImportedTrace& imported, bool stored)
{
    const spans::TraceImport& trace = imported.trace;
    json::OrderedJson json{{"run", stored ? json::OrderedJson(imported.run.info.id) : nullptr},
                           {"events", trace.events},
                           {"operators", trace.operators},
                           {"operator_ns", trace.operator_ns},
                           {"mapped_ns", trace.mapped_ns},
                           {"mapped_share", trace.mappedShare()},
                           {"mapped_by", trace.way},
                           {"kernels", trace.kernels},
                           {"tokens", imported.run.info.output_tokens},
                           {"layers", imported.run.info.model.layers},
                           {"unknown", imported.run.info.profiling.command->spans->unknown},
                           {"notes", trace.notes}};
    return json::textOf(json, 2) + '\n';
}

} // namespace ep::session
