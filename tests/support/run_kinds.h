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

// How a run comes about.
struct RunKind {
    const char* name;
    AttributionMethod method = AttributionMethod::Cost;
    Nanoseconds late_ns = 0; // of the samples
    bool align = true; // look for the offset of late samples
    bool twin = false; // energies and figures are those of a clean execution
    bool batch = false;
    bool cancelled = false;
    bool imported = false; // by JSON
    bool gap = false; // samples of a token are lost
    bool recovered = false; // its process died: only tokens and samples are left
};
std::ostream& operator<<(std::ostream& stream, const RunKind& kind);
std::vector<RunKind> runKinds();

// As it has to be found in the database.
Run makeRun(const RunKind& kind);
// A new database with the run, stored according to its kind. Null after a failed assertion.
std::unique_ptr<store::Store> storeRun(const RunKind& kind, const Run& run,
                                       const std::filesystem::path& database);

// Every energy of a run, in mJ, by the path of its node: "run", "phase/decode/rail0", "token/3".
using Energies = std::map<std::string, std::optional<double>>;
Energies energiesOf(const Run& run);
// The same nodes, the same ones missing, and equal to 1e-12 of their value.
void expectSame(const Energies& energies, const Energies& expected, const char* way);

} // namespace ep::test
