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

// The text of a bug report: versions, machine, paths, sensors, schema of the database and the last
// lines of the log. It contains no prompts, answers or names of runs; the home folder is written
// as ~ and the user's name as USER. Blocks while sensors are probed; any thread.
std::string collectDiagnostics(const DiagnosticsRequest& request);

// Removes the home folder and the user's name from `text`.
std::string withoutNames(std::string text, const std::string& home, const std::string& user);

} // namespace ep::session
