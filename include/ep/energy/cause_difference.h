// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/energy/diagnosis.h"

#include <array>
#include <string>
#include <string_view>

// The difference between two runs, divided into the same causes. Pure functions; any thread.
namespace ep::energy {

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
