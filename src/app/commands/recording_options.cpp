// SPDX-License-Identifier: GPL-3.0-or-later
#include "recording_options.h"

#include "terminal.h"

#include <utility>

namespace ep::app {

void RecordingOptions::addKeeping(CLI::App& command, const std::string& jsonHelp)
{
    command
        .add_option("--tag", request.tags,
                    "Tag to find the run by; may be repeated, or several separated by commas")
        ->delimiter(',')
        ->check(notEmpty())
        ->allow_extra_args(false);
    command.add_option("--experiment", request.experiment,
                       "Name of the experiment that the run belongs to");
    auto* const asJson = command.add_flag("--json", as_json, jsonHelp);
    command.add_flag("--full", full, "With --json: everything, with all tokens and samples")
        ->needs(asJson);
    addOutput(command, "--json-file", json, "Write the same to FILE, a run with everything")
        ->excludes(asJson);
    command.add_flag("--details", details,
                     "Print also tables of phases and figures, the sampling, the engine and costs");
    addHashesOnly(command, hashes_only);
    command.add_flag("--no-save", no_save, "Do not store the run");
    database.addTo(command);
}

void RecordingOptions::finish()
{
    full = full || !json.empty(); // a file contains everything
    if (as_json)
        json = "-";
    power.finish(request.power);
    request.store_texts = !hashes_only;
    if (!no_save)
        request.database = database.path();
}

Result<session::RunRequest> RecordingOptions::read() const
{
    session::RunRequest read = request;
    if (!prompt_file.empty()) {
        auto text = readText(prompt_file);
        if (!text)
            return text.error();
        if (text->empty())
            return emptyPrompt(prompt_file);
        read.prompt = *std::move(text);
    }
    auto conversations = messages.read();
    if (!conversations)
        return conversations.error();
    read.conversations = *std::move(conversations);
    auto variables = messages.variables();
    if (!variables)
        return variables.error();
    read.template_variables = *std::move(variables);
    return read;
}

} // namespace ep::app
