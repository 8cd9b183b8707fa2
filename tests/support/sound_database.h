// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace ep::test {

// Expects that SQLite finds nothing wrong in the file.
inline void expectSound(const std::filesystem::path& file)
{
    const auto database = store::Database::open(file, store::Database::Access::ReadOnly);
    ASSERT_TRUE(database);
    const auto sound = (*database)->queryInteger(
        "SELECT integrity_check = 'ok' FROM pragma_integrity_check", "test");
    EXPECT_EQ(*sound, 1);
    const auto dangling =
        (*database)->queryInteger("SELECT count(*) FROM pragma_foreign_key_check", "test");
    EXPECT_EQ(*dangling, 0);
}

} // namespace ep::test
