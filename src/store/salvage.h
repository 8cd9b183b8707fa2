// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/store/store_files.h"

#include <functional>

namespace ep::store {

// A change has failed because the file is damaged. Tries it again on a connection that was opened
// again; if the file really is damaged, what can be read of it is put into a new file beside it,
// and the change is made there. The connection then stays with that file. Never Ok in that case:
// the error says where everything is now.
Status keepChangeOfDamaged(Database& database, const std::string& doing,
                           const std::function<Status()>& change, const Error& problem);

} // namespace ep::store
