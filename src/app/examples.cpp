// SPDX-License-Identifier: GPL-3.0-or-later
#include "examples.h"

#include <CLI/CLI.hpp>

#include <map>
#include <sstream>

namespace ep::app {

const std::vector<Example>& examples()
{
    static const std::vector<Example> kExamples = {
        {"", "run --model demo-llama-5m --prompt 'Once upon a time'", "Profile a generation"},
        {"", "doctor", "See what can be measured here"},
        {"", "runs list", "See what is stored"},
        {"run", "--model demo-llama-5m --prompt 'Once upon a time'", "Profile and store"},
        {"run", "--model demo-llama-5m --prompt-file - --max-new-tokens 200",
         "The prompt from standard input"},
        {"run", "--model demo-llama-5m --prompt Hello --repeat 5 --warmup 32 --tags baseline",
         "Five runs to compare with others"},
        {"run", "--model demo-llama-5m --prompt Hello --power none --json - --no-save",
         "Timing only, as JSON"},
        {"tokenize", "--model demo-llama-5m --text 'Once upon'", "Ids of a text"},
        {"tokenize", "--model demo-llama-5m --decode --text '72 105'", "Text of ids"},
        {"verify", "--model ./my-model --reference reference.json", "Check logits and ids"},
        {"power", "--source auto --samples 20 --json", "Twenty samples as JSON lines"},
        {"doctor", "--load", "Let the sensors measure a load, and compare them"},
        {"doctor", "--json", "The findings for a script"},
        {"selftest", "", "Test this machine, one line a check"},
        {"selftest", "--json", "The same, as the report of a fault should hold it"},
        {"diagnostics", "", "What a report of a fault would hold"},
        {"diagnostics", "--out report.txt", "Show it and save it"},
        {"runs", "list --tag baseline", "Stored runs with a tag"},
        {"runs list", "--experiment dtypes --json", "Runs of an experiment, as JSON"},
        {"runs show", "1a2b3c4d", "One run, by the beginning of its id"},
        {"runs compare", "1a2b3c4d 5e6f7a8b", "Two runs side by side"},
        {"runs compare", "1a2b3c4d 5e6f7a8b --repeats --fail-if 'joules_per_token > +5%'",
         "Exit status 1 in CI when the second one takes more"},
        {"render", "1a2b3c4d --out report", "A report of a run"},
        {"render", "1a2b3c4d 5e6f7a8b --repeats --out report", "A report of a comparison"},
        {"runs export", "1a2b3c4d --out run.json", "Everything about a run"},
        {"runs export", "1a2b3c4d --format csv --out tables.zip", "Its tables for a spreadsheet"},
        {"runs import", "node1.db node2.db", "Merge the databases of other machines"},
        {"runs edit", "1a2b3c4d --title 'Before the change'", "Give a run a title"},
        {"runs tag", "1a2b3c4d +baseline -draft", "Add one tag, remove another"},
        {"runs delete", "1a2b3c4d", "Delete a run for good"},
        {"runs prune", "--older-than 30 --untagged --dry-run", "See what a clean-up would delete"},
        {"runs size", "", "Room that runs take"},
        {"runs vacuum", "", "Give the room of deleted runs back"},
        {"runs reattribute", "1a2b3c4d --method time", "Split the energy of a run by time"},
        {"models", "list", "Models that can be named"},
        {"models list", "--dir ~/models", "Models in a folder"},
        {"models show", "demo-llama-5m", "Facts of a model, and what a token costs"},
        {"study", "study.json", "Run a study, or go on with it"},
        {"study", "study.json --plan", "See its runs, in their order"},
        {"study", "study.json --shard 2/5 --db node2.db", "The second of five machines' share"},
        {"study", "study.json --report", "Compare what is stored so far"},
        {"study", "study.json --html report.html", "Its report in a file of your choice"},
        {"predict", "--model demo-llama-5m --input-tokens 500 --output-tokens 200",
         "What a run would take"},
        {"serve", "", "Serve the local API on port 8000"},
        {"serve", "--port 0 --json", "On any free port, which is printed"},
        {"gui", "1a2b3c4d", "Open a stored run in the window"},
    };
    return kExamples;
}

void addExamples(CLI::App& app)
{
    std::map<std::string, std::string> footers;
    for (const Example& example : examples()) {
        std::string& footer = footers[example.command];
        if (footer.empty())
            footer = "Examples:\n";
        footer += "  # " + example.what + "\n  energy-profiler"
            + (example.command.empty() ? "" : ' ' + example.command)
            + (example.arguments.empty() ? "" : ' ' + example.arguments) + '\n';
    }
    for (const auto& [command, footer] : footers) {
        CLI::App* found = &app;
        std::istringstream words(command);
        for (std::string word; words >> word;)
            found = found->get_subcommand(word);
        found->footer(footer);
    }
}

} // namespace ep::app
