// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ep::test {

// What a user has after half a year with the program: settings, models and stored runs. A fresh
// folder hides faults that only such a user sees.
struct ReturningUser {
    std::filesystem::path settings; // INI file
    std::filesystem::path database;
    std::filesystem::path models; // folder of model folders
    std::vector<std::string> runs; // newest first
};

// Creates it in the folder. The runs differ in model, dtype, device, depth, length, tags and time,
// and include repeats, runs without energy, cancelled and failed ones.
ReturningUser makeReturningUser(const std::filesystem::path& folder, int runs = 120);

} // namespace ep::test
