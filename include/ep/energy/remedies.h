// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/energy/diagnosis.h"

#include <optional>
#include <string>
#include <vector>

// Remedies for the causes in a diagnosis, and the savings to expect. Pure functions; any thread.
namespace ep::energy {

enum class Lever : std::uint8_t {
    NumberFormat,
    Batch,
    ShorterContext,
    PromptCache,
    MaxTokens,
    Depth,
    Device,
    Threads,
    CoolDown,
    Charger,
    QuietMachine,
};
std::string_view name(Lever lever); // in JSON: "number_format"
std::optional<Lever> leverFromName(std::string_view word);

// How a remedy can be tried.
enum class Trial : std::uint8_t {
    Study, // by an interleaved study of this program
    Options, // by options of `run`, one run after another
    Elsewhere, // not by this program: a person must act
};

struct Remedy {
    Lever lever = Lever::NumberFormat;
    Cause cause = Cause::MemoryBoundDecode; // the cause that the remedy acts on
    Message what; // "Compute in int8"
    std::string setting{}; // the value to try: "int8", "8"
    Trial trial = Trial::Elsewhere;
    Message how{}; // "--dtype int8"; what to do if it cannot be tried here
    // Predicted for the same number of tokens; absent: only a trial can tell.
    std::optional<Estimate> saving{}; // J, or s if only time is known
    std::optional<Estimate> share{}; // share of the run
};

// Remedies for named and undecided causes, in their order; each setting only once.
std::vector<Remedy> remediesFor(const Diagnosis& diagnosis, const RunInfo& info);
// `how`: also says how to try it, if this program can.
Message lineOf(const Diagnosis& diagnosis, const Remedy& remedy, bool how = true);

} // namespace ep::energy
