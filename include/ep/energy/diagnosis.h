// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/energy/work_nodes.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Why a run used its energy or took its time: the division of its nodes, and fifteen possible
// causes, each with its evidence, a probability and what it explains. Pure functions; any thread.
namespace ep::energy {

enum class Cause : std::uint8_t {
    MemoryBoundDecode,
    ComputeBoundPrefill,
    SlowRun,
    Gaps,
    Fallback,
    Context,
    Head,
    Experts,
    SmallBatch,
    Throttling,
    LowPower,
    OtherLoad,
    Recording,
    WideFormat,
    AfterTheAnswer,
};
inline constexpr std::size_t kCauseCount = 15;

// Where the evidence is shown: a page of Analysis, and what is selected on it.
struct CausePlace {
    const char* chart; // "phases", "heatmap", "power", "tokens", "roofline", "details"
    std::optional<Phase> phase{};
    std::optional<Component> component{};
};

struct CauseFacts {
    Cause cause;
    const char* id; // in JSON: "memory_bound_decode"
    const char* title; // "Memory-bound decode"
    const char* verdict; // end of the first sentence: "the memory is the limit"
    const char* meaning; // the cost that the cause explains, and the cost it is compared with
    const char* evidence; // "%1" and "%2" are figures of the run
    const char* settles; // an instruction that would show whether the cause applies
    CausePlace place;
};
extern const std::array<CauseFacts, kCauseCount> kCauses; // in the order of Cause
inline const CauseFacts& factsOf(Cause cause)
{
    return kCauses[static_cast<std::size_t>(cause)];
}

enum class Judgement : std::uint8_t {
    Named, // at least 0.9 likely
    CannotTell,
    Absent, // at most 0.1 likely
};
std::string_view name(Judgement judgement); // "named", "cannot tell", "absent"

inline constexpr double kNameable = 0.9; // a cause is named if it is at least this probable
// A cause is named if its share of the run is at least this; smaller shares are usual.
inline constexpr double kUnusual = 0.05;

struct Finding {
    Cause cause = Cause::MemoryBoundDecode;
    Judgement judgement = Judgement::Absent;
    double probability = 0.0;
    bool fact = false; // the system reported it; otherwise it was derived
    Estimate explained{}; // J, or s if only time is known; 0 if it cannot be divided or is a guess
    Estimate share{}; // share of the run
    Message evidence{}; // the observation, one or two sentences
    std::string missing{}; // observation that would settle the cause; only if undecided
};

// One node and its division.
struct DividedNode {
    WorkNode node;
    std::optional<Division> division; // absent if its energy is missing
};

// How well the work inside a run's phases and tokens is known.
enum class Inside : std::uint8_t {
    Known,
    OfServer, // a server's run, seen from outside
    OfCommand, // a recorded command that did not say what it computed
};

struct Diagnosis {
    bool of_time = false; // seconds are explained, because there is no measured energy
    std::string why_time; // why energy is not explained
    MachineCosts costs;
    // Costs of other number formats, if the machine's limits were measured for these and for the
    // run's format. A format without measured energies gets the energies of `costs`.
    std::map<std::string, MachineCosts> other_formats;
    std::vector<DividedNode> nodes;
    Division whole; // division of the whole run
    Inside inside = Inside::Known;
    std::vector<Finding> findings; // most explained first: named ones, then undecided, then absent
    std::string answer; // where the energy went, one sentence
    std::string reason; // why, one sentence; empty: nothing to explain
    std::vector<std::string> notes; // caveats, one sentence each

    double total() const { return toDouble(whole.whole) * kPico; } // J or s
    std::vector<const Finding*> named() const; // views of findings
    std::string unit() const { return of_time ? "s" : "J"; }
};

struct DiagnosisRequest {
    RunParts parts;
    std::optional<MachineCosts> measured{}; // for the run's machine, number format and device
    // Costs of other number formats on the same machine and device, to predict a change of format.
    std::map<std::string, MachineCosts> other_formats{};
    // The processor's largest cache, if it is known: weights that fit are not read from memory.
    std::int64_t cache_bytes = 0;
    // The first token that the answer did not need, if the end of the answer is known.
    std::optional<std::int32_t> answered_at{};
    bool time_only = false; // ignores a known energy, to compare with a run that has none
};

Diagnosis diagnose(const DiagnosisRequest& request);

// A RunPart with everything spent on it, or a phase.
struct SpentPart {
    const char* phrase = ""; // "the MLPs": follows "54 % went into"
    std::string_view title{}; // "MLP"
    CausePlace place{};
    double amount = 0.0; // J or s
    double share = 0.0; // share of the run
};
struct Spending {
    bool of_time = false; // a part has no energy, so only seconds add up
    double total = 0.0; // J or s
    // Largest first. Phases, if nothing is known about the inside of a forward pass.
    std::vector<SpentPart> parts;
    bool of_phases = false;
    Phase main_phase = Phase::Decode; // the phase with the largest share
    double main_share = 0.0; // its share of the total
};
// Joules of any source, including modelled ones: their origin is shown next to them.
Spending spendingOf(const Diagnosis& diagnosis);

// Where the energy (or time) went: "54 % of 150 J went into the MLPs, 19 % into attention; 79 % was
// spent in decode." Returns the sentence in several lengths, longest first; at least one.
std::vector<Message> answersOf(const Diagnosis& diagnosis);
// Why: "93 % of decode is reading weights: the memory is the limit." Starts with a
// figure or a lowercase letter; empty if nothing can be explained.
Message reasonOf(const Diagnosis& diagnosis);
// "Memory-bound decode: 81.2 J, 54.1 % (48.0 % to 60.2 %)"
Message titleOf(const Diagnosis& diagnosis, const Finding& finding);
// Returns the title, followed by the evidence or, for an undecided cause, by what is missing.
Message lineOf(const Diagnosis& diagnosis, const Finding& finding);
// Lists the causes that cannot be decided, one per line; causes that the same instruction would
// settle share a line. `reword` rephrases these instructions.
using Reword = std::function<Message(const std::string&)>;
std::vector<Message> doubtsOf(const Diagnosis& diagnosis, const Reword& reword = {});
// Words for the rest of a division: waiting, if the limits of the machine are known.
struct RestWords {
    const char* title; // "Waiting"
    const char* phrase; // "waiting"
};
RestWords restOf(const Diagnosis& diagnosis);
std::string formatAmount(const Diagnosis& diagnosis, double value); // "3.10 J", "1.20 s"
std::string formatAmount(const Spending& spending, double value);
Message formatShare(const Estimate& share); // "31 % (29 to 33 %)"

// Remedies for the causes in a diagnosis, and the savings to expect.
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

// One part of a division in both runs, in whole picojoules (or picoseconds). Its difference is the
// exact sum of two effects: of the amount (bytes, FLOPs, seconds) and of the price per unit,
// weighted by the logarithmic mean of both values (Ang 2004), which leaves no remainder.
struct DifferencePart {
    std::string_view id; // "memory"; id and title are in static storage
    std::string_view title; // "memory"
    Picojoules before = 0;
    Picojoules after = 0;
    Picojoules by_amount = 0;
    Picojoules by_price = 0;
    double sd = 0.0; // deviation of the difference, J or s

    bool operator==(const DifferencePart&) const = default;
    Picojoules difference() const { return after - before; }
};

// The difference between two runs, divided into the same causes.
struct CauseDifference {
    bool of_time = false; // compares times, if either energy is unknown
    bool per_token = false; // per output token, because the runs have different numbers of tokens
    Picojoules before = 0;
    Picojoules after = 0;
    std::array<DifferencePart, 4> parts{}; // compute, memory, static, rest; they add up exactly
    Message sentence; // "B saves 3.10 J: 2.90 J of memory, ..., minus 200 mJ of compute."

    bool operator==(const CauseDifference&) const = default;
    Picojoules difference() const { return after - before; }
};

// Both diagnoses are of energy, or both of time; tokens: number of output tokens of each run.
CauseDifference differenceOf(const Diagnosis& before, const Diagnosis& after, int tokensBefore,
                             int tokensAfter, const Message& label = "The second run");

// (a - b) / ln(a / b), the logarithmic mean; a for equal values, 0 unless both are positive.
double logMean(double a, double b);

} // namespace ep::energy
