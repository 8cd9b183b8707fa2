// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/pays_runner.h"

#include <filesystem>
#include <string>
#include <vector>

// The cards of `pays`.
namespace ep::app {

// Checks the cards, pools them by class of machine and prints the result; returns the exit status.
int mergeCards(const std::vector<std::string>& files, double percent, bool json);

Status writeCard(const session::PaysSpec& spec, const session::PaysResult& result,
                 const std::filesystem::path& database, const std::string& file);

} // namespace ep::app
