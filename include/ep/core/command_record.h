// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/result.h"
#include "ep/core/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep {

// Spans that a command sent (docs/spans.md), and what happened to them.
struct SpanCounts {
    std::int64_t received = 0;
    std::int64_t kept = 0; // part of the run
    std::int64_t malformed = 0; // not a record of the protocol
    std::int64_t outside = 0; // begins before the run or ends after it
    std::int64_t late = 0; // arrived after the token that they belong to
    std::int64_t overlapping = 0; // overlap a span of their level, or extend beyond their parent
    std::int64_t too_many = 0; // beyond the maximum number in a run
    std::int64_t dropped = 0; // dropped by the sender, which does not wait for us
    std::int64_t senders = 0; // number of connections
    Nanoseconds clock_shift_ns = 0; // added to the timestamps of a sender with another clock
    // Share of the forward passes' time in sections or components with a known name.
    std::optional<double> mapped_share{};
    std::vector<std::string> unknown{}; // names that our vocabulary lacks: "name (count)"

    bool operator==(const SpanCounts&) const = default;
};

// A user's command that ran while its power was sampled (docs/record.md).
struct CommandRecord {
    std::string engine = "recorded"; // "recorded: transformers 5.1" if the spans state it
    std::vector<std::string> arguments{}; // the program first
    std::optional<std::int64_t> exit_status{}; // absent: a signal ended the command
    std::optional<std::int64_t> signal{}; // the signal that ended the command
    std::optional<Nanoseconds> processor_ns{}; // including all its children
    std::optional<std::int64_t> peak_memory_bytes{}; // largest sum of the resident memory
    std::int64_t processes = 0; // number of processes seen, including the command
    std::int64_t left_running = 0; // number of processes that outlived the command
    std::optional<SpanCounts> spans{}; // absent: the command sent none
    // If there is more than one, the run has the tokens of all generations, but the steps of one.
    std::int64_t generations = 0;
    std::int64_t shown_input_tokens = 0; // of the generation whose steps the run has
    bool overlapping = false; // another generation ran at the same time as that one
    std::vector<Message> notes{}; // the basis of the figures, one sentence each

    bool operator==(const CommandRecord&) const = default;
};

// "python3 app.py --prompt 'two words'": quoted as for a shell.
std::string commandText(const std::vector<std::string>& arguments);

// Splits a command line into arguments at blanks; quotes (' or ") or a backslash allow blanks
// inside an argument. Nothing is expanded. The inverse of commandText().
Result<std::vector<std::string>> commandWords(std::string_view text);

// The umask that the program was started with. Commands get it back, whereas files of the program
// itself are private to their owner. Set once, at the start.
void rememberUmask(unsigned mask);
unsigned umaskAtStart();

} // namespace ep
