// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/diagnosis.h"

#include <optional>
#include <string>
#include <vector>

// What to do about a diagnosis, and what that would save. Pure functions; any thread.
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
    Study, // an interleaved study of this program
    Options, // by options of `run`, one run after the other
    Elsewhere, // not by this program: a person has to do something
};

struct Remedy {
    Lever lever = Lever::NumberFormat;
    Cause cause = Cause::MemoryBoundDecode; // that it acts on
    std::string what; // "Compute in int8"
    std::string setting{}; // the value to try: "int8", "8"
    Trial trial = Trial::Elsewhere;
    std::string how{}; // "--dtype int8"; what to do where it cannot be tried here
    // Predicted, for the same number of tokens; absent: only a trial can tell.
    std::optional<Estimate> saving{}; // J, or s where only time is known
    std::optional<Estimate> share{}; // of the run
};

// For the named causes and those that cannot be told, in their order; each setting once.
std::vector<Remedy> remediesFor(const Diagnosis& diagnosis, const RunInfo& info);
std::string lineOf(const Diagnosis& diagnosis, const Remedy& remedy);

} // namespace ep::energy
