// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "salvage.h"
#include "sqlite/database.h"

#include "ep/core/uuid.h"
#include "ep/store/store.h"

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
