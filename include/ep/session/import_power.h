// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/powerlog/clock_offset.h"
#include "ep/powerlog/read.h"
#include "ep/powerlog/requests.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// A run from another program's recording of power, and from the requests that were answered
// meanwhile.
namespace ep::session {

struct PowerImportOptions {
    std::filesystem::path power;
    std::filesystem::path requests{}; // empty: none
    powerlog::ReadOptions read{};
    std::optional<double> offset_s{}; // added to the times of the power
    bool find_offset = false; // by cross-correlation with the requests
};

// A phase of one request, or of several that overlap.
struct ImportedPhase {
    std::size_t request = 0; // index of the (first) request
    std::size_t requests = 1;
    Phase phase = Phase::Decode;
    TimeRange time{}; // on the clock of the requests
    std::optional<std::int64_t> tokens{}; // that its energy is divided by
    std::int64_t windows = 0; // of the recording that lie inside
    std::optional<double> joules{}; // absent: refused, or the verdict is poor
    double edge_joules = 0.0; // how far other readings of the windows at its ends differ
    std::string refusal{}; // one sentence; empty if there is an energy

    std::optional<double> joulesPerToken() const;
};

struct PowerImport {
    powerlog::Recording recording;
    std::optional<powerlog::RequestLog> requests;
    std::vector<ImportedPhase> phases;
    std::optional<powerlog::ClockOffset> offset; // as found or stated
    std::vector<std::string> notes; // of the recording, the requests and the alignment
    Run run; // complete, not stored
};

// Converts local times, in seconds since 1970, to UTC: "UTC", "+02:00", "-0700", "Europe/Berlin".
Result<std::function<double(double)>> zoneFrom(const std::string& zone);

// The document that `runs import-power --json` prints; run: the id of the stored run, null for
// none.
std::string importedPowerJson(const PowerImport& imported, bool stored);

// Reads and attributes; stores nothing. The error is one sentence. Any thread; minutes for files of
// many gigabytes, with progress and cancel from the options.
Result<PowerImport> importPower(const PowerImportOptions& options);

} // namespace ep::session
