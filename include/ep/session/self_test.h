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

// Looks, on the machine at hand, at all that has to work there: what to run first on a new machine,
// and what to send with the report of a fault.
namespace ep::session {

enum class CheckState : std::uint8_t { Ok, Failed, NotHere };

struct SelfCheck {
    std::string group; // "kernels", "devices", "clock", "power", "database", "bundle", "activity"
    std::string name; // "AVX2", "mps f16", "ioreport"
    CheckState state = CheckState::NotHere;
    std::string detail; // what was found
    std::string remedy{}; // of a failure: what to do

    bool operator==(const SelfCheck&) const = default;
};

struct SelfTestRequest {
    std::filesystem::path model; // folder of a small model, as the one that comes with the program
    std::filesystem::path program; // the executable whose bundle is checked
    std::filesystem::path scratch{}; // for files of the test; empty: the temporary folder
    double load_seconds = 5.0; // for which the power sources measure a load
};

struct SelfTestReport {
    Environment environment; // with the engine's versions, where it could be opened
    std::vector<SelfCheck> checks;
    double seconds = 0.0; // that it took
    bool cancelled = false;

    int failed() const;
};

// Blocks for some ten seconds, for two minutes at most; any thread. `found` hears of each check, on
// the calling thread. Cancelling ends it after the check at hand.
SelfTestReport selfTest(const SelfTestRequest& request, const Backend& backend,
                        const CancelToken& cancel = {},
                        const std::function<void(const SelfCheck&)>& found = {});

// A self-test with all but this decided.
using RunSelfTest = std::function<SelfTestReport(
    const CancelToken& cancel, const std::function<void(const SelfCheck&)>& found)>;

// "failed    power     ioreport: ...; what to do."
std::string lineOf(const SelfCheck& check);
std::string selfTestJson(const SelfTestReport& report);

} // namespace ep::session
