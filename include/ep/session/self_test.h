// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/run.h"
#include "ep/session/backend.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// Tests everything that must work on this machine: to be run first on a new machine, and to be
// attached to bug reports.
namespace ep::session {

enum class CheckState : std::uint8_t { Ok, Failed, NotHere };

struct SelfCheck {
    std::string group; // "kernels", "devices", "clock", "power", "database", "bundle", "activity"
    std::string name; // "AVX2", "mps f16", "ioreport"
    CheckState state = CheckState::NotHere;
    std::string detail; // the finding of the check
    std::string remedy{}; // advice after a failure

    bool operator==(const SelfCheck&) const = default;
};

struct SelfTestRequest {
    std::filesystem::path model; // folder of a small model, such as the bundled one
    std::filesystem::path program; // the executable whose bundle is checked
    std::filesystem::path scratch{}; // for files of the test; empty: the temporary folder
    double load_seconds = 5.0; // duration of the load for the power sources
};

struct SelfTestReport {
    Environment environment; // including the engine's versions, if it could be opened
    std::vector<SelfCheck> checks;
    double seconds = 0.0; // duration
    bool cancelled = false;

    int failed() const;
};

// Blocks for about ten seconds, for two minutes at most; any thread. Calls `found` after each
// check, on the calling thread. Cancelling ends it after the current check.
SelfTestReport selfTest(const SelfTestRequest& request, const Backend& backend,
                        const CancelToken& cancel = {},
                        const std::function<void(const SelfCheck&)>& found = {});

// A self-test whose other arguments are already bound.
using RunSelfTest = std::function<SelfTestReport(
    const CancelToken& cancel, const std::function<void(const SelfCheck&)>& found)>;

// "failed    power     ioreport: ...; what to do."
std::string lineOf(const SelfCheck& check);
std::string selfTestJson(const SelfTestReport& report);

} // namespace ep::session
