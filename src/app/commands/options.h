// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/source.h"
#include "ep/session/events.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

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
// A format of a model, or a plan of types (--dtype).
CLI::Validator formatCheck();

// Whether a text is a number within the range of a row of the table of settings.
CLI::Validator settingCheck(std::string_view name);
// The option of a row of the table of settings, which sets its field in the request; the help says
// the field's present value.
CLI::Option* addSetting(CLI::App& command, session::RunRequest& request, std::string_view name);
// The options of all rows for one of these places that the command does not have yet.
void addSettings(CLI::App& command, session::RunRequest& request, unsigned places = ~0U);

// --model, --device, --dtype, --threads and --kernels: what to load. The folder may be the name of
// a known model until findFolders().
void addModel(CLI::App& command, session::RunRequest& request);
// --depth
void addDepth(CLI::App& command, Depth& depth, const std::string& help);
// Adds --kv-cache alone, for commands that generate nothing.
void addKvCache(CLI::App& command, model::CacheKind& cache);
// Options that save work in a generation (docs/generation.md).
void addLevers(CLI::App& command, session::RunRequest& request);
// Replaces the names of the model and of the draft by their folders.
Status findFolders(session::RunRequest& request);

// The power source and its interval. A choice that cannot be parsed is an error of the command
// line.
struct PowerOptions {
    void addTo(CLI::App& command, session::RunRequest& request);
    power::SourceChoice choice() const;

    std::string source = "auto";
    std::optional<double> idle_watts{};
    std::optional<double> full_watts{};
};

} // namespace ep::app
