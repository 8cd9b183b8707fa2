// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What the time and energy of a run go into, in words that users of transformers know. The answer
// of a run, its bars and all charts divide it in this one way.
namespace ep {

// Charts stack parts in this order.
enum class RunPart : std::uint8_t {
    Embedding,
    Attention, // with its projections and inner norms
    Mlp, // with router and experts
    Norm, // norms between the blocks, and residual additions
    KvCache, // keys and values: room for them, and their copies
    Layers, // layers whose components were not recorded
    Head, // final norm and LM head
    Sampling,
    Tokenizer,
    Other, // work of the program, and parts that a program named itself
    Rest, // prefill and decode outside their components and sections
    Outside, // the other phases outside their sections, and the time between phases
};
inline constexpr std::size_t kRunPartCount = 12;
inline constexpr std::array<RunPart, kRunPartCount> kRunParts{
    RunPart::Embedding, RunPart::Attention, RunPart::Mlp,  RunPart::Norm,
    RunPart::KvCache,   RunPart::Layers,    RunPart::Head, RunPart::Sampling,
    RunPart::Tokenizer, RunPart::Other,     RunPart::Rest, RunPart::Outside};

RunPart partOf(Component component);
RunPart partOf(Section section);
RunPart remainderOf(Phase phase); // of its time outside its components and sections

// Names for display: "Prefill"; "Attention".
std::string_view title(Phase phase);
std::string_view title(RunPart part);

// What the parts of a node of the tree do not account for. A comparison lists parts without their
// phases, so its remainders are those of all layers and of the whole run.
enum class Remainder : std::uint8_t {
    BetweenPhases,
    BetweenParts,
    BetweenOperations,
    RestOfLayers,
    RestOfRun,
};
inline constexpr std::size_t kRemainderCount = 5;
std::string_view title(Remainder remainder); // "Between phases"
std::string inText(std::string_view title); // within a sentence or a table: "between phases"

} // namespace ep
