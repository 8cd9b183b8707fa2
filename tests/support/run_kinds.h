// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/store/store.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

// Runs of every kind, for tests that a figure is the same whichever way it leaves the program.
namespace ep::test {

// How a run is made.
struct RunKind {
    const char* name;
    AttributionMethod method = AttributionMethod::Cost;
    Nanoseconds late_ns = 0; // delay of the samples
    bool align = true; // corrects the offset of late samples
    bool twin = false; // the same generation ran before it, without recording
    bool batch = false;
    bool drafts = false; // and a prompt cache
    bool cancelled = false;
    bool imported = false; // from JSON
    bool gap = false; // the samples of one token are lost
    bool recovered = false; // its process died: only tokens and samples exist
};
std::ostream& operator<<(std::ostream& stream, const RunKind& kind);
std::vector<RunKind> runKinds();

// The run as the database must contain it.
Run makeRun(const RunKind& kind);
// Creates a database with the run, stored according to its kind. Null after a failed assertion.
std::unique_ptr<store::Store> storeRun(const RunKind& kind, const Run& run,
                                       const std::filesystem::path& database);

// Every energy of a run in mJ by the path of its node: "run", "phase/decode/rail0", "token/3".
using Energies = std::map<std::string, std::optional<double>>;
Energies energiesOf(const Run& run);
// Expects the same nodes, the same missing ones, and values equal to a relative 1e-12.
void expectSame(const Energies& energies, const Energies& expected, const char* way);

} // namespace ep::test
