// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "interrupt.h"
#include "options.h"
#include "terminal.h"

#include "ep/json/document.h"
#include "ep/model/engine_library.h"
#include "ep/model/verify.h"

#include <memory>

namespace ep::app {

namespace {

struct VerifyOptions {
    session::RunRequest run{};
    DatabaseOption database; // accepted by every subcommand; not used by this one
    std::string reference{};
    bool json = false;
};

std::string asJson(const model::VerifyReport& report)
{
    json::OrderedJson json{{"format", "energy-profiler-verification"}, {"version", 1}};
    json["passed"] = report.passed();
    json["max_abs_logit_difference"] = report.max_abs_logit_difference;
    json["max_rel_logit_difference"] = report.max_rel_logit_difference;
    json["greedy_matches"] = report.greedy_matches;
    json["greedy_total"] = report.greedy_total;
    json::OrderedJson checks = json::OrderedJson::array();
    for (const model::VerifyCheck& check : report.checks)
        checks.push_back(
            {{"name", check.name}, {"passed", check.passed}, {"detail", check.detail}});
    json["checks"] = std::move(checks);
    return json::textOf(json, 2) + '\n';
}

Result<model::VerifyReport> compare(const VerifyOptions& options, const CancelToken& cancel)
{
    session::RunRequest run = options.run;
    if (const Status found = findFolders(run); !found)
        return found.error();
    const auto library = model::EngineLibrary::open();
    if (!library)
        return library.error();
    ProgressLine progress;
    const auto engine = (*library)->load(run.load, progress.shown(), cancel);
    if (!engine)
        return engine.error();
    // Models may lack a tokenizer; texts are then compared by their ids.
    const auto tokenizer = text::Tokenizer::load(run.load.folder);
    progress.show(1.0, "Comparing");
    return model::verifyAgainst(**engine, tokenizer ? tokenizer->get() : nullptr, options.reference,
                                cancel);
}

int verify(const VerifyOptions& options)
{
    const Interrupt interrupt;
    const auto report = compare(options, interrupt.token());
    if (!report)
        return fail(report.error());
    if (options.json) {
        printJson(asJson(*report));
    } else {
        for (const std::string& line : report->lines())
            print(line + '\n');
    }
    if (report->passed())
        return kExitDone;
    printError("The model does not match " + options.reference + ": see the failed checks.");
    return kExitFailed;
}

} // namespace

void addVerifyCommand(CLI::App& models, Invocation& invocation)
{
    auto options = std::make_shared<VerifyOptions>();
    CLI::App* command =
        models.add_subcommand("verify", "Compare logits and greedy ids with a reference file");
    addModel(*command, options->run);
    command
        ->add_option("--reference", options->reference,
                     "Reference JSON from another implementation")
        ->required()
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print the checks as JSON");
    options->database.addTo(*command);
    command->callback(
        [options, &invocation] { invocation.action = [options] { return verify(*options); }; });
}

} // namespace ep::app
