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
    kOnCommandCard = 32, // a card of the Figures tab, like the next three
    kBelowCommandCard = 64,
    kOnServerCard = 128,
    kBelowServerCard = 256,
};

enum class FactKind {
    Plain,
    Verbatim, // words of the user or the machine, which are not translated
    Titled, // several facts share the word, so the terminal adds the term
    Stated, // like Titled, for facts that the server has to state
    OfEnergy, // facts that only runs with energy have
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
    const RunTrace* trace = nullptr; // null: leaves out facts that need a trace
    const Tariff& tariff = tariffPresets().front();
};

std::vector<Fact> factsOf(const FactSubject& run, FactPlace place);
// The fact with this word, whatever its places; its value is empty if the run lacks it.
Fact factOf(const FactSubject& run, std::string_view word);

// "split by cost; cpu 12.3 pJ/byte, ...", "split by time (reason); ..."
Message attributionFact(const AttributionRecord& record);

} // namespace ep::energy
