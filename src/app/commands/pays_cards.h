// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands.h"

#include "ep/session/pays_runner.h"

#include <filesystem>
#include <string>

// Subcommands for the cards of `pays`.
namespace ep::app {

CLI::App* addMergeCommand(CLI::App& pays, Invocation& invocation);

Status writeCard(const session::PaysSpec& spec, const session::PaysResult& result,
                 const std::filesystem::path& database, const std::string& file);

} // namespace ep::app
