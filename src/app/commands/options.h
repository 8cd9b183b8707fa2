// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/power/source.h"
#include "ep/session/run_settings.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Options that several subcommands share.
namespace ep::app {

// The database of a subcommand: --db, or the default location.
struct DatabaseOption {
    void addTo(CLI::App& command);
    std::filesystem::path path() const;

    std::string text{};
};

// An option that names a file or folder to write. It refuses the run database in use and its
// backups before any work begins.
CLI::Option* addOutput(CLI::App& command, const std::string& name, std::string& file,
                       const std::string& help);

// --hashes-only: prompts and responses are never written to disk.
void addHashesOnly(CLI::App& command, bool& wanted);

// The bearer token of a server, from the file or the environment (EP_SERVER_TOKEN); empty: none.
// Never from the command line, which other users can read.
Result<std::string> readServerToken(const std::string& file);

inline constexpr int kMaxPort = 65'535;

// A number within these bounds; NaN is outside.
CLI::Validator realFrom(double least, double most);
CLI::Validator wholeFrom(std::int64_t least, std::int64_t most);
// One of these words, which help and completion list.
CLI::Validator oneOf(std::vector<std::string> words);

// Refuses what the function refuses, in its words.
CLI::Validator refusing(std::function<Status(const std::string&)> check);

// A text with at least one character: an empty one, as of an unset variable, would do nothing.
CLI::Validator notEmpty();
Error emptyPrompt(const std::string& file);

// Accepts the values of a row of the table of settings; has the row's words as choices.
CLI::Validator settingCheck(std::string_view name);
// The option of a row of the table of settings, which sets its field in the request; the help of a
// number says the field's present value.
CLI::Option* addSetting(CLI::App& command, session::RunRequest& request, std::string_view name);
void addSettings(CLI::App& command, session::RunRequest& request,
                 std::initializer_list<std::string_view> names);
// The options of all rows for these places (0: of all rows) that the command does not have yet.
void addSettings(CLI::App& command, session::RunRequest& request, unsigned places = 0);

// --model, --device, --dtype, --threads and --kernels: what to load. The folder may be the name of
// a known model until findFolders().
void addModel(CLI::App& command, session::RunRequest& request);
// Options that save work in a generation (docs/generation.md).
void addLevers(CLI::App& command, session::RunRequest& request);
// Replaces the names of the model and of the draft by their folders.
Status findFolders(session::RunRequest& request);

// The power source and its interval.
struct PowerOptions {
    void addTo(CLI::App& command, session::RunRequest& request);
    // Adds the watts; call in the callback of the command.
    void finish(power::SourceChoice& choice) const;

    std::optional<double> idle_watts{};
    std::optional<double> full_watts{};
};

} // namespace ep::app
