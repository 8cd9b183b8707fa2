// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy_text.h"
#include "exit_status.h"
#include "run_text.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/energy/attribute.h"
#include "ep/store/run_json.h"

namespace ep::app {

namespace {

// Returns the newest calibration that applies; otherwise the one stored in the run, which imported
// runs may have.
Result<std::optional<CalibrationRecord>> calibrationFor(const store::Store& store, const Run& run)
{
    auto known = store.calibration(calibrationKeyOf(run.info));
    if (known && !*known && run.info.power.attribution)
        return run.info.power.attribution->calibration;
    return known;
}

int reattribute(const RunsOptions& options)
{
    const auto store = openToChange(options.database.path());
    if (!store)
        return fail(store.error());
    const auto id = (*store)->resolveId(options.run);
    if (!id)
        return fail(id.error());
    auto run = (*store)->load(*id);
    if (!run)
        return fail(run.error());
    if (run->info.status == RunStatus::Running) {
        return fail(Error{ErrorCode::Unsupported,
                          {"The run %1 is still in progress; wait for its end.", shortId(*id)}});
    }
    if (run->trace.samples.empty()) {
        return fail(Error{ErrorCode::Unsupported,
                          {"The run %1 has no power samples, so there is nothing to split; "
                           "energies need a power source during recording.",
                           shortId(*id)}});
    }
    if (options.no_baseline)
        run->info.power.baseline.reset();
    energy::AttributionSettings settings{
        .method = attributionMethodFromName(options.method).value_or(AttributionMethod::Cost),
        .align = !options.no_align};
    if (settings.method == AttributionMethod::Calibrated) {
        auto calibration = calibrationFor(**store, *run);
        if (!calibration)
            return fail(calibration.error());
        settings.calibration = *std::move(calibration);
    }
    energy::attribute(*run, settings);
    if (const Status saved = (*store)->saveRun(*run); !saved)
        return fail(saved.error());
    if (options.json)
        printJson(store::summaryToJson({run->info, run->metrics}) + '\n');
    else
        print("Run " + shortId(*id) + ": " + attributionLine(*run->info.power.attribution) + '\n');
    return kExitDone;
}

} // namespace

void addEnergyCommands(RunsCommands& commands)
{
    const auto [command, options] = commands.add(
        "reattribute", "Recompute the energies of a stored run from its samples and spans",
        reattribute);
    addRun(*command, *options);
    command
        ->add_option("--method", options->method,
                     "cost (default): by bytes, FLOPs and time, where the data allow; calibrated: "
                     "also by what `calibrate` measured; or time")
        ->check(CLI::IsMember({"time", "cost", "calibrated"}));
    command->add_flag("--no-align", options->no_align,
                      "Do not shift the samples by the detected offset");
    command->add_flag("--no-baseline", options->no_baseline, "Discard the idle power");
    command->add_flag("--json", options->json, "Print the run's summary as JSON");
}

} // namespace ep::app
