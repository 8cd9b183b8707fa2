// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_library_impl.h"
#include "families/family.h"
#include "reference_models.h"
#include "support/folders.h"

#include "ep/model/engine_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Every model folder in EP_REFERENCE_DIR: with drafts and with a kept prompt, the answer equals
// that of HuggingFace's implementation, or a sentence says why not.
namespace ep::model {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<text::TokenId>;

class ReferenceLevers : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override
    {
        m_folder = test::referencePath(GetParam());
        const auto config = nlohmann::json::parse(std::ifstream(m_folder / "config.json"));
        const auto name = config.at("architectures").at(0).get<std::string>();
        const auto& known = supportedArchitectures();
        if (std::find(known.begin(), known.end(), name) == known.end())
            GTEST_SKIP() << name << " is not supported";
        auto engine = m_library->load({.folder = m_folder, .device = "cpu", .threads = 2}, {}, {});
        ASSERT_TRUE(engine) << engine.error().message;
        m_engine = std::move(*engine);
        const auto golden = nlohmann::json::parse(std::ifstream(m_folder / "golden.json"));
        m_prompt = golden.at("input_ids").get<Ids>();
        m_golden = golden.at("greedy_new_ids").get<Ids>();
    }

    Ids answer(const GenerationRequest& request, std::int64_t* cached = nullptr)
    {
        auto generation = m_engine->begin(request, nullptr, {});
        if (!generation) {
            ADD_FAILURE() << generation.error().message;
            return {};
        }
        if (cached)
            *cached = (*generation)->cachedTokens();
        Ids ids;
        for (auto step = (*generation)->prefill(); step; step = (*generation)->decode()) {
            for (const SequenceStep& one : step->sequences)
                ids.push_back(one.token);
            if (step->finished)
                break;
        }
        return ids;
    }

    fs::path m_folder;
    std::unique_ptr<EngineLibrary> m_library = makeEngineLibrary();
    std::unique_ptr<Engine> m_engine;
    Ids m_prompt;
    Ids m_golden;
};

TEST_P(ReferenceLevers, DraftsGiveTheGoldenAnswer)
{
    GenerationRequest request{.prompts = {m_prompt},
                              .max_new_tokens = static_cast<int>(m_golden.size()),
                              .past_context = true};
    for (const int tokens : {1, 3, 6}) {
        request.draft_tokens = tokens;
        for (Engine* const proposer : {static_cast<Engine*>(nullptr), m_engine.get()}) {
            request.draft_model = proposer;
            if (const std::string why = m_engine->whyNoDrafts().english(); !why.empty()) {
                const auto refused = m_engine->begin(request, nullptr, {});
                ASSERT_FALSE(refused);
                EXPECT_EQ(refused.error().message, why);
                continue;
            }
            EXPECT_EQ(answer(request), m_golden) << tokens;
        }
    }
}

TEST_P(ReferenceLevers, KeptPromptsGiveTheAnswerOfWholeOnes)
{
    GenerationRequest request{.max_new_tokens = 16, .past_context = true};
    Ids& prompt = request.prompts.emplace_back();
    while (prompt.size() < 100)
        prompt.insert(prompt.end(), m_prompt.begin(), m_prompt.end());
    const Ids whole = answer(request);
    request.prompt_cache = PromptCacheUse::ReadAndKeep;
    if (const std::string why = m_engine->whyNoPromptCache().english(); !why.empty()) {
        const auto refused = m_engine->begin(request, nullptr, {});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().message, why);
        return;
    }
    EXPECT_EQ(answer(request), whole);
    std::int64_t cached = 0;
    EXPECT_EQ(answer(request, &cached), whole);
    EXPECT_GE(cached, 96);
}

// The length of a prompt may determine how its positions are rotated.
TEST_P(ReferenceLevers, KeptPromptsOfOtherLengthsGiveTheAnswerOfWholeOnes)
{
    if (!m_engine->whyNoPromptCache().empty())
        GTEST_SKIP() << m_engine->whyNoPromptCache();
    Ids all;
    while (all.size() < 200)
        all.insert(all.end(), m_prompt.begin(), m_prompt.end());
    for (const auto& [kept, asked] : {std::pair<std::size_t, std::size_t>{200, 70}, {70, 200}}) {
        std::rotate(all.begin(), all.begin() + 3, all.end()); // a different text
        GenerationRequest request{.max_new_tokens = 12, .past_context = true};
        const auto first = [&](std::size_t length) {
            return Ids(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length));
        };
        request.prompts = {first(asked)};
        const Ids whole = answer(request);
        request.prompt_cache = PromptCacheUse::ReadAndKeep;
        request.prompts = {first(kept)};
        answer(request);
        request.prompts = {first(asked)};
        EXPECT_EQ(answer(request), whole) << asked << " after " << kept;
    }
}

// With q8_0 the text may differ, but most of it must not.
TEST_P(ReferenceLevers, BlocksGiveNearlyTheGoldenAnswer)
{
    GenerationRequest request{.prompts = {m_prompt},
                              .max_new_tokens = static_cast<int>(m_golden.size()),
                              .cache = CacheKind::Q8,
                              .past_context = true};
    if (const std::string why = m_engine->whyNotCached(CacheKind::Q8).english(); !why.empty()) {
        const auto refused = m_engine->begin(request, nullptr, {});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().message, why);
        return;
    }
    const Ids found = answer(request);
    ASSERT_EQ(found.size(), m_golden.size());
    EXPECT_EQ(found.front(), m_golden.front());
    if (!m_engine->whyNoDrafts().empty())
        return;
    request.draft_tokens = 4;
    EXPECT_EQ(answer(request), found);
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceLevers, testing::ValuesIn(referenceModels()), testName);

} // namespace
} // namespace ep::model
