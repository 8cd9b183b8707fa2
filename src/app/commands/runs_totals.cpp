// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "runs_options.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"
#include "ep/core/run_figure.h"
#include "ep/core/stated_tokens.h"
#include "ep/energy/totals.h"
#include "ep/json/document.h"

#include <algorithm>
#include <cmath>

namespace ep::app {

namespace {

using TotalsJson = json::OrderedJson;

// Draws in eighths of a character, so that small shares are visible.
std::string barOf(double share)
{
    constexpr int kWidth = 16;
    static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = static_cast<int>(std::lround(share * kWidth * 8));
    std::string bar;
    for (int i = 0; i < eighths / 8; ++i)
        bar += "█";
    return bar + kEighths[eighths % 8];
}

std::string perTokenText(const std::optional<energy::PerToken>& figure)
{
    return formatCell(RunFigure::JoulesPerToken,
                      figure ? std::optional(figure->joules) : std::nullopt);
}

std::string totalsText(const std::vector<energy::RunTotal>& totals, energy::TotalsBy by,
                       const energy::Tariff& tariff)
{
    double most = 0.0;
    for (const energy::RunTotal& total : totals)
        most = std::max(most, total.energy.energy_mj ? total.energy.energy_mj->value : 0.0);
    using Align = TextTable::Align;
    TextTable table({{std::string(energy::name(by)), Align::Left, true},
                     {"energies"},
                     {"runs", Align::Right},
                     {"input", Align::Right},
                     {"output", Align::Right},
                     {"energy", Align::Right},
                     {"", Align::Left, false, 3},
                     {"cost", Align::Right},
                     {"CO2", Align::Right},
                     {heading(RunFigure::JoulesPerToken), Align::Right, false, 2},
                     {heading(RunFigure::JoulesPerTotalToken), Align::Right, false, 1}});
    std::string sentences;
    for (const energy::RunTotal& total : totals) {
        const auto energy = total.energy.energy_mj;
        table.addRow({total.key, total.kind, std::to_string(total.runs),
                      tokensText(total.input_tokens), tokensText(total.output_tokens),
                      formatEnergy(total.energy),
                      energy && most > 0.0 ? barOf(energy->value / most) : std::string(),
                      energy ? formatMoney(energy::costUsd(*energy, tariff)) : kMissingText,
                      energy ? formatMass(energy::emittedGrams(*energy, tariff)) : kMissingText,
                      perTokenText(total.per_output), perTokenText(total.per_total)});
        if (by == energy::TotalsBy::Model) {
            const std::string sentence = energy::millionTokensSentence(total, tariff).english();
            sentences += sentence.empty() ? "" : '\n' + sentence + '\n';
        }
    }
    return table.toString() + sentences;
}

TotalsJson perTokenJson(const std::optional<energy::PerToken>& figure)
{
    if (!figure)
        return nullptr;
    return {
        {"joules", figure->joules},
        {"ci95", figure->ci95 ? TotalsJson{figure->ci95->low, figure->ci95->high} : TotalsJson()},
        {"runs", figure->runs}};
}

std::string totalsJson(const std::vector<energy::RunTotal>& totals, energy::TotalsBy by,
                       const energy::Tariff& tariff)
{
    TotalsJson json{{"format", "energy-profiler-totals"},
                    {"version", 1},
                    {"by", energy::name(by)},
                    {"usd_per_kwh", tariff.usd_per_kwh},
                    {"grams_per_kwh", tariff.grams_per_kwh},
                    {"totals", TotalsJson::array()}};
    for (const energy::RunTotal& total : totals) {
        const auto energy = total.energy.energy_mj;
        json["totals"].push_back(
            {{"key", total.key},
             {"energies", total.kind},
             {"runs", total.runs},
             {"runs_without_energy", total.without_energy},
             {"input_tokens", total.input_tokens},
             {"output_tokens", total.output_tokens},
             {"energy_mj", energy ? TotalsJson(energy->value) : TotalsJson()},
             {"usd", energy ? TotalsJson(energy::costUsd(*energy, tariff)) : TotalsJson()},
             {"co2_grams",
              energy ? TotalsJson(energy::emittedGrams(*energy, tariff)) : TotalsJson()},
             {factsOf(RunFigure::JoulesPerToken).api, perTokenJson(total.per_output)},
             {factsOf(RunFigure::JoulesPerTotalToken).api, perTokenJson(total.per_total)},
             {"sentence",
              by == energy::TotalsBy::Model ? energy::millionTokensSentence(total, tariff).english()
                                            : std::string()}});
    }
    return json::textOf(json, 2) + '\n';
}

int addUp(const RunsOptions& options, const std::string& word)
{
    const auto store = openExisting(options.database.path());
    if (!store)
        return fail(store.error());
    const auto runs = (*store)->list(options.filter, options.limit);
    if (!runs)
        return fail(runs.error());
    const auto by = energy::totalsByFromName(word).value_or(energy::TotalsBy::Model);
    const auto totals = energy::totalsOf(*runs, by);
    const energy::Tariff tariff = tariffOf(options);
    if (options.json)
        printJson(totalsJson(totals, by, tariff));
    else
        print(totals.empty() ? "There are no such runs.\n" : totalsText(totals, by, tariff));
    return kExitDone;
}

} // namespace

void addTotalsCommand(RunsCommands& commands)
{
    struct Own {
        std::string by = "model";
        std::string job{};
        std::string check{};
    };
    const auto own = std::make_shared<Own>();
    const auto [command, options] = commands.add(
        "totals", "Add up tokens, energy, cost and CO2 by day, month, model, server or job",
        [own](const RunsOptions& all) {
            if (own->by == "job")
                return showJobs(all, own->job, own->check);
            return own->job.empty() && own->check.empty()
                ? addUp(all, own->by)
                : failUsage("A job and --check need --by job.");
        });
    command->add_option("JOB", own->job,
                        "With --by job: only this job, by the beginning of its id");
    command
        ->add_option("--by", own->by,
                     "What the rows are (default model); job: the requests that belong together, "
                     "as those of an agent")
        ->check(oneOf({"day", "month", "model", "server", "job"}));
    command
        ->add_option("--check", own->check,
                     "With --by job: a command with its arguments, started without a shell, that "
                     "exits with 0 if a job was solved; EP_JOB and EP_JOB_RUNS name the job and "
                     "its runs")
        ->type_name("CMD");
    addFilter(*command, *options);
    addTariff(*command, *options);
    command->add_flag("--json", options->json, "Print the totals as JSON");
}

} // namespace ep::app
