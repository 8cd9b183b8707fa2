// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/uuid.h"
#include "ep/store/store.h"
#include "ep/store/store_files.h"

#include <functional>

namespace ep::store {

inline constexpr int kLongestListedText = 65'536; // characters; lists read no more of a text

struct Store::Impl {
    std::unique_ptr<Database> database;
    Message notice;
    const std::string owner = makeUuid(); // owner of this store's claims
};

template <typename Change>
Status tryChange(Database& database, const std::string& doing, const Change& change)
{
    Transaction transaction(database);
    if (const Status begun = transaction.begin(doing); !begun)
        return begun;
    if (const Status changed = change(); !changed)
        return changed;
    return transaction.commit(doing);
}

// Handles a change that failed because the file is damaged. Tries it again on a new connection. If
// the file really is damaged, copies everything readable into a new file next to it and makes the
// change there; the connection then stays with that file. Never returns Ok in that case: the error
// says where everything is now.
Status keepChangeOfDamaged(Database& database, const std::string& doing,
                           const std::function<Status()>& change, const Error& problem);

// Makes a change in one transaction, and makes it again if the files were replaced meanwhile. A
// damaged file is not changed; see keepChangeOfDamaged().
template <typename Change>
Status changeAtOnce(Database& database, const std::string& doing, const Change& change)
{
    constexpr int kTries = 3;
    Status done = tryChange(database, doing, change);
    for (int i = 1;
         i < kTries && !done && database.place() != Place::Same && database.place() != Place::Gone;
         ++i)
        done = tryChange(database, doing, change);
    if (done || !database.isDamaged())
        return done;
    return keepChangeOfDamaged(
        database, doing, [&] { return tryChange(database, doing, change); }, done.error());
}

} // namespace ep::store
