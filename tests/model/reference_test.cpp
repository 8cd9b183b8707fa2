// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_library_impl.h"

#include "ep/model/engine_library.h"
#include "ep/model/tokenizer.h"
#include "ep/model/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

// Every model folder of EP_REFERENCE_DIR that has a golden.json, made with HuggingFace's own
// implementation. Registered by CMake only where the folder exists.
namespace ep::model {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> referenceModels()
{
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(EP_REFERENCE_DIR)) {
        if (fs::exists(entry.path() / "golden.json") && fs::exists(entry.path() / "config.json"))
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string testName(const testing::TestParamInfo<std::string>& info)
{
    std::string name = info.param;
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

class ReferenceTest : public testing::TestWithParam<std::string> { };

TEST_P(ReferenceTest, numbersAreThoseOfHuggingFace)
{
    const fs::path folder = fs::path(EP_REFERENCE_DIR) / GetParam();
    const auto library = makeEngineLibrary();
    auto engine = library->load({.folder = folder, .device = "cpu"}, {}, {});
    ASSERT_TRUE(engine) << engine.error().message;
    const auto tokenizer = Tokenizer::load(folder);
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    const auto report = verifyAgainst(**engine, tokenizer->get(), folder / "golden.json", {});
    ASSERT_TRUE(report) << report.error().message;
    for (const VerifyCheck& check : report->checks)
        EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
    EXPECT_GE(report->checks.size(), 8U);
    EXPECT_EQ(report->greedy_matches, 16);
}

// Four prompts at once, of different lengths, continue as four runs of one do.
TEST_P(ReferenceTest, batchContinuesAsSingleRunsDo)
{
    const auto library = makeEngineLibrary();
    auto engine = library->load(
        {.folder = fs::path(EP_REFERENCE_DIR) / GetParam(), .device = "cpu", .dtype = "f32"}, {},
        {});
    ASSERT_TRUE(engine) << engine.error().message;
    std::vector<std::vector<TokenId>> prompts;
    for (const int length : {7, 1, 40, 12}) { // 40: past the windows
        std::vector<TokenId>& prompt = prompts.emplace_back();
        for (int i = 0; i < length; ++i)
            prompt.push_back((i * 29 + 3 * length) % (*engine)->facts().vocabulary_size);
    }
    const auto continued = [&](const std::vector<std::vector<TokenId>>& batch) {
        std::vector<std::vector<TokenId>> texts(batch.size());
        auto generation = (*engine)->begin({.prompts = batch, .max_new_tokens = 16}, nullptr, {});
        EXPECT_TRUE(generation) << generation.error().message;
        auto step = (*generation)->prefill();
        while (step) {
            for (const SequenceStep& one : step->sequences)
                texts[static_cast<std::size_t>(one.sequence)].push_back(one.token);
            if (step->finished)
                break;
            step = (*generation)->decode();
        }
        EXPECT_TRUE(step) << step.error().message;
        return texts;
    };
    const auto together = continued(prompts);
    for (std::size_t i = 0; i < prompts.size(); ++i)
        EXPECT_EQ(together[i], continued({prompts[i]}).front()) << "prompt " << i;
}

INSTANTIATE_TEST_SUITE_P(Models, ReferenceTest, testing::ValuesIn(referenceModels()), testName);

} // namespace
} // namespace ep::model
