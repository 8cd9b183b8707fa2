// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "interrupt.h"
#include "options.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/core/format.h"
#include "ep/session/import_trace.h"

namespace ep::app {

namespace {

struct ImportTraceOptions {
    std::string trace;
    std::string power;
    double offset_s = 0.0;
};

std::string traceText(const session::ImportedTrace& imported, bool stored)
{
    const spans::TraceImport& trace = imported.trace;
    std::string all = std::to_string(trace.events) + " events, " + std::to_string(trace.operators)
        + " outermost operators in " + formatDuration(trace.operator_ns) + '\n';
    if (!trace.way.empty())
        all += "mapped " + formatPercent(trace.mappedShare()) + " of their time by " + trace.way
            + ": " + std::to_string(imported.run.info.output_tokens) + " tokens, "
            + std::to_string(imported.run.info.model.layers) + " layers\n";
    for (const std::string& name : imported.run.info.profiling.command->spans->unknown)
        all += "not mapped: " + name + '\n';
    for (const std::string& note : trace.notes)
        all += "- " + note + '\n';
    return all + (stored ? "\nStored as " + imported.run.info.id + '\n' : "");
}

int importTrace(const RunsOptions& options, const ImportTraceOptions& own)
{
    const Interrupt interrupt;
    const auto imported = session::importTrace({.trace = own.trace,
                                                .power = own.power,
                                                .offset_s = own.offset_s,
                                                .cancel = interrupt.token()});
    if (!imported)
        return fail(imported.error());
    return storeImport(options, imported->run,
                       session::importedTraceJson(*imported, !options.dry_run),
                       traceText(*imported, !options.dry_run));
}

} // namespace

void addImportTraceCommand(RunsCommands& commands)
{
    auto own = std::make_shared<ImportTraceOptions>();
    const auto [command, options] =
        commands.add("import-trace", "Import a trace of torch.profiler (Chrome or Perfetto JSON)",
                     [own](const RunsOptions& shared) { return importTrace(shared, *own); });
    command->add_option("FILE", own->trace, "Trace, plain or gzip")->required();
    command
        ->add_option("--power", own->power,
                     "Recording of power of the same time, as import-power reads it")
        ->type_name("POWER");
    constexpr double kMaxSeconds = 4e9;
    command->add_option("--offset", own->offset_s, "Seconds to add to the times of the power")
        ->check(realFrom(-kMaxSeconds, kMaxSeconds));
    command->add_flag("--dry-run", options->dry_run, "Read and report, but store nothing");
    command->add_flag("--json", options->json, "Print the result as JSON");
}

} // namespace ep::app
