// SPDX-License-Identifier: GPL-3.0-or-later
// Every model folder in EP_REFERENCE_DIR: however a text is cut into passes, its logits equal
// those of one pass.
#include "aten_ops.h"
#include "checkpoint.h"
#include "cpu_ops.h"
#include "decoder_passes.h"
#include "reference_models.h"
#include "support/folders.h"
#include "support/stated_types.h"
#include "weight_loader.h"

#include "ep/model/describe.h"
#include "ep/model/dtype_plan.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace ep::model {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<text::TokenId>;

constexpr double kOfTheRange = 1e-5;

class ReferencePasses : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        const fs::path folder = test::referencePath(GetParam());
        const auto config = readModelConfig(folder);
        ASSERT_TRUE(config) << config.error().message;
        const auto checkpoint = Checkpoint::open(folder, *config);
        ASSERT_TRUE(checkpoint) << checkpoint.error().message;
        WeightLoader weights(*checkpoint, at::kCPU, DType::F32, *m_pool, {}, {});
        m_decoder = makeDecoder(*config, weights);
        m_parameters = weights.parameters();
        std::ifstream file(folder / "golden.json");
        m_ids = nlohmann::json::parse(file).at("input_ids").get<Ids>();
    }

    // Pieces with these lengths; the last piece is the rest.
    std::vector<Ids> cut(const std::vector<std::size_t>& lengths) const
    {
        std::vector<Ids> pieces;
        auto at = m_ids.begin();
        for (const std::size_t length : lengths) {
            pieces.emplace_back(at, at + static_cast<std::ptrdiff_t>(length));
            at += static_cast<std::ptrdiff_t>(length);
        }
        pieces.emplace_back(at, m_ids.end());
        return pieces;
    }

    std::vector<float> lastRow(Ops& ops, const std::vector<Ids>& pieces) const
    {
        const std::vector<float> rows = lastLogits(m_decoder, ops, pieces, false);
        return {rows.end() - m_decoder.config.vocab_size, rows.end()};
    }

    std::shared_ptr<ThreadPool> m_pool = std::make_shared<ThreadPool>(2);
    Decoder m_decoder;
    std::int64_t m_parameters = 0; // number of loaded parameters
    Ids m_ids;
};

double distance(const std::vector<float>& one, const std::vector<float>& other)
{
    const auto [least, most] = std::minmax_element(one.begin(), one.end());
    double largest = 0.0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        const double off = std::abs(static_cast<double>(one[i]) - static_cast<double>(other[i]));
        largest = off <= largest ? largest : off; // also catches NaN
    }
    return largest / (static_cast<double>(*most) - static_cast<double>(*least));
}

TEST_P(ReferencePasses, OnePassPiecesAndSingleTokensAgree)
{
    CpuOps own(m_pool);
    AtenOps plain(at::kCPU, at::kFloat);
    const std::vector<float> one = lastRow(own, {m_ids});
    for (Ops* const ops : std::initializer_list<Ops*>{&own, &plain}) {
        EXPECT_LT(distance(one, lastRow(*ops, {m_ids})), kOfTheRange);
        EXPECT_LT(distance(one, lastRow(*ops, cut({5, 1, 9}))), kOfTheRange);
        EXPECT_LT(distance(one, lastRow(*ops, cut({7, 7, 7}))), kOfTheRange);
        EXPECT_LT(distance(one, lastRow(*ops, cut(std::vector<std::size_t>(23, 1)))), kOfTheRange);
    }
}

// Generates 200 greedy tokens with the cache; one pass over all of them makes the same choices.
TEST_P(ReferencePasses, GreedyTokensAreThoseWithoutACache)
{
    const c10::InferenceMode noGradients;
    const std::int64_t width = m_decoder.config.vocab_size;
    const auto largest = [&](const float* row) {
        return static_cast<text::TokenId>(std::max_element(row, row + width) - row);
    };
    CpuOps own(m_pool);
    Ids all = m_ids;
    KvCache cache(cacheShape(m_decoder.config), own.cacheOptions(), 256);
    Workspace workspace;
    const CancelToken never;
    Ids next = m_ids;
    for (int i = 0; i < 200; ++i) {
        const auto count = static_cast<std::int64_t>(next.size());
        const std::vector<SequenceRows> rows{{.cache = &cache, .first = 0, .count = count}};
        Step step{own, rows, workspace, nullptr, never};
        ASSERT_TRUE(m_decoder.forward(step, next, Decoder::Logits::AllRows));
        cache.advance(count);
        next = {largest(own.host(workspace.logits, count - 1).data())};
        all.push_back(next.front());
    }
    const std::vector<float> logits = lastLogits(m_decoder, own, {all}, false);
    int same = 0;
    for (std::size_t i = m_ids.size(); i < all.size(); ++i)
        same +=
            largest(logits.data() + (i - 1) * static_cast<std::size_t>(width)) == all[i] ? 1 : 0;
    EXPECT_EQ(same, 200);
}

// Energy by cost goes to the components that the count names, and memory use equals its count.
TEST_P(ReferencePasses, TheCountIsWhatRuns)
{
    CpuOps own(m_pool);
    expectCountedComponents(m_decoder, own, m_ids);
    EXPECT_EQ(countParameters(m_decoder.config).total(), m_parameters);
}

INSTANTIATE_TEST_SUITE_P(Models, ReferencePasses, testing::ValuesIn(referenceModels()), testName);

// A folder becomes what llama.cpp's converter and llama-quantize make of it, tensor by tensor.
TEST(ReferenceTypesTest, FoldersBecomeTheFilesOfLlamaQuantize)
{
    int compared = 0;
    for (const test::StatedModel& stated :
         test::statedModels(test::dataPath("formats/files.txt"))) {
        const auto model =
            describeModel(std::filesystem::path(test::referencePath()) / stated.name);
        ASSERT_TRUE(model) << model.error().message;
        for (const auto& [format, parts] : stated.formats) {
            const auto plan = parseDTypePlan(format);
            const TensorTypes types = typesIn(model->tensors, *plan);
            for (std::size_t i = 0; i < types.size(); ++i) {
                const ListedTensor& tensor = model->tensors.tensors[i];
                std::string own = tensor.own;
                std::string expected = stated.typeOf(format, own);
                // Where llama.cpp divides gates and ups, they have the type of the ups.
                if (const auto both = own.find("gate_up_exps");
                    both != std::string::npos && expected == "f32")
                    expected = stated.typeOf(format, own.replace(both, 12, "up_exps"));
                const auto type = types[i] ? types[i] : tensor.stored;
                if (expected == "f32") {
                    EXPECT_FALSE(types[i]) << stated.name << ", " << format << ", " << tensor.name;
                } else {
                    EXPECT_EQ(name(type.value_or(DType::F32)), expected)
                        << stated.name << ", " << format << ", " << tensor.name << ", " << own;
                    ++compared;
                }
            }
        }
    }
    EXPECT_GT(compared, 5000);
}

} // namespace
} // namespace ep::model
