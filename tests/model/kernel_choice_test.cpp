// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernel_choice.h"
#include "kernel_measurement.h"
#include "random.h"
#include "support/temp_folder.h"

#include "ep/model/kernel_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

using testing::HasSubstr;

const std::vector<WeightKind> kKinds{{DType::BF16, 768}, {DType::BF16, 2048}};

TEST(KernelWishTest, ReplacesWhatItNames)
{
    const std::vector<std::pair<const char*, const char*>> cases{
        {"auto", "one row: bf16 x 768 spread, bf16 x 2048 spread-ahead; many rows: panels"},
        {"measure", "one row: bf16 x 768 spread, bf16 x 2048 spread-ahead; many rows: panels"},
        {"spread", "one row: bf16 x 768 spread, bf16 x 2048 spread; many rows: panels"},
        {"spread-ahead,2048=spread",
         "one row: bf16 x 768 spread-ahead, bf16 x 2048 spread; many rows: panels"},
        {"768=spread-ahead",
         "one row: bf16 x 768 spread-ahead, bf16 x 2048 spread-ahead; many rows: panels"},
        {"many=blas", "one row: bf16 x 768 spread, bf16 x 2048 spread-ahead; many rows: BLAS"},
        // The BLAS has no product of one row with 16- or 8-bit weights.
        {"blas", "one row: bf16 x 768 spread-ahead, bf16 x 2048 spread-ahead; many rows: panels"},
    };
    for (const auto& [text, expected] : cases) {
        KernelChoice choice;
        choice.setRow(kKinds[0], RowShape::Spread);
        const auto wish = parseKernelWish(text);
        ASSERT_TRUE(wish) << text;
        wish->apply(kKinds, choice);
        EXPECT_EQ(choice.describe(kKinds), expected) << text;
    }
}

TEST(KernelWishTest, WhatIsNotKnownIsNamed)
{
    for (const char* text :
         {"fastest", "spread,", ",", "0=spread", "-1=spread", "768=", "=spread",
          "many=", "many=spread", "768x=spread", "99999999999999999999=spread"}) {
        const auto wish = parseKernelWish(text);
        ASSERT_FALSE(wish) << text;
        EXPECT_FALSE(checkKernelNames(text)) << text;
        EXPECT_THAT(wish.error().message, HasSubstr("are not known: give auto, measure")) << text;
    }
}

// Only some processors have instructions that multiply pairs of numbers.
TEST(KernelWishTest, PairsAreMultipliedWherePossible)
{
    for (const DType dtype : {DType::F32, DType::BF16, DType::F16, DType::Int8}) {
        KernelChoice choice;
        const auto wish = parseKernelWish("many=pairs");
        ASSERT_TRUE(wish);
        wish->apply(std::vector<WeightKind>{{dtype, 64}}, choice);
        EXPECT_EQ(choice.many(dtype) == ManyWay::Pairs,
                  matmulsFor(kernels(), dtype).pairs.multiply != nullptr)
            << name(dtype);
    }
}

TEST(KernelChoiceTest, EveryWayHasOneName)
{
    for (int shape = 0; shape < kRowShapes; ++shape) {
        const RowWay way = static_cast<RowShape>(shape);
        EXPECT_EQ(rowWayNamed(nameOf(way)), std::optional<RowWay>(way));
    }
    EXPECT_EQ(nameOf({}), "blas");
    EXPECT_EQ(rowWayNamed("blas"), std::optional<RowWay>(RowWay{}));
    EXPECT_FALSE(rowWayNamed("fastest"));
}

// Times of three candidates, the last 10 % faster, each disturbed by up to `noise` and sometimes
// by a multiple.
std::vector<std::vector<double>> noisyTimes(double noise, std::uint64_t seed)
{
    Random random(seed);
    std::vector<std::vector<double>> times(3);
    for (int round = 0; round < 41; ++round) {
        for (std::size_t i = 0; i < times.size(); ++i) {
            const double disturbed = 1.0 + noise * random.uniform();
            const double preempted = random.uniform() < 0.05 ? 4.0 : 1.0;
            times[i].push_back((i == 2 ? 0.9 : 1.0) * disturbed * preempted);
        }
    }
    return times;
}

TEST(KernelTrialsTest, TheFasterOneWinsWhateverElseRuns)
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed)
        EXPECT_EQ(chooseByTrials(noisyTimes(0.1, seed), 0.04), 2U) << seed;
}

TEST(KernelTrialsTest, NoiseAloneDisplacesNothing)
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        auto times = noisyTimes(0.3, seed);
        for (double& time : times[2])
            time /= 0.9;
        EXPECT_EQ(chooseByTrials(times, 0.04), 0U) << seed;
    }
}

TEST(KernelTrialsTest, ALeadMayBeRequired)
{
    EXPECT_EQ(chooseByTrials(noisyTimes(0.01, 1), 0.13), 0U);
}

TEST(KernelStoreTest, KeepsChoicesByProcessor)
{
    const test::TempFolder folder;
    const auto file = folder.path() / "new" / "kernels.json";
    KernelStore one(file, "one processor");
    EXPECT_FALSE(one.row(kKinds[0]));
    EXPECT_FALSE(one.many(DType::F32));
    one.setRow(kKinds[0], RowShape::Spread);
    one.setRow({DType::F32, 64}, {});
    one.setMany(DType::F32, ManyWay::Blas);
    one.setMany(DType::BF16, ManyWay::Pairs);
    KernelStore other(file, "another");
    other.setRow(kKinds[0], RowShape::SpreadAhead);
    one.save();
    other.save();

    const KernelStore again(file, "one processor");
    EXPECT_EQ(again.row(kKinds[0]), std::optional<RowWay>(RowShape::Spread));
    EXPECT_EQ(again.row({DType::F32, 64}), std::optional<RowWay>(RowWay{}));
    EXPECT_FALSE(again.row(kKinds[1]));
    EXPECT_EQ(again.many(DType::F32), std::optional(ManyWay::Blas));
    EXPECT_EQ(again.many(DType::BF16), std::optional(ManyWay::Pairs));
    EXPECT_EQ(KernelStore(file, "another").row(kKinds[0]),
              std::optional<RowWay>(RowShape::SpreadAhead));
    EXPECT_FALSE(KernelStore(file, "a third").row(kKinds[0]));
}

TEST(KernelStoreTest, ADamagedFileHoldsNothingAndIsReplaced)
{
    const test::TempFolder folder;
    const auto file = folder.path() / "kernels.json";
    for (const char* text :
         {"", "{", "[]", "{\"kernels\": 5}", "{\"kernels\": 4, \"processors\": {\"p\": {}}}",
          "{\"kernels\": 5, \"processors\": []}", "{\"kernels\": 5, \"processors\": {\"p\": 7}}",
          "{\"kernels\": 5, \"processors\": {\"p\": {\"bf16 x 768\": 1}}}",
          "{\"kernels\": 5, \"processors\": {\"p\": {\"bf16 x 768\": \"fastest\"}}}"}) {
        std::ofstream(file) << text;
        KernelStore store(file, "p");
        EXPECT_FALSE(store.row(kKinds[0])) << text;
        store.setRow(kKinds[0], RowShape::Spread);
        store.save();
        EXPECT_EQ(KernelStore(file, "p").row(kKinds[0]), std::optional<RowWay>(RowShape::Spread))
            << text;
    }
}

TEST(KernelStoreTest, WithoutAPlaceNothingIsKept)
{
    KernelStore store({}, "p");
    store.setRow(kKinds[0], RowShape::Spread);
    store.save();
    EXPECT_FALSE(KernelStore({}, "p").row(kKinds[0]));
    KernelStore("/dev/null/kernels.json", "p").save(); // this folder cannot be created
}

} // namespace
} // namespace ep::model
