// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run.h"
#include "ep/powerlog/clock_offset.h"
#include "ep/powerlog/read.h"
#include "ep/powerlog/requests.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// Makes a run from another program's power recording, and from the requests that were answered
// during it.
namespace ep::session {

struct PowerImportOptions {
    std::filesystem::path power;
    std::filesystem::path requests{}; // empty: no requests
    powerlog::ReadOptions read{};
    std::optional<double> offset_s{}; // added to the times of the power
    bool find_offset = false; // find the offset by cross-correlation with the requests
};

// A phase of one request, or of several overlapping ones.
struct ImportedPhase {
    std::size_t request = 0; // index of the (first) request
    std::size_t requests = 1;
    Phase phase = Phase::Decode;
    TimeRange time{}; // on the clock of the requests
    std::optional<std::int64_t> tokens{}; // divisor of its energy
    std::int64_t windows = 0; // number of the recording's windows inside the phase
    std::optional<double> joules{}; // absent: refused, or the verdict is poor
    double edge_joules = 0.0; // uncertainty from how the windows at its ends are read
    Message refusal{}; // one sentence; empty if there is an energy

    std::optional<double> joulesPerToken() const;
};

struct PowerImport {
    powerlog::Recording recording;
    std::optional<powerlog::RequestLog> requests;
    std::vector<ImportedPhase> phases;
    std::optional<powerlog::ClockOffset> offset; // found or stated
    Nanoseconds zone_ns = 0; // added to the times of a recording without a zone, if found
    std::vector<Message> notes; // about the recording, the requests and the alignment
    Run run; // complete, not stored
};

// Converts local times, in seconds since 1970, to UTC: "UTC", "+02:00", "-0700", "Europe/Berlin".
Result<std::function<double(double)>> zoneFrom(const std::string& zone);

// The document that `runs import --json` prints; its `run` is the id of the run, or null if
// it was not stored.
std::string importedPowerJson(const PowerImport& imported, bool stored);

// Reads and attributes, but stores nothing. The error is one sentence. Any thread; takes minutes
// for files of many gigabytes, with progress and cancel from the options.
Result<PowerImport> importPower(const PowerImportOptions& options);

} // namespace ep::session
