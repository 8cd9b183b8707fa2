// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace ep {

// Absolute path of the running program, symbolic links resolved; empty when the system will not
// say.
std::filesystem::path executablePath();

} // namespace ep
