// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/format.h"
#include "ep/core/run.h"
#include "ep/energy/run_facts.h"
#include "ep/energy/totals.h"
#include "ep/ui/terms.h"
#include "ep/ui/to_qstring.h"
#include "ep/viz/selection.h"

#include <QString>

#include <filesystem>
#include <optional>
#include <string>

// Conversions between the standard library and Qt, and figures as shown on the pages: an absent
// value is an em dash, never zero.
namespace ep::ui {

// translated() for charts, whose texts are UTF-8; figures replace "%1" and so on.
template <typename... Figures>
std::string said(const char* text, const Figures&... figures)
{
    if constexpr (sizeof...(figures) == 0)
        return translated(text).toStdString();
    else
        return translated(text).arg(toQString(figures)...).toStdString();
}

QString pathText(const std::filesystem::path& path);
std::filesystem::path toPath(const QString& path);

QString missingText(); // em dash

QString energyText(std::optional<Millijoules> energy);
QString energyText(const RunSummary& run); // "≥ 12.3 mJ" if samples do not cover all of it
// The interval shown after every energy: "± 2.40 mJ (95 %)".
QString intervalText(Millijoules standardDeviation);
QString intervalExplanation(); // for tool tips
QString powerText(std::optional<Milliwatts> power);
QString durationText(std::optional<Nanoseconds> duration);
// Sets the number format: this unit, the digits 0 to 9, the decimal sign of the user's locale, and
// the words of the window's language. Before the first widget; GUI thread.
void useNumberStyle(EnergyUnit unit);
QString energyPerTokenTitle(); // "J/token", "Wh/token"
QString energyPerTokenText(std::optional<double> joules); // "12.3 mJ"
QString energyPerTokenText(const std::optional<energy::PerToken>& figure);
QString numberText(std::optional<double> value); // 3 significant digits

inline constexpr std::int64_t kMillisecondsPerDay = 86'400'000;
// The start of a run in the user's time zone and format, e.g. "2026-01-31 12:34".
QString dateText(std::int64_t wallClockMs);

QString countText(qsizetype runs); // "1 run", "3 runs"

QString statusText(RunStatus status); // "Complete", "Interrupted", ...
QString sourceText(const std::string& source); // "powermetrics", "modelled", "none (timing only)"

// The line about the run in a saved chart: "demo-llama-5m · 2026-01-31 12:34 · energy modelled ·
// run 1a2b3c4d · “Once upon a time”".
QString runLineText(const RunInfo& info, Provenance energy);

// How the energies were obtained: "measured (rapl)", "modelled", "replayed".
QString energyOriginText(const std::string& source, Provenance provenance);

// In the language of the window; empty if the run has no such fact.
QString factText(const energy::Fact& fact);
QString factText(const energy::FactSubject& run, std::string_view word);

QString noTokensText(const Run& run); // replaces the tokens of a run that has none
QString selectionText(const viz::Selection& selection); // "Decode · layer 3"

// "Llama · 4.9 M parameters · 6 layers × 256 · 8 heads (4 kv) · 10 MB"
QString factsText(const ModelFacts& facts);

} // namespace ep::ui
