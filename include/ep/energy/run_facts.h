// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run.h"
#include "ep/energy/figures.h"

#include <string_view>
#include <vector>

// What a run is and how it was measured, in words: one table, which all outputs for people read.
namespace ep::energy {

enum FactPlace : unsigned {
    kInDetails = 1, // `runs show`, and `run --details`
    kOfCommand = 2, // below a recorded command, also without details
    kInManifest = 4, // reports and History: also facts that the run lacks, without a value
    kInHeader = 8, // all facts of the run in Analysis
    kInMethod = 16, // how the energies in a report were obtained
    kOnCommandCard = 32, // Figures
    kBelowCommandCard = 64,
    kOnServerCard = 128,
    kBelowServerCard = 256,
};

enum class FactKind {
    Plain,
    Verbatim, // words of the user or the machine, which are not translated
    Titled, // several facts have the word, so the terminal adds the term
    Stated, // the same, and the server has to state it
    OfEnergy, // only of runs with energy
};

struct Fact {
    std::string_view word; // title in the terminal: "power"
    const char* term; // title elsewhere: "Power source"
    Message value;
    FactKind kind;
};

struct FactSubject {
    const RunInfo& info;
    const RunMetrics& metrics;
    const RunTrace* trace = nullptr; // null: without the facts that need it
    const Tariff& tariff = tariffPresets().front();
};

std::vector<Fact> factsOf(const FactSubject& run, FactPlace place);
// The fact with this word, wherever it is said; its value is empty if the run has none.
Fact factOf(const FactSubject& run, std::string_view word);

// "split by cost; cpu 12.3 pJ/byte, ...", "split by time (reason); ..."
Message attributionFact(const AttributionRecord& record);

} // namespace ep::energy
