// SPDX-License-Identifier: GPL-3.0-or-later
#include "known_stats.h"

#include <gtest/gtest.h>

namespace ep::model {
namespace {

Matrix filled(std::int64_t rows, std::int64_t columns)
{
    Matrix matrix;
    matrix.resize(rows, columns);
    return matrix;
}

TEST(KnownStatsTest, RemembersUntilTheMatrixIsWritten)
{
    KnownStats known;
    const Matrix x = filled(3, 8);
    EXPECT_EQ(known.find(x, 0.01F), nullptr);
    known.keep(x, 0.01F, {.mean_abs = 5.0F});
    ASSERT_NE(known.find(x, 0.01F), nullptr);
    EXPECT_EQ(known.find(x, 0.01F)->mean_abs, 5.0F);
    EXPECT_EQ(known.find(x, 0.02F), nullptr); // another threshold means another sparsity
    EXPECT_EQ(known.find(x.slice(0, 4), 0.01F), nullptr); // a part counts as another matrix
    known.forget(x);
    EXPECT_EQ(known.find(x, 0.01F), nullptr);
}

TEST(KnownStatsTest, AWriteToSharedMemoryIsAWrite)
{
    KnownStats known;
    const Matrix x = filled(4, 8);
    const Matrix other = filled(4, 8);
    for (const Matrix& part : {x.slice(6, 2), x.rowsFrom(3, 1), x}) {
        known.keep(x, 0.01F, {});
        known.forget(other);
        EXPECT_NE(known.find(x, 0.01F), nullptr);
        known.forget(part);
        EXPECT_EQ(known.find(x, 0.01F), nullptr);
    }
}

TEST(KnownStatsTest, TheOldestGiveWay)
{
    KnownStats known;
    const Matrix x = filled(1, 64);
    for (int i = 0; i < 20; ++i) {
        known.keep(x.slice(i, 1), 0.01F, {.mean_abs = static_cast<float>(i)});
        ASSERT_NE(known.find(x.slice(i, 1), 0.01F), nullptr);
        EXPECT_EQ(known.find(x.slice(i, 1), 0.01F)->mean_abs, static_cast<float>(i));
    }
    EXPECT_EQ(known.find(x.slice(0, 1), 0.01F), nullptr);
    known.clear();
    EXPECT_EQ(known.find(x.slice(19, 1), 0.01F), nullptr);
}

} // namespace
} // namespace ep::model
