// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/source.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <string>

// Options that several subcommands share.
namespace ep::app {

// The database of a subcommand: --db, else the default place.
struct DatabaseOption {
    void addTo(CLI::App& command);
    std::filesystem::path path() const;

    std::string text{};
};

// --hashes-only: prompts and answers do not reach the disk.
void addHashesOnly(CLI::App& command, bool& wanted);

// A number within these bounds; NaN is within none. Of CLI11's own only those of whole numbers are
// used, whose Range lets NaN pass.
CLI::Validator realFrom(double least, double most);
// Digits and nothing else, where a minus would wrap around.
CLI::Validator unsignedNumber();

// Device, dtype and threads of a loaded model, and the model itself.
struct ModelOptions {
    void addTo(CLI::App& command);

    std::string model{};
    std::string device = "auto";
    std::string dtype = "auto";
    int threads = 0;
};

// The power source. A choice that cannot be understood is an error of the command line.
struct PowerOptions {
    void addTo(CLI::App& command, const std::string& name); // "--power" or "--source"
    power::SourceChoice choice() const;

    std::string source = "auto";
    std::optional<double> idle_watts{};
    std::optional<double> full_watts{};
    int interval_ms = 100;
};

} // namespace ep::app
