// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/store/store_files.h"

#include <functional>

namespace ep::store {

// Handles a change that failed because the file is damaged. Tries it again on a new connection. If
// the file really is damaged, copies everything readable into a new file next to it and makes the
// change there; the connection then stays with that file. Never returns Ok in that case: the error
// says where everything is now.
Status keepChangeOfDamaged(Database& database, const std::string& doing,
                           const std::function<Status()>& change, const Error& problem);

} // namespace ep::store
