// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/answer_sections.h"
#include "ep/core/run_title.h"
#include "ep/energy/run_facts.h"
#include "ep/power/source.h"

#include <string>
#include <vector>

// Runs as text for a terminal. Missing values are an em dash.
namespace ep::app {

// The facts of the run that belong in this place, one line each.
std::string factLines(const energy::FactSubject& run, energy::FactPlace place);
// The prompts and responses of a batch after the first, which is that of the run: "\n\n[2] ...".
std::string furtherSequences(const RunInfo& info);
std::string utcTime(std::int64_t wallClockMs); // "2026-01-31 12:34Z"

// The prompt of a sequence, as its response follows it: an answer of a chat begins a line of its
// own, a continuation does not.
std::string beforeResponse(const RunInfo& info, const std::string& prompt);

// The phases with time, energy, power and provenance; the remainder; the figures of the run; its
// facts; and the rails, with a row for energy in no rail.
std::string summaryText(const Run& run,
                        const energy::Tariff& tariff = energy::tariffPresets().front());
// Thinking and answer with their tokens and energies; empty if the run has no such sections.
std::string answerText(const std::vector<AnswerSection>& sections);
// Why the run has no energy although the user did not go without; empty otherwise.
Message lackOfEnergy(const power::SourceChoice& asked, const PowerInfo& power);
// One line about a request to a server: model, tokens, time, energy, and why figures are missing.
std::string requestLine(const Run& run);
// One line per run.
std::string listText(const std::vector<RunSummary>& runs);

} // namespace ep::app
