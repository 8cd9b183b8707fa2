// SPDX-License-Identifier: GPL-3.0-or-later
// Profiling depth `deep`: the same text computed by single operations, and their figures.
#include "aten_ops.h"
#include "cpu_ops.h"
#include "deep_observer.h"
#include "engine_fixture.h"
#include "family_variants.h"
#include "random_checkpoint.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace ep::model {
namespace {

using test::DeepObserver;
using test::Variant;

float meanOf(const std::vector<float>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0F) / static_cast<float>(values.size());
}

const std::vector<text::TokenId> kPrompt{7, 23, 41, 3, 3, 60, 18, 44, 52, 9, 30, 1};

class DecomposedTest : public testing::TestWithParam<Variant> {
protected:
    void SetUp() override
    {
        m_config = test::baseConfig(GetParam());
        test::writeCheckpoint(m_folder.path(), m_config, test::randomWeights(m_config, 7));
        const auto library = makeEngineLibrary();
        auto engine = library->load({.folder = m_folder.path(), .device = "cpu"}, {}, {});
        ASSERT_TRUE(engine) << engine.error().message;
        m_engine = std::move(*engine);
    }

    std::vector<text::TokenId> continued(bool decomposed, Observer* observer)
    {
        return EngineFixture::tokens(EngineFixture::generate(
            *m_engine, {.prompts = {kPrompt}, .max_new_tokens = 12, .decomposed = decomposed},
            observer));
    }

    // The type in config.json; "" if it does not say.
    std::string typeOf(int layer) const
    {
        return m_config.contains("layer_types")
            ? m_config["layer_types"][static_cast<std::size_t>(layer)].get<std::string>()
            : std::string();
    }
    bool attends(int layer) const
    {
        return typeOf(layer) != "conv" && typeOf(layer) != "linear_attention";
    }

    // OLMo 2 and EXAONE 4 have their first norm after attention, other families before.
    Component firstNorm() const
    {
        const std::string type = GetParam().type;
        return type == "olmo2" || type == "olmo3" || type == "exaone4"
            ? Component::PostAttentionLayernorm
            : Component::InputLayernorm;
    }

    test::TempFolder m_folder;
    nlohmann::json m_config;
    std::unique_ptr<Engine> m_engine;
};

TEST_P(DecomposedTest, EveryDepthMakesTheSameTokens)
{
    const auto clean = continued(false, nullptr);
    DeepObserver module;
    EXPECT_EQ(continued(false, &module), clean);
    EXPECT_TRUE(std::none_of(module.figures.begin(), module.figures.end(), [](const auto& entry) {
        return std::get<1>(entry.first) == Component::Attention;
    })) << "operations of attention although it was not taken apart";
    DeepObserver deep;
    EXPECT_EQ(continued(true, &deep), clean);
    EXPECT_EQ(continued(true, nullptr), clean);
}

TEST_P(DecomposedTest, EveryPartOfALayerHasItsOperations)
{
    DeepObserver observer;
    continued(true, &observer);
    const bool layerNorms = GetParam().architecture == std::string("GPT2LMHeadModel")
        || GetParam().architecture == std::string("GPTNeoXForCausalLM")
        || GetParam().architecture == std::string("StableLmForCausalLM")
        || GetParam().architecture == std::string("PhiForCausalLM")
        || GetParam().type == std::string("phimoe")
        || GetParam().architecture == std::string("Cohere2ForCausalLM")
        || GetParam().architecture == std::string("Starcoder2ForCausalLM");
    for (int layer = 0; layer < m_engine->facts().layers; ++layer) {
        const auto has = [&](Component component, Operation operation) {
            return observer.figures.contains({layer, component, operation});
        };
        const std::string type = typeOf(layer);
        for (const Operation operation :
             {Operation::Rotary, Operation::QkMatmul, Operation::Scale, Operation::MaskApply,
              Operation::Softmax, Operation::AttnDropout, Operation::ValueMatmul})
            EXPECT_EQ(has(Component::Attention, operation), attends(layer)) << name(operation);
        const bool mamba = GetParam().type == std::string("falcon_h1"); // next to attention
        EXPECT_EQ(has(Component::Conv1d, Operation::Conv1d), mamba || !attends(layer));
        EXPECT_EQ(has(Component::Scan, Operation::Decay), mamba);
        EXPECT_EQ(has(Component::Scan, Operation::Scan), mamba);
        EXPECT_EQ(has(Component::GatedNorm, Operation::GateMultiply),
                  mamba || type == "linear_attention");
        EXPECT_EQ(has(Component::Conv1d, Operation::GateMultiply), type == "conv");
        for (const Operation operation :
             {Operation::QkL2norm, Operation::Beta, Operation::Decay, Operation::DeltaRule})
            EXPECT_EQ(has(Component::DeltaRule, operation), type == "linear_attention")
                << name(operation);
        const bool normalises =
            type == "linear_attention" || (mamba && m_config.value("mamba_rms_norm", false));
        for (const Operation operation : {Operation::Variance, Operation::ScaleShift})
            EXPECT_EQ(has(Component::GatedNorm, operation), normalises) << name(operation);
        EXPECT_TRUE(has(firstNorm(), Operation::Variance));
        EXPECT_TRUE(has(firstNorm(), Operation::ScaleShift));
        EXPECT_EQ(has(firstNorm(), Operation::Mean), layerNorms);
        EXPECT_EQ(has(Component::InputLayernorm, Operation::Variance),
                  firstNorm() == Component::InputLayernorm);
        EXPECT_NE(has(Component::Activation, Operation::Activation),
                  has(Component::Experts, Operation::Expert));
    }
}

// The entropies are compared with those of a plain pass, which computes them independently; the
// rest with statistics of whole components.
TEST_P(DecomposedTest, FiguresAreThoseOfADirectComputation)
{
    DeepObserver observer;
    continued(true, &observer);
    const auto direct = m_engine->forward(kPrompt);
    ASSERT_TRUE(direct);
    for (std::size_t layer = 0; layer < direct->attention_entropy_last.size(); ++layer) {
        const auto index = static_cast<int>(layer);
        if (!attends(index)) {
            EXPECT_TRUE(direct->attention_entropy_last[layer].empty());
            continue;
        }
        const auto& softmax =
            observer.figures.at({index, Component::Attention, Operation::Softmax}).back();
        const auto& expected = direct->attention_entropy_last[layer];
        ASSERT_EQ(softmax.entropy.size(), expected.size());
        for (std::size_t head = 0; head < expected.size(); ++head) {
            EXPECT_NEAR(softmax.entropy[head], expected[head], 1e-4);
            EXPECT_GT(softmax.largest[head], 0.0F);
            EXPECT_LE(softmax.largest[head], 1.0F + 1e-5F);
            EXPECT_GE(softmax.sparsity[head], 0.0F);
            EXPECT_LT(softmax.sparsity[head], 1.0F);
        }
        ASSERT_TRUE(softmax.stats);
        const auto& largest = softmax.largest;
        EXPECT_EQ(softmax.stats->max_abs, *std::max_element(largest.begin(), largest.end()));
        EXPECT_NEAR(softmax.stats->sparsity, meanOf(softmax.sparsity), 1e-5);
        EXPECT_LT(softmax.stats->std, softmax.stats->max_abs);
        if (firstNorm() != Component::InputLayernorm)
            continue;
        // The input of a layer's first norm is the output of the previous layer.
        const auto& norm =
            observer.figures.at({index, Component::InputLayernorm, Operation::ScaleShift}).front();
        const auto input = std::find_if(
            direct->hidden.begin(), direct->hidden.end(), [&](const ForwardResult::Hidden& hidden) {
                return hidden.name
                    == (layer == 0 ? "embedding" : "layer " + std::to_string(layer - 1));
            });
        ASSERT_NE(input, direct->hidden.end());
        const double output = observer.stats.at({index, Component::InputLayernorm}).std;
        const double ratio = input->std * input->std / (output * output);
        EXPECT_NEAR(norm.variance_ratio, ratio, 1e-3 * ratio);
    }
}

class ExpertsTest : public DecomposedTest { };

// Every row goes to as many experts as the model says, and each of these occurs once.
TEST_P(ExpertsTest, ActiveExpertsAreListed)
{
    const int perToken = m_engine->facts().experts_per_token;
    DeepObserver observer;
    continued(true, &observer);
    const auto direct = m_engine->forward(kPrompt);
    ASSERT_TRUE(direct);
    int layers = 0;
    for (int layer = 0; layer < m_engine->facts().layers; ++layer) {
        const auto found = observer.figures.find({layer, Component::Experts, Operation::Expert});
        if (found == observer.figures.end())
            continue;
        ++layers;
        std::set<std::int32_t> experts;
        std::int32_t rows = 0;
        for (const DeepObserver::Figures& figures : found->second) {
            EXPECT_TRUE(experts.insert(figures.expert).second);
            EXPECT_GE(figures.expert, 0);
            EXPECT_LT(figures.expert, m_engine->facts().experts);
            rows += figures.rows;
            // The share equals the one that the forward pass itself records.
            const auto& gates = direct->experts[static_cast<std::size_t>(layer)].gates;
            const auto& gate = gates[static_cast<std::size_t>(figures.expert)];
            EXPECT_NEAR(figures.killed, gate.negative_fraction,
                        1.5 / static_cast<double>(gate.count));
        }
        EXPECT_EQ(rows, perToken * static_cast<std::int32_t>(kPrompt.size()));
        EXPECT_TRUE(observer.figures.contains({layer, Component::Router, Operation::RouterMatmul}));
    }
    EXPECT_GT(layers, 0);
}

std::vector<Variant> mixtures()
{
    std::vector<Variant> found;
    std::copy_if(test::familyVariants().begin(), test::familyVariants().end(),
                 std::back_inserter(found), [](const Variant& variant) {
                     return std::string(variant.options).find("num_experts_per_tok")
                         != std::string::npos;
                 });
    return found;
}

INSTANTIATE_TEST_SUITE_P(Mixtures, ExpertsTest, testing::ValuesIn(mixtures()),
                         [](const auto& variant) { return std::string(variant.param.name); });

INSTANTIATE_TEST_SUITE_P(Variants, DecomposedTest, testing::ValuesIn(test::familyVariants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

// Statistics fetched once per step equal statistics computed immediately.
TEST(DeferredStatsTest, ComeInTheirOrder)
{
    const c10::InferenceMode noGradients;
    AtenOps ops(at::kCPU, at::kFloat, true);
    std::vector<ActivationStats> expected;
    for (const std::int64_t rows : {1, 5, 70}) {
        Matrix matrix;
        matrix.tensor = at::randn({rows, 17}, at::kFloat) + 0.2;
        matrix.rows = rows;
        matrix.columns = 17;
        expected.push_back(ops.stats(matrix, 0.3F));
        EXPECT_TRUE(ops.deferStats(matrix, 0.3F));
    }
    std::vector<ActivationStats> stats;
    ops.takeDeferred(stats);
    ASSERT_EQ(stats.size(), expected.size());
    for (std::size_t i = 0; i < stats.size(); ++i) {
        EXPECT_NEAR(stats[i].mean_abs, expected[i].mean_abs, 1e-5);
        EXPECT_NEAR(stats[i].std, expected[i].std, 1e-5);
        EXPECT_NEAR(stats[i].max_abs, expected[i].max_abs, 1e-6);
        EXPECT_NEAR(stats[i].sparsity, expected[i].sparsity, 1e-6);
    }
    ops.takeDeferred(stats);
    EXPECT_TRUE(stats.empty());
}

// A prompt so long that its scores are computed in several blocks.
TEST(ScoreBlocksTest, ALongPromptIsAttendedInBlocks)
{
    const test::TempFolder folder;
    test::writeTinyModel(folder.path(),
                         {.layers = 1, .heads = 16, .kv_heads = 4, .max_positions = 1024});
    const auto library = makeEngineLibrary();
    const auto engine = library->load({.folder = folder.path(), .device = "cpu"}, {}, {});
    ASSERT_TRUE(engine);
    std::vector<text::TokenId> prompt;
    for (int i = 0; i < 600; ++i)
        prompt.push_back((i * 31) % 256);
    const auto first = [&](bool decomposed, Observer* observer) {
        const auto generation = (*engine)->begin(
            {.prompts = {prompt}, .max_new_tokens = 1, .decomposed = decomposed}, observer, {});
        EXPECT_TRUE(generation);
        const auto step = (*generation)->prefill();
        EXPECT_TRUE(step);
        return step->sequences.front();
    };
    DeepObserver observer;
    observer.allRows = false;
    const SequenceStep apart = first(true, &observer);
    const SequenceStep whole = first(false, nullptr);
    EXPECT_EQ(apart.token, whole.token);
    EXPECT_NEAR(apart.probability, whole.probability, 1e-5);
    const auto& blocks = observer.figures.at({0, Component::Attention, Operation::Softmax});
    EXPECT_GT(blocks.size(), 1U);
    EXPECT_EQ(blocks.back().entropy.size(), 16U);
    EXPECT_TRUE(blocks.front().entropy.empty()); // the last row is in the last block
}

} // namespace
} // namespace ep::model
