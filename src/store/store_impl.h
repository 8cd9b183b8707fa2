// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/uuid.h"
#include "ep/store/store.h"

namespace ep::store {

struct Store::Impl {
    std::unique_ptr<Database> database;
    std::string notice;
    const std::string owner = makeUuid(); // owner of claims
};

// Runs a change in one transaction.
template <typename Change>
Status changeAtOnce(Database& database, const std::string& doing, const Change& change)
{
    Transaction transaction(database);
    if (const Status begun = transaction.begin(doing); !begun)
        return begun;
    if (const Status changed = change(); !changed)
        return changed;
    return transaction.commit(doing);
}

} // namespace ep::store
