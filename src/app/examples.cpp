// SPDX-License-Identifier: GPL-3.0-or-later
#include "examples.h"

#include <CLI/CLI.hpp>

#include <map>
#include <sstream>
#include <string>

namespace ep::app {

namespace {

constexpr Example kExamples[] = {
    {"", "run --model demo-llama-5m --prompt 'Once upon a time'", "Profile a generation"},
    {"", "doctor", "Check what can be measured on this machine"},
    {"", "runs list", "List the stored runs"},
    {"run", "--model demo-llama-5m --prompt 'Once upon a time'",
     "Profile a generation and store the run"},
    {"run", "--model demo-llama-5m --prompt-file - --max-new-tokens 200",
     "Read the prompt from standard input"},
    {"run", "--model demo-llama-5m --prompt Hello --repeat 5 --warmup 32 --tags baseline",
     "Make five runs to compare with others"},
    {"run", "--model demo-llama-5m --prompt Hello --power none --json - --no-save",
     "Measure timing only, as JSON"},
    {"attach", "--list", "List the servers of this machine and their models"},
    {"attach", "11434 --model qwen3:0.6b --prompt 'Why is the sky blue?' --warmup 8",
     "Measure a request to Ollama, once it has loaded the model"},
    {"attach", "http://127.0.0.1:8080 --proxy --port 8081",
     "Measure the requests that other programs send to port 8081"},
    {"record", "-- python3 app.py", "Measure a command of your own"},
    {"record", "--baseline-seconds 5 --tags mine --json run.json -- make -j8",
     "Measure a build against the idle machine, and write the run as JSON"},
    {"tokenize", "--model demo-llama-5m --text 'Once upon'", "Convert a text to token ids"},
    {"tokenize", "--model demo-llama-5m --decode --text '72 105'", "Convert token ids to text"},
    {"verify", "--model ./my-model --reference reference.json", "Check logits and ids"},
    {"quality", "--model demo-llama-5m --text tale.txt --dtype int8",
     "Measure the perplexity in 8 bits, and the distance from f32"},
    {"power", "--source auto --samples 20 --json", "Print twenty samples as JSON lines"},
    {"doctor", "--load", "Measure a load with all sensors and compare them"},
    {"doctor", "--json", "Print the findings for a script"},
    {"selftest", "", "Test this machine, one line per check"},
    {"selftest", "--json", "Print the same for a bug report"},
    {"roofline", "", "Measure the limits of this machine, and store them"},
    {"roofline", "--dtype bf16 --seconds 5 --no-save --json", "Print those of one number format"},
    {"calibrate", "--model demo-llama-5m",
     "Measure what each kind of component costs here, for later runs of the model"},
    {"diagnostics", "", "Show the contents of a bug report"},
    {"diagnostics", "--out report.txt", "Show it and save it to a file"},
    {"runs", "list --tag baseline", "List the runs with a tag"},
    {"runs list", "--experiment dtypes --json", "List the runs of an experiment, as JSON"},
    {"runs show", "1a2b3c4d", "Show a run, by the beginning of its id"},
    {"runs why", "1a2b3c4d", "Explain where the energy of a run went"},
    {"runs why", "1a2b3c4d --try 1", "Print the study that tries the first action"},
    {"runs totals", "--by month", "Show what each month cost"},
    {"runs compare", "1a2b3c4d 5e6f7a8b", "Compare two runs"},
    {"runs compare", "1a2b3c4d 5e6f7a8b --repeats --fail-if 'joules_per_token > +5%'",
     "Fail in CI if the second group needs more energy"},
    {"runs compare", "1a2b3c4d 5e6f7a8b --repeats --tree",
     "Show which parts of the model differ by more than chance"},
    {"render", "1a2b3c4d --out report", "Write a report of a run"},
    {"render", "1a2b3c4d 5e6f7a8b --repeats --out report", "Write a report of a comparison"},
    {"runs export", "1a2b3c4d --out run.json", "Write everything about a run"},
    {"runs export", "1a2b3c4d --format csv --out tables.zip", "Write its tables for a spreadsheet"},
    {"runs export", "--all --format otlp --out spans.json",
     "Write all runs as spans of OpenTelemetry"},
    {"runs import", "node1.db node2.db", "Merge the databases of other machines"},
    {"runs import-power", "power.csv --requests requests.json",
     "Attribute another program's recording of power to its requests"},
    {"runs import-trace", "trace.json.gz --power power.csv",
     "Show a trace of torch.profiler with another program's recording of power"},
    {"runs edit", "1a2b3c4d --title 'Before the change'", "Give a run a title"},
    {"runs tag", "1a2b3c4d +baseline -draft", "Add one tag, remove another"},
    {"runs delete", "1a2b3c4d", "Delete a run permanently"},
    {"runs prune", "--older-than 30 --untagged --dry-run", "Show what a clean-up would delete"},
    {"runs size", "", "Show the disk space used by the runs"},
    {"runs vacuum", "", "Return the space of deleted runs to the disk"},
    {"runs restore", "--list", "List the backups of the database"},
    {"runs restore", "", "Put the newest in its place"},
    {"runs recover", "--out saved.db", "Save what can be read of a damaged database"},
    {"runs reattribute", "1a2b3c4d --method time", "Split the energy of a run by time"},
    {"models", "list", "List the known models"},
    {"models list", "--dir ~/models", "List the models in a folder"},
    {"models show", "demo-llama-5m", "Show the properties of a model and the cost of a token"},
    {"study", "study.json", "Start or resume a study"},
    {"study", "study.json --plan", "List its runs in order"},
    {"study", "study.json --shard 2/5 --db node2.db", "Run the second of five shards"},
    {"study", "study.json --report", "Compare the runs stored so far"},
    {"study", "study.json --html report.html", "Write the report to a given file"},
    {"pays", "f32 int8 --model demo-llama-5m --prompt 'Once upon a time'",
     "Measure pairs of two number formats until it is known which costs less"},
    {"pays", "11434 http://127.0.0.1:8080 --model qwen3:0.6b --prompt Hello --card card.json",
     "Compare two servers and keep the result as a card"},
    {"pays merge", "one.json two.json", "Check two cards and pool them"},
    {"job", "--check './solved.sh'", "Show the energy per solved task"},
    {"pays", "--from pairs.csv", "Decide on pairs that were recorded elsewhere"},
    {"pays", "--from pairs.csv --smallest-difference 5 --json",
     "The same as JSON, where differences up to 5 % do not matter"},
    {"predict", "--model demo-llama-5m --input-tokens 500 --output-tokens 200",
     "Estimate the time and energy of a run"},
    {"serve", "", "Serve the local API on port 8000"},
    {"serve", "--port 0 --json", "Serve it on any free port and print the port"},
    {"gui", "1a2b3c4d", "Open a stored run in the window"},
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
