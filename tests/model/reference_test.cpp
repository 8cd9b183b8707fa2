// SPDX-License-Identifier: GPL-3.0-or-later
#include "deep_observer.h"
#include "engine_fixture.h"
#include "families/family.h"
#include "gguf_of_folder.h"
#include "reference_models.h"
#include "support/folders.h"
#include "support/temp_folder.h"

#include "ep/model/config.h"
#include "ep/model/engine_library.h"
#include "ep/model/perplexity.h"
#include "ep/model/verify.h"
#include "ep/text/tokenizer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

// Every model folder of EP_REFERENCE_DIR that has a golden.json, made with HuggingFace's own
// implementation. Registered by CMake only where the folder exists.
namespace ep::model {
namespace {

namespace fs = std::filesystem;

nlohmann::json configOf(const std::string& model)
{
    return nlohmann::json::parse(
        std::ifstream(fs::path(test::referencePath()) / model / "config.json"));
}

class ReferenceTest : public testing::TestWithParam<std::string> {
protected:
    // The folder also has families that this program does not support yet.
    void SetUp() override
    {
        const auto name = configOf(GetParam()).at("architectures").at(0).get<std::string>();
        const auto& known = supportedArchitectures();
        if (std::find(known.begin(), known.end(), name) == known.end())
            GTEST_SKIP() << name << " is not supported";
    }
};

void expectGolden(const fs::path& model, const fs::path& golden)
{
    const auto library = makeEngineLibrary();
    auto engine = library->load({.folder = model, .device = "cpu"}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    const auto tokenizer = text::Tokenizer::load(model);
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    const auto report = verifyAgainst(**engine, tokenizer->get(), golden, {});
    ASSERT_TRUE(report) << report.error().message;
    for (const VerifyCheck& check : report->checks)
        EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
    EXPECT_GE(report->checks.size(), 8U);
    EXPECT_EQ(report->greedy_matches, 16);
}

TEST_P(ReferenceTest, NumbersAreThoseOfHuggingFace)
{
    const fs::path folder = test::referencePath(GetParam());
    expectGolden(folder, folder / "golden.json");
}

// Model and tokenizer as GGUF yield all numbers of the golden file, and the ids of its texts.
TEST_P(ReferenceTest, NumbersOfGgufAreThoseOfHuggingFace)
{
    const fs::path folder = test::referencePath(GetParam());
    if (const auto config = readModelConfig(folder);
        config && config->packed.method != PackedMethod::None)
        GTEST_SKIP() << "only plain numbers are written as GGUF here";
    if (const auto config = configOf(GetParam());
        config.contains("rope_parameters") && config["rope_parameters"].contains("full_attention"))
        GTEST_SKIP() << "settings of positions by layer type are not written as GGUF here";
    if (!test::ggufKnows(configOf(GetParam()).at("architectures").at(0)))
        GTEST_SKIP() << "the conversion to GGUF of these tests does not know the architecture";
    const test::TempFolder scratch;
    const fs::path file = scratch / "model.gguf";
    test::ggufOf(folder).write(file);
    expectGolden(file, folder / "golden.json");
}

// Models in other formats than plain numbers, each in its own folder: GGUF files, and what MLX
// wrote in each of its modes.
std::vector<std::string> formatModels()
{
    std::vector<std::string> names;
    std::error_code ignored;
    for (const char* const format : {"mlx", "gguf"}) {
        for (const fs::directory_entry& entry :
             fs::directory_iterator(fs::path(test::referencePath()) / format, ignored)) {
            if (fs::exists(entry.path() / "golden.json"))
                names.push_back(std::string(format) + "/" + entry.path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

class FormatReferenceTest : public testing::TestWithParam<std::string> { };

// Checks each model both in the stored format and dequantized on loading.
TEST_P(FormatReferenceTest, NumbersAreThoseOfTheDequantizedModel)
{
    const fs::path folder = test::referencePath(GetParam());
    const fs::path file = folder / "model.gguf";
    for (const char* const dtype : {"auto", "f32"}) {
        const auto library = makeEngineLibrary();
        auto engine = library->load(
            {.folder = fs::exists(file) ? file : folder, .device = "cpu", .dtype = dtype}, {}, {});
        ASSERT_TRUE(engine) << engine.error().message;
        const auto report = verifyAgainst(**engine, nullptr, folder / "golden.json", {});
        ASSERT_TRUE(report) << report.error().message;
        for (const VerifyCheck& check : report->checks)
            EXPECT_TRUE(check.passed) << dtype << ", " << check.name << ": " << check.detail;
        EXPECT_EQ(report->greedy_matches, 16) << dtype;
        EXPECT_TRUE((*engine)->notes().empty() || std::string_view(dtype) == "f32");
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, FormatReferenceTest, testing::ValuesIn(formatModels()), testName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FormatReferenceTest);

// The sum over an independent list of scored positions, from the same logits in long double.
TEST_P(ReferenceTest, PerplexityIsThatOfTheLogits)
{
    const fs::path folder = test::referencePath(GetParam());
    const auto library = makeEngineLibrary();
    auto engine = library->load({.folder = folder, .device = "cpu", .dtype = "f32"}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    nlohmann::json golden;
    std::ifstream(folder / "golden.json") >> golden;
    const auto ids = golden.at("input_ids").get<std::vector<text::TokenId>>();
    const auto nll = [](const float* row, int width, text::TokenId id) {
        long double sum = 0.0L;
        for (int i = 0; i < width; ++i)
            sum += std::exp(static_cast<long double>(row[i]));
        return std::log(sum) - static_cast<long double>(row[id]);
    };
    struct Case {
        std::int64_t context, stride;
        std::vector<std::pair<int, int>> scored; // begin of the window, token
    };
    std::vector<Case> cases(3);
    cases[0] = {.context = 24, .stride = 24, .scored = {}};
    cases[1] = {.context = 10, .stride = 4, .scored = {}}; // 0-9, 4-13, 8-17, 12-21, 16-23
    cases[2] = {.context = 8, .stride = 8, .scored = {}}; // three windows that do not overlap
    for (int token = 1; token < 24; ++token) {
        cases[0].scored.emplace_back(0, token);
        cases[1].scored.emplace_back(token < 10 ? 0 : (token - 10) / 4 * 4 + 4, token);
        if (token % 8 != 0)
            cases[2].scored.emplace_back(token / 8 * 8, token);
    }
    for (const Case& c : cases) {
        const auto found = measurePerplexity(
            **engine, nullptr, {.ids = ids, .context = c.context, .stride = c.stride}, {}, {});
        ASSERT_TRUE(found) << found.error().message;
        long double sum = 0.0L;
        for (const auto& [begin, token] : c.scored) {
            const auto size = std::min<std::int64_t>(c.context, 24 - begin);
            const auto pass = (*engine)->forward(std::span(ids).subspan(
                static_cast<std::size_t>(begin), static_cast<std::size_t>(size)));
            ASSERT_TRUE(pass);
            sum += nll(pass->logits.data()
                           + static_cast<std::ptrdiff_t>(token - 1 - begin) * pass->vocabulary,
                       pass->vocabulary, ids[static_cast<std::size_t>(token)]);
        }
        const auto expected = std::exp(sum / static_cast<long double>(c.scored.size()));
        EXPECT_EQ(found->scored, static_cast<std::int64_t>(c.scored.size()));
        const double error =
            static_cast<double>(std::abs(found->perplexity() - expected) / expected);
        EXPECT_LT(error, 1e-6) << c.context << ", " << c.stride;
        RecordProperty("relative_error_" + std::to_string(c.context), std::to_string(error));
        EXPECT_FALSE(found->kl);
    }
    // The logits of HuggingFace's own implementation for one position.
    const auto row = golden.at("logits_position").get<std::vector<float>>();
    const auto at = golden.at("position").get<std::size_t>();
    const auto whole = (*engine)->forward(ids);
    ASSERT_TRUE(whole);
    EXPECT_NEAR(negativeLogLikelihood(row, ids[at + 1]),
                negativeLogLikelihood(std::span(whole->logits)
                                          .subspan(at * static_cast<std::size_t>(whole->vocabulary),
                                                   static_cast<std::size_t>(whole->vocabulary)),
                                      ids[at + 1]),
                1e-3);
    // The model compared with itself.
    const auto same =
        measurePerplexity(**engine, engine->get(), {.ids = ids, .context = 24}, {}, {});
    ASSERT_TRUE(same);
    EXPECT_EQ(*same->kl, 0.0);
    EXPECT_EQ(*same->top1, 1.0);
}

// A batch of four prompts with different lengths continues like four separate runs.
TEST_P(ReferenceTest, BatchContinuesAsSingleRunsDo)
{
    const auto library = makeEngineLibrary();
    auto engine = library->load(
        {.folder = test::referencePath(GetParam()), .device = "cpu", .dtype = "f32"}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    std::vector<std::vector<text::TokenId>> prompts;
    for (const int length : {7, 1, 40, 12}) { // 40: longer than the windows
        std::vector<text::TokenId>& prompt = prompts.emplace_back();
        for (int i = 0; i < length; ++i)
            prompt.push_back((i * 29 + 3 * length) % (*engine)->facts().vocabulary_size);
    }
    const auto continued = [&](const std::vector<std::vector<text::TokenId>>& batch) {
        return EngineFixture::generateTokens(**engine, {.prompts = batch, .max_new_tokens = 16});
    };
    const auto together = continued(prompts);
    for (std::size_t i = 0; i < prompts.size(); ++i)
        EXPECT_EQ(together[i], continued({prompts[i]}).front()) << "prompt " << i;
}

double number(const nlohmann::json& json, const char* key)
{
    return json.at(key).get<double>();
}

// Depth `deep`: figures of single operations, and the same text.
TEST_P(ReferenceTest, OperationsAgree)
{
    const fs::path folder = test::referencePath(GetParam());
    std::ifstream file(folder / "golden.json");
    const auto golden = nlohmann::json::parse(file);
    const auto library = makeEngineLibrary();
    auto engine = library->load({.folder = folder, .device = "cpu", .dtype = "f32"}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    test::DeepObserver observer;
    const auto ids = golden.at("input_ids").get<std::vector<text::TokenId>>();
    const auto continued = EngineFixture::generateTokens(
        **engine, {.prompts = {ids}, .max_new_tokens = 16, .decomposed = true}, &observer);
    EXPECT_EQ(continued.front(), golden.at("greedy_new_ids").get<std::vector<text::TokenId>>());

    const auto& entropies = golden.at("attention_entropy_last");
    const auto& hidden = golden.at("hidden_states");
    for (std::size_t layer = 0; layer < entropies.size(); ++layer) {
        const auto index = static_cast<int>(layer);
        SCOPED_TRACE("layer " + std::to_string(layer));
        // A layer without attention has no softmax, and one with experts has no MLP.
        const auto found = observer.figures.find({index, Component::Attention, Operation::Softmax});
        ASSERT_EQ(found == observer.figures.end(), entropies[layer].is_null());
        if (!entropies[layer].is_null()) {
            const auto expected = entropies[layer].get<std::vector<double>>();
            const auto& softmax = found->second.front();
            ASSERT_EQ(softmax.entropy.size(), expected.size());
            for (std::size_t head = 0; head < expected.size(); ++head)
                EXPECT_NEAR(softmax.entropy[head], expected[head], 1e-3) << "head " << head;
        }

        const auto activation =
            observer.figures.find({index, Component::Activation, Operation::Activation});
        const auto& negative = golden.at("mlp_gate_negative_fraction").at(layer);
        if (activation != observer.figures.end() && negative.is_number()) {
            EXPECT_NEAR(activation->second.front().killed, negative.get<double>(), 1e-3);
        }

        const double before =
            number(layer == 0 ? hidden.at("embedding") : hidden.at("layers").at(layer - 1), "std");
        const auto& modules = golden.at("module_output_stats").at(layer);
        const char* const first = modules.contains("operator_norm") ? "operator_norm" // LFM2
            : modules.contains("norm")                              ? "norm" // Nemotron-H
                                                                    : "input_layernorm";
        if (!modules.contains(first))
            continue; // has norms after attention and MLP only
        const double after = number(modules.at(first), "std");
        const double ratio = before * before / (after * after);
        const auto& norm =
            observer.figures.at({index, Component::InputLayernorm, Operation::ScaleShift}).front();
        EXPECT_NEAR(norm.variance_ratio, ratio, 1e-3 * std::max(1.0, ratio));
    }
}

INSTANTIATE_TEST_SUITE_P(Models, ReferenceTest, testing::ValuesIn(referenceModels()), testName);

} // namespace
} // namespace ep::model
