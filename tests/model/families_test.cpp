// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_ops.h"
#include "checkpoint.h"
#include "cpu_ops.h"
#include "decoder.h"
#include "decoder_passes.h"
#include "device.h"
#include "engine_fixture.h"
#include "family_variants.h"
#include "gpu/gpu_fused.h"
#include "naive_decoder.h"
#include "random_checkpoint.h"
#include "support/temp_folder.h"

#include "ep/model/analytic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

// Every family with its options and every way of rotating positions, compared with a second
// decoder that shares no code with the engine (naive_decoder.h).
namespace ep::model {
namespace {

using Json = nlohmann::json;
using test::baseConfig;
using test::familyVariants;
using test::Variant;

std::vector<text::TokenId> someIds(std::size_t count)
{
    std::vector<text::TokenId> ids;
    for (std::size_t i = 0; i < count; ++i)
        ids.push_back(static_cast<text::TokenId>((i * 37 + i * i * 5 + 11) % 61));
    return ids;
}

test::NaiveRows rowsOf(const std::vector<float>& logits, std::int64_t width)
{
    test::NaiveRows rows;
    for (auto at = logits.begin(); at != logits.end(); at += width)
        rows.emplace_back(at, at + width);
    return rows;
}

// The largest difference in the last rows of `expected`, relative to the range of all its values.
double difference(const std::vector<float>& actual, const test::NaiveRows& expected)
{
    double least = expected[0][0];
    double most = least;
    for (const test::NaiveRow& row : expected) {
        least = std::min(least, *std::min_element(row.begin(), row.end()));
        most = std::max(most, *std::max_element(row.begin(), row.end()));
    }
    const std::size_t width = expected[0].size();
    const std::size_t first = expected.size() - actual.size() / width;
    double largest = 0.0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double off =
            std::abs(static_cast<double>(actual[i]) - expected[first + i / width][i % width]);
        largest = off <= largest ? largest : off; // also catches NaN
    }
    return largest / (most - least);
}

class FamiliesTest : public testing::TestWithParam<Variant> {
protected:
    void SetUp() override
    {
        m_json = baseConfig(GetParam());
        m_weights = test::randomWeights(m_json, 7);
        test::writeCheckpoint(m_folder.path(), m_json, m_weights);
    }

    Decoder loadDecoder(DType dtype = DType::F32, at::Device device = at::kCPU,
                        bool keepTypes = false)
    {
        const auto config = readModelConfig(m_folder.path());
        const auto checkpoint = Checkpoint::open(m_folder.path());
        if (!config || !checkpoint) {
            ADD_FAILURE() << (config ? checkpoint.error().message : config.error().message);
            return {};
        }
        EXPECT_TRUE(checkSupported(*config));
        WeightLoader weights(*checkpoint, device, dtype, *m_pool, {}, {});
        if (keepTypes)
            weights.keepPlainTypes();
        Decoder decoder = makeDecoder(*config, weights);
        EXPECT_EQ(weights.unknown(), std::vector<std::string>{});
        return decoder;
    }

    test::TempFolder m_folder;
    Json m_json;
    test::NaiveWeights m_weights;
    std::shared_ptr<ThreadPool> m_pool = std::make_shared<ThreadPool>(2);
};

constexpr double kTolerance = 1e-5; // relative to the range of the logits
constexpr double kGpuTolerance = 1e-4;

TEST_P(FamiliesTest, LogitsAreThoseOfTheNaiveDecoder)
{
    const std::vector<text::TokenId> ids = someIds(24);
    const test::NaiveRows expected = test::naiveLogits(m_json, m_weights, ids);
    const Decoder decoder = loadDecoder();
    CpuOps own(m_pool);
    AtenOps plain(at::kCPU, at::kFloat);
    for (const bool decomposed : {false, true}) {
        EXPECT_LT(difference(lastLogits(decoder, own, {ids}, decomposed), expected), kTolerance);
        EXPECT_LT(difference(lastLogits(decoder, plain, {ids}, decomposed), expected), kTolerance);
    }
}

// Some tensors of a bf16 model are stored in f32: a router, a norm, any other. They keep their
// values.
TEST_P(FamiliesTest, AMixtureOfTypesIsKept)
{
    const std::vector<text::TokenId> ids = someIds(24);
    for (const int kept : {0, 1, 2}) {
        int place = 0;
        std::map<std::string, std::string> types;
        test::NaiveWeights mixture = m_weights;
        for (auto& [name, tensor] : mixture) {
            types[name] = place++ % 3 == kept ? "F32" : "BF16";
            for (float& value : tensor.values) {
                if (types[name] == "BF16")
                    value = static_cast<float>(at::BFloat16(value));
            }
        }
        test::writeCheckpoint(m_folder.path(), m_json, mixture,
                              [&](const std::string& name) { return types.at(name); });
        const test::NaiveRows expected = test::naiveLogits(m_json, mixture, ids);
        const Decoder decoder = loadDecoder(DType::BF16, at::kCPU, true);
        CpuOps own(m_pool);
        AtenOps plain(at::kCPU, at::kFloat);
        EXPECT_LT(difference(lastLogits(decoder, own, {ids}, false), expected), kTolerance) << kept;
        EXPECT_LT(difference(lastLogits(decoder, plain, {ids}, false), expected), kTolerance)
            << kept;
    }
}

// Computes as the engine does on Apple's and NVIDIA's GPUs, which add in another order.
TEST_P(FamiliesTest, LogitsOfTheGpuAreThoseOfTheNaiveDecoder)
{
    const DeviceFacts facts = deviceFacts();
    const std::vector<std::string> devices = usableDevices(facts);
    const auto device = chooseDevice(devices.back(), facts);
    ASSERT_TRUE(device) << device.error().message;
    if (device->is_cpu() || !whyItFails(*device).empty())
        GTEST_SKIP() << "no GPU that LibTorch can use";
    const std::vector<text::TokenId> ids = someIds(24);
    const auto middle = ids.begin() + 17;
    const std::vector<std::vector<text::TokenId>> pieces{{ids.begin(), middle},
                                                         {middle, ids.end()}};
    AtenOps plain(at::kCPU, at::kFloat);
    const Decoder decoder = loadDecoder();
    const test::NaiveRows whole = test::naiveLogits(m_json, m_weights, ids);
    const test::NaiveRows last =
        rowsOf(lastLogits(decoder, plain, pieces, false), decoder.config.vocab_size);
    AtenOps gpu(*device, at::kFloat);
    const Decoder onGpu = loadDecoder(DType::F32, *device);
    for (const bool kernels : {false, true}) {
        if (kernels)
            gpu.useFused(
                std::make_shared<GpuFused>(*gpuLanguageOf(device->type()), *device, at::kFloat));
        for (const bool decomposed : {false, true}) {
            EXPECT_LT(difference(lastLogits(onGpu, gpu, {ids}, decomposed), whole), kGpuTolerance);
            EXPECT_LT(difference(lastLogits(onGpu, gpu, pieces, decomposed), last), kGpuTolerance);
        }
    }
}

TEST_P(FamiliesTest, APromptInPiecesIsOnePass)
{
    const std::vector<text::TokenId> ids = someIds(24);
    const test::NaiveRows expected = test::naiveLogits(m_json, m_weights, ids);
    Decoder decoder = loadDecoder();
    decoder.piece_rows = 7;
    CpuOps own(m_pool);
    AtenOps plain(at::kCPU, at::kFloat);
    for (const bool decomposed : {false, true}) {
        EXPECT_LT(difference(lastLogits(decoder, own, {ids}, decomposed), expected), kTolerance);
        EXPECT_LT(difference(lastLogits(decoder, plain, {ids}, decomposed), expected), kTolerance);
    }
}

// Weights that every type represents exactly: multiples of 1/64 with at most eight digits.
TEST_P(FamiliesTest, EveryTypeComputesTheSameFromTheSameWeights)
{
    for (auto& [name, tensor] : m_weights) {
        for (float& value : tensor.values)
            value = std::clamp(std::round(value * 64.0F) / 64.0F, -2.0F, 2.0F);
    }
    test::writeCheckpoint(m_folder.path(), m_json, m_weights);
    const std::vector<text::TokenId> ids = someIds(12);
    const test::NaiveRows expected = test::naiveLogits(m_json, m_weights, ids);
    CpuOps own(m_pool);
    for (const DType dtype : {DType::F32, DType::BF16, DType::F16}) {
        const Decoder decoder = loadDecoder(dtype);
        EXPECT_LT(difference(lastLogits(decoder, own, {ids}, false), expected), kTolerance)
            << name(dtype);
    }
}

TEST_P(FamiliesTest, CachedDecodingIsOnePass)
{
    const std::vector<text::TokenId> ids = someIds(24);
    const Decoder decoder = loadDecoder();
    const bool dynamic = std::any_of(decoder.ropes.begin(), decoder.ropes.end(), [](const Rope& r) {
        return !std::ranges::equal(r.frequencies(10), r.frequencies(24));
    });
    const auto piece = [&](std::size_t begin, std::size_t end) {
        return std::vector<text::TokenId>(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                                          ids.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const std::vector<std::vector<text::TokenId>> pieces{
        piece(0, 11), piece(11, 12), piece(12, 13), piece(13, 20), piece(20, 21), piece(21, 24)};
    CpuOps own(m_pool);
    AtenOps plain(at::kCPU, at::kFloat);
    // Keys stay in the cache with the rotation of the length at which they were computed: a single
    // pass then differs, so the implementations are compared with each other.
    const test::NaiveRows expected = dynamic
        ? rowsOf(lastLogits(decoder, plain, pieces, false), decoder.config.vocab_size)
        : test::naiveLogits(m_json, m_weights, ids);
    for (const bool decomposed : {false, true}) {
        EXPECT_LT(difference(lastLogits(decoder, own, pieces, decomposed), expected), kTolerance);
        EXPECT_LT(difference(lastLogits(decoder, plain, pieces, decomposed), expected), kTolerance);
    }
}

TEST_P(FamiliesTest, ParametersAreCountedAsTheFilesHoldThem)
{
    const auto config = readModelConfig(m_folder.path());
    ASSERT_TRUE(config);
    std::size_t stored = 0;
    for (const auto& [name, tensor] : m_weights)
        stored += tensor.values.size();
    EXPECT_EQ(countParameters(*config).total(), static_cast<std::int64_t>(stored));
}

// Energy by cost goes to the components that the count names, which must be those that run.
TEST_P(FamiliesTest, theCountNamesTheComponentsThatRun)
{
    const Decoder decoder = loadDecoder();
    CpuOps ops(m_pool);
    expectCountedComponents(decoder, ops, someIds(5));
}

// The prompts have so few rows that each is computed exactly as if it were alone.
TEST_P(FamiliesTest, BatchContinuesAsSingleRunsDo)
{
    const auto library = makeEngineLibrary();
    const auto engine = library->load({.folder = m_folder.path(), .device = "cpu"}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    const std::vector<std::vector<text::TokenId>> prompts{{7, 23, 41}, {60}, {5, 5}, {11, 30}};
    const auto continued = [&](const std::vector<std::vector<text::TokenId>>& batch) {
        return EngineFixture::generateTokens(**engine, {.prompts = batch, .max_new_tokens = 12});
    };
    const auto together = continued(prompts);
    for (std::size_t i = 0; i < prompts.size(); ++i)
        EXPECT_EQ(together[i], continued({prompts[i]}).front()) << "prompt " << i;
}

INSTANTIATE_TEST_SUITE_P(Variants, FamiliesTest, testing::ValuesIn(familyVariants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

} // namespace
} // namespace ep::model
