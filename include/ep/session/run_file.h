// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/store/store.h"

#include <filesystem>

namespace ep::session {

// Imports the runs in a file: the JSON of one run (energies missing in a file created by hand are
// computed), or a whole run database. Errors name the file. Any thread.
Result<store::ImportReport> importRunFile(store::Store& store, const std::filesystem::path& file,
                                          const CancelToken& cancel = {});

} // namespace ep::session
