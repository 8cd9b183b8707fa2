// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace ep {

// Absolute path of the running program with symbolic links resolved; empty if unknown to the
// system.
std::filesystem::path executablePath();

} // namespace ep
