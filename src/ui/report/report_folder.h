// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <filesystem>
#include <system_error>

namespace ep::ui {

// Creates the folder with all its parents; it may exist already.
inline Status makeFolder(const std::filesystem::path& folder)
{
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (!problem)
        return {};
    return Error{ErrorCode::Io,
                 {"The folder %1 could not be made: %2; choose another place.", folder.string(),
                  problem.message()}};
}

} // namespace ep::ui
