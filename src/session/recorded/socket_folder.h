// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <filesystem>

namespace ep::session {

struct SocketFolder {
    std::filesystem::path path;
    int lock = -1; // a descriptor; close it after removing the folder
};

// Makes a folder for temporary files that only this user may enter (0700), and removes those of
// recorders of the same user that were killed: nobody holds their lock.
Result<SocketFolder> makeSocketFolder();

} // namespace ep::session
