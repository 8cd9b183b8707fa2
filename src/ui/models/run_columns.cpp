// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/ui/models/run_columns.h"

#include "models/run_notes.h"
#include "text.h"

#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_title.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/utf8.h"
#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr std::size_t kListedPromptCharacters = 80;
constexpr std::size_t kToolTipCharacters = 600;

QString promptToolTip(const RunSummary& run)
{
    return richText(previewUtf8(run.info.prompt, kToolTipCharacters))
        + (run.info.notes.empty() ? QString() : u"<hr>"_s)
        + richText(previewUtf8(notesOf(run.info).toStdString(), kToolTipCharacters));
}

// A fact in words.
auto factToolTip(std::string_view word)
{
    return [word](const RunSummary& run) {
        return richText(factText({run.info, run.metrics}, word));
    };
}

QString provenanceToolTip(const RunSummary& run)
{
    return explainedEnergyLabel(run.info.power.source, run.metrics.energy.provenance);
}

// A text column, sorted alphabetically.
RunColumn wordColumn(const QString& id, const QString& title, int width,
                     std::function<QString(const RunSummary&)> text)
{
    return {.id = id, .title = title, .width = width, .text = text, .key = text};
}

RunColumn countColumn(const QString& id, const QString& title,
                      std::optional<std::int64_t> (*value)(const RunInfo&))
{
    return {
        .id = id,
        .title = title,
        .width = 7, // width of 12345
        .numeric = true,
        .text = [value](const RunSummary& run) { return toQString(tokensText(value(run.info))); },
        .key =
            [value](const RunSummary& run) {
                const auto count = value(run.info);
                return count ? QVariant::fromValue<qlonglong>(*count) : QVariant();
            }};
}

RunColumn figureColumn(RunFigure figure, bool shown = true)
{
    return {.id = toQString(name(figure)),
            .title = term(heading(figure)),
            .numeric = true,
            .shown = shown,
            .text =
                [figure](const RunSummary& run) {
                    return figure == RunFigure::Energy
                        ? energyText(run)
                        : toQString(formatCell(figure, valueOf(figure, run)));
                },
            .key =
                [figure](const RunSummary& run) {
                    // Sorted by what is shown: the energy of a part of a run, too.
                    const auto known = knownEnergy(run).energy_mj;
                    if (figure == RunFigure::Energy)
                        return known ? QVariant(known->value / kMillijoulesPerJoule) : QVariant();
                    const auto value = valueOf(figure, run);
                    return value ? QVariant(*value) : QVariant();
                },
            .toolTip = needsEnergy(figure) ? provenanceToolTip : nullptr};
}

} // namespace

std::vector<RunColumn> runColumns()
{
    using Run = const RunSummary&;
    std::vector<RunColumn> columns{
        {.id = u"date"_s,
         .title = translated("Date"),
         .width = 17,
         .text = [](Run run) { return dateText(run.info.created_at_ms); },
         .key = [](Run run) { return QVariant::fromValue<qlonglong>(run.info.created_at_ms); }},
        wordColumn(u"model"_s, translated("Model"), 15,
                   [](Run run) { return toQString(run.info.model.name); }),
        wordColumn(u"dtype"_s, translated("Format"), 9,
                   [](Run run) { return toQString(run.info.dtype); }),
        {.id = u"prompt"_s,
         .title = translated("Prompt"),
         .width = 22,
         .text =
             [](Run run) {
                 return toQString(previewUtf8(runTitle(run.info), kListedPromptCharacters));
             },
         .key = [](Run run) { return toQString(runTitle(run.info)); },
         .toolTip = promptToolTip},
        {.id = u"status"_s,
         .title = translated("Status"),
         .width = 10,
         .text = [](Run run) { return statusText(run.info.status); },
         .key = [](Run run) { return statusText(run.info.status); },
         .toolTip = [](Run run) { return richText(term(run.info.status_message)); }},
        countColumn(u"input_tokens"_s, translated("In"), inputTokens),
        countColumn(u"output_tokens"_s, translated("Out"), outputTokens),
        figureColumn(RunFigure::Duration),
        figureColumn(RunFigure::Energy),
        figureColumn(RunFigure::JoulesPerToken),
        figureColumn(RunFigure::JoulesPerTotalToken),
        figureColumn(RunFigure::TokensPerSecond),
        wordColumn(u"device"_s, translated("Device"), 10,
                   [](Run run) { return toQString(run.info.device); }),
        {.id = u"power_source"_s,
         .title = translated("Power source"),
         .width = 20,
         .text = [](Run run) { return sourceText(run.info.power.source); },
         .key = [](Run run) { return toQString(run.info.power.source); },
         .toolTip = factToolTip("power")},
        wordColumn(u"tags"_s, translated("Tags"), 16,
                   [](Run run) {
                       return factText({run.info, run.metrics}, "tags");
                   }),
        wordColumn(u"experiment"_s, translated("Experiment"), 16,
                   [](Run run) { return toQString(run.info.experiment); }),
        wordColumn(u"depth"_s, translated("Depth"), 10,
                   [](Run run) { return term(name(run.info.depth)); }),
        countColumn(
            u"batch_size"_s, translated("Batch"),
            [](const RunInfo& info) -> std::optional<std::int64_t> { return batchSize(info); }),
        figureColumn(RunFigure::EnergyDelayProduct),
        {.id = u"quality"_s,
         .title = translated("Quality"),
         .width = 10,
         .text =
             [](Run run) {
                 const auto& quality = run.info.power.quality;
                 return quality ? term(name(quality->verdict)) : missingText();
             },
         .key =
             [](Run run) {
                 const auto& quality = run.info.power.quality;
                 return quality ? QVariant(static_cast<int>(quality->verdict)) : QVariant();
             },
         .toolTip = factToolTip("quality")}};
    for (const RunFigureFacts& facts : kRunFigures) {
        const QString id = toQString(facts.id);
        if (std::ranges::find(columns, id, &RunColumn::id) == columns.end())
            columns.push_back(figureColumn(facts.figure, false));
    }
    return columns;
}

} // namespace ep::ui
