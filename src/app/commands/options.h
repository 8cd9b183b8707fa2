// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/source.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <string>

// Options that several subcommands share.
namespace ep::app {

// The database of a subcommand: --db, or the default location.
struct DatabaseOption {
    void addTo(CLI::App& command);
    std::filesystem::path path() const;

    std::string text{};
};

// --hashes-only: prompts and responses are never written to disk.
void addHashesOnly(CLI::App& command, bool& wanted);

// The bearer token of a server, from the file or the environment (EP_SERVER_TOKEN); empty: none.
// Never from the command line, which other users can read.
Result<std::string> readServerToken(const std::string& file);

// A number within these bounds; NaN is outside. CLI11's own Range accepts NaN, so it is used for
// whole numbers only.
CLI::Validator realFrom(double least, double most);
// Accepts digits only, because a minus sign would wrap around.
CLI::Validator unsignedNumber();

// A format of a model, or a plan of types (--dtype).
CLI::Validator formatCheck();

// The model, and the device, dtype and number of threads to load it with.
struct ModelOptions {
    void addTo(CLI::App& command);

    std::string model{};
    std::string device = "auto";
    std::string dtype = "auto";
    int threads = 0;
    std::string kernels = "auto";
};

// The power source. A choice that cannot be parsed is an error of the command line.
struct PowerOptions {
    void addTo(CLI::App& command);
    power::SourceChoice choice() const;

    std::string source = "auto";
    std::optional<double> idle_watts{};
    std::optional<double> full_watts{};
    int interval_ms = 100;
};

} // namespace ep::app
