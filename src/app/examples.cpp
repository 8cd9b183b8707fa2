// SPDX-License-Identifier: GPL-3.0-or-later
#include "examples.h"

#include <CLI/CLI.hpp>

#include <map>
#include <sstream>
#include <string>

namespace ep::app {

namespace {

// In the order in which a reader pastes them: the first ones make the runs and files that later
// ones use. tests/docs/examples_test.py pastes them all.
constexpr Example kExamples[] = {
    {"", "run --model demo-llama-5m --prompt 'Once upon a time'", "Profile a generation"},
    {"", "doctor", "Check what can be measured on this machine"},
    {"", "runs list", "List the stored runs"},
    {"run", "--model demo-llama-5m --prompt 'Once upon a time'",
     "Profile a generation and store the run"},
    {"run", "--model demo-llama-5m --prompt Hello --details", "Print all tables of the run"},
    {"run", "--model demo-llama-5m --prompt-file - --max-new-tokens 200 <<< 'The old man'",
     "Read the prompt from standard input"},
    {"run", "--model demo-llama-5m --prompt Hello --repeat 5 --warmup 32 --tag baseline",
     "Make five runs to compare with others"},
    {"run", "--model demo-llama-5m --prompt Hello --power none --json --no-save",
     "Measure timing only, as JSON"},
    {"run", "--model demo-llama-5m --prompt 'Once upon a time' --no-save > tale.txt",
     "Keep the text and what it cost in a file"},
    {"attach", "--list", "List the servers of this machine and their models"},
    {"attach", "11434 --model qwen3:0.6b --prompt 'Why is the sky blue?' --warmup 8",
     "Measure a request to Ollama, once it has loaded the model"},
    {"attach", "http://127.0.0.1:8080 --proxy --port 8081",
     "Measure the requests that other programs send to port 8081"},
    {"record", "-- sleep 1", "Measure a command of your own"},
    {"record", "--tag mine --json-file run.json -- sh -c 'sort /etc/passwd | tail -1'",
     "Measure a pipeline, and write the run as JSON"},
    {"models tokenize", "--model demo-llama-5m --text 'Once upon'", "Convert a text to token ids"},
    {"models tokenize", "--model demo-llama-5m --decode --text '72 105'",
     "Convert token ids to text"},
    {"models verify", "--model demo-llama-5m --reference reference.json",
     "Compare logits and ids with those that another program wrote (docs/adding-a-family.md)"},
    {"models quality", "--model demo-llama-5m --text-file tale.txt --dtype int8",
     "Measure the perplexity in 8 bits, and the distance from f32"},
    {"doctor", "--load --seconds 2", "Measure a load with all sensors and compare them"},
    {"doctor", "--json", "Print the findings for a script"},
    {"doctor", "--test", "Test this machine, one line per check"},
    {"doctor", "--test --seconds 2 --json", "Print the same for a bug report, with less power"},
    {"doctor", "--report --out report.txt", "Show the contents of a bug report, and save them"},
    {"doctor", "--watch --power modelled --samples 20 --json > power.jsonl",
     "Write twenty samples as JSON lines"},
    {"calibrate", "", "Measure the limits of this machine, and store them"},
    {"calibrate", "--dtype bf16 --seconds 5 --no-save --json", "Print those of one number format"},
    {"calibrate", "--model demo-llama-5m",
     "Measure what each kind of component costs here, for later runs of the model"},
    {"runs", "list --tag baseline", "List the runs with a tag"},
    {"runs list", "--model demo-llama-5m --limit 5 --json", "List the newest runs, as JSON"},
    {"runs show", "last", "Show the newest run; an id or its beginning names any other"},
    {"runs why", "last", "Explain where the energy of a run went"},
    {"runs why", "last --json", "Print the same for a script"},
    {"runs totals", "--by month", "Show what each month cost"},
    {"runs compare", "last last~1", "Compare the two newest runs"},
    {"runs compare", "last last~1 --repeats --fail-if 'joules_per_token > +500%'",
     "Fail in CI if the second group needs more energy"},
    {"runs compare", "last last~1 --repeats --tree",
     "Show which parts of the model differ by more than chance"},
    {"runs report", "last --out report", "Write a report of a run"},
    {"runs report", "last last~1 --out comparison", "Write a report of a comparison"},
    {"runs export", "last --out run.json", "Write everything about a run"},
    {"runs export", "last --format csv --out tables.zip", "Write its tables for a spreadsheet"},
    {"runs export", "--all --format otlp --out spans.json",
     "Write all runs as spans of OpenTelemetry"},
    {"runs export", "--all --format sqlite --out node1.db", "Copy all runs to another database"},
    {"runs import", "run.json node1.db", "Merge files of runs and databases of other machines"},
    {"runs import", "power.csv --requests requests.json",
     "Attribute another program's recording of power to its requests"},
    {"runs import", "trace.json.gz --power power.csv",
     "Show a trace of torch.profiler with another program's recording of power"},
    {"runs edit", "last --title 'Before the change'", "Give a run a title"},
    {"runs edit", "last +baseline -draft", "Add one tag, remove another"},
    {"runs edit", "last --attribution time", "Split the energy of a run by time"},
    {"runs delete", "last~3", "Delete a run permanently"},
    {"runs delete", "--older-than 30 --untagged --dry-run", "Show what a clean-up would delete"},
    {"db", "", "Show the disk space used by the runs"},
    {"db", "--vacuum", "Return the space of deleted runs to the disk"},
    {"db", "--backups", "List the backups of the database"},
    {"db", "--restore --backup node1.db --yes", "Put a copy in its place, without a question"},
    {"db", "--recover --out saved.db", "Save what can be read of a damaged database"},
    {"models", "list", "List the known models"},
    {"models list", "--models-dir .", "List the models in a folder"},
    {"models show", "demo-llama-5m", "Show the properties of a model and the cost of a token"},
    {"study", "--example > study.json", "Write a study to begin with"},
    {"study", "study.json --plan", "List its runs in order"},
    {"study", "study.json", "Start or resume it"},
    {"study", "study.json --shard 2/5 --db node2.db", "Run the second of five shards"},
    {"study", "study.json --report --html report.html",
     "Compare the runs stored so far, and write the report to a given file"},
    {"pays", "f32 int8 --model demo-llama-5m --prompt Hello --power modelled --most-pairs 8",
     "Measure pairs of two number formats until it is known which costs less"},
    {"pays",
     "bf16 f32 --model demo-llama-5m --prompt Hello --power modelled --most-pairs 8 "
     "--card one.json",
     "Keep the result as a card"},
    {"pays", "--merge one.json two.json", "Check two cards and pool them"},
    {"runs totals", "--by job", "List the jobs"},
    {"runs totals", "--by job --check 'true'",
     "Show the energy per solved task: a command tells which are solved"},
    {"predict", "--model demo-llama-5m --input-tokens 50 --max-new-tokens 200",
     "Estimate the time and energy of a run"},
    {"serve", "", "Serve the local API on port 8000"},
    {"serve", "--port 0 --json", "Serve it on any free port and print the port"},
    {"gui", "last", "Open a stored run in the window"},
};

} // namespace

std::span<const Example> examples()
{
    return kExamples;
}

void addExamples(CLI::App& app)
{
    std::map<std::string, std::string> footers;
    for (const Example& example : examples()) {
        std::string& footer = footers[std::string(example.command)];
        if (footer.empty())
            footer = "Examples:\n";
        footer += "  # ";
        footer += example.what;
        footer += "\n  energy-profiler";
        for (const std::string_view words : {example.command, example.arguments}) {
            if (!words.empty())
                (footer += ' ') += words;
        }
        footer += '\n';
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
