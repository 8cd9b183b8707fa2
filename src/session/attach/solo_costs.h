// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/share.h"

#include <filesystem>
#include <optional>
#include <string>

namespace ep::session {

// Median costs of the newest stored runs of single requests to this engine and model whose phases
// were long enough to be measured; absent if there are none. Reads the database; any thread.
std::optional<energy::SoloCosts> soloCosts(const std::filesystem::path& database,
                                           const std::string& engine, const std::string& model);

} // namespace ep::session
