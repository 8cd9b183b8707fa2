// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/source.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ep::session {

struct DiagnosticsRequest {
    std::filesystem::path database;
    std::filesystem::path resources;
    std::filesystem::path log;
    std::filesystem::path settings{}; // an INI or property-list file; empty: none
    std::function<std::vector<power::SourceReport>()> probeSources{}; // may block
};

// A text for a report of a fault: versions, machine, places, sensors, the form of the database and
// the last lines of the log. It holds no prompt, no answer, no name of a run; the home folder is
// written as ~ and the user's name as USER. Blocks for as long as the sensors take; any thread.
std::string collectDiagnostics(const DiagnosticsRequest& request);

// `text` without the home folder and the name of this user.
std::string withoutNames(std::string text, const std::string& home, const std::string& user);

} // namespace ep::session
