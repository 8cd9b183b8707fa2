// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>

namespace ep::store {
namespace {

using test::TempFolder;
using testing::ElementsAre;

QualityRecord quality(const std::string& dtype, std::int64_t when)
{
    QualityRecord record{.model = "demo",
                         .fingerprint = "abc",
                         .dtype = dtype,
                         .device = "cpu",
                         .text_name = "tale.txt",
                         .text_hash = "sha256:1",
                         .tokens = 100,
                         .scored = 99,
                         .context = 64,
                         .stride = 32,
                         .nll = 2.5,
                         .perplexity = 12.2,
                         .nll_blocks = {2.25, 2.75, 1.0 / 3.0},
                         .created_at_ms = when,
                         .app_version = "1"};
    if (dtype != "f32") {
        record.kl = 0.001;
        record.top1 = 0.98;
    }
    return record;
}

TEST(QualityTable, KeepsTheNewestOfEachModelFormatAndText)
{
    const TempFolder folder;
    auto store = Store::open(folder / "runs.db");
    ASSERT_TRUE(store);
    EXPECT_TRUE((*store)->qualities()->empty());
    const QualityRecord exact = quality("f32", 1);
    const QualityRecord small = quality("int8", 2);
    ASSERT_TRUE((*store)->saveQuality(exact));
    ASSERT_TRUE((*store)->saveQuality(small));
    EXPECT_THAT(*(*store)->qualities(), ElementsAre(small, exact));
    QualityRecord again = quality("f32", 3);
    again.nll = 2.4;
    ASSERT_TRUE((*store)->saveQuality(again));
    EXPECT_THAT(*(*store)->qualities(), ElementsAre(again, small));
    QualityRecord longer = quality("f32", 4);
    longer.context = 128;
    ASSERT_TRUE((*store)->saveQuality(longer));
    EXPECT_EQ((*store)->qualities()->size(), 3U);
}

TEST(QualityTable, ComesAlongWithAnImportedDatabase)
{
    const TempFolder folder;
    auto here = Store::open(folder / "here.db");
    ASSERT_TRUE(here);
    {
        auto there = Store::open(folder / "there.db");
        ASSERT_TRUE(there);
        ASSERT_TRUE((*there)->saveQuality(quality("f32", 5)));
        ASSERT_TRUE((*there)->saveQuality(quality("int8", 5)));
    }
    ASSERT_TRUE((*here)->saveQuality(quality("f32", 9)));
    ASSERT_TRUE((*here)->importDatabase(folder / "there.db"));
    EXPECT_THAT(*(*here)->qualities(), ElementsAre(quality("f32", 9), quality("int8", 5)));
}

} // namespace
} // namespace ep::store
