// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"
#include "support/safetensors_writer.h"

#include "ep/model/verify.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace ep::model {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

// A reference made with the engine itself must match; a modified one must not.
class VerifyTest : public EngineFixture {
protected:
    void SetUp() override
    {
        write();
        m_engine = load();
        ASSERT_TRUE(m_engine);
        const std::vector<text::TokenId> ids{256, 10, 20, 30};
        const auto forward = m_engine->forward(ids);
        ASSERT_TRUE(forward);
        const auto row = [&](std::ptrdiff_t position) {
            const auto first = forward->logits.begin() + position * forward->vocabulary;
            return std::vector<float>(first, first + forward->vocabulary);
        };
        m_reference["input_ids"] = ids;
        m_reference["logits_last"] = row(3);
        m_reference["position"] = 1;
        m_reference["logits_position"] = row(1);
        m_reference["greedy_new_ids"] =
            tokens(generate(*m_engine, {.prompts = {ids}, .max_new_tokens = 5}));
        m_reference["attention_entropy_last"] = forward->attention_entropy_last;
        m_reference["hidden_states"]["final_norm"] = {{"mean", forward->hidden.back().mean}};
    }

    Result<VerifyReport> verify()
    {
        test::writeText(folder() / "golden.json", m_reference.dump());
        return verifyAgainst(*m_engine, nullptr, folder() / "golden.json", {});
    }

    std::unique_ptr<Engine> m_engine;
    Json m_reference;
};

TEST_F(VerifyTest, PassesWhenEverythingAgrees)
{
    const auto report = verify();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->passed());
    EXPECT_EQ(report->checks.size(), 5U);
    EXPECT_LT(report->max_abs_logit_difference, 1e-5);
    EXPECT_EQ(report->greedy_matches, 5);
    EXPECT_EQ(report->lines().back(), "The model agrees with the reference.");
}

TEST_F(VerifyTest, NamesWhatDiffers)
{
    m_reference["logits_last"][7] = m_reference["logits_last"][7].get<double>() + 0.5;
    m_reference["attention_entropy_last"][1][2] = -1.0;
    m_reference["greedy_new_ids"][2] = m_reference["greedy_new_ids"][2].get<int>() ^ 1;
    const auto report = verify();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_FALSE(report->passed());
    EXPECT_NEAR(report->max_abs_logit_difference, 0.5, 1e-4);
    EXPECT_EQ(report->greedy_matches, 2);
    const auto lines = report->lines();
    EXPECT_THAT(lines[0], HasSubstr("FAILED  logits at the last position: largest difference 0.5"));
    EXPECT_THAT(lines[1], HasSubstr("ok      logits in the middle"));
    EXPECT_EQ(lines.back(), "3 of 5 checks failed.");
}

TEST_F(VerifyTest, DifferentVocabulariesAreNoCrash)
{
    m_reference["logits_last"] = {1.0, 2.0};
    m_reference["position"] = 1000;
    const auto report = verify();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(report->lines()[0], HasSubstr("the reference has 2 logits, the model 258"));
    EXPECT_THAT(report->lines()[1], HasSubstr("FAILED  logits in the middle"));
}

TEST_F(VerifyTest, AFileThatIsNoReferenceIsRefused)
{
    m_reference = {{"something", 3}};
    EXPECT_THAT(verify().error().message, HasSubstr("contains nothing to compare with"));
    m_reference = {{"text_cases", {3, "x"}}};
    EXPECT_THAT(verify().error().message, HasSubstr("golden.json"));
    EXPECT_EQ(verifyAgainst(*m_engine, nullptr, folder() / "none.json", {}).error().code,
              ErrorCode::NotFound);
}

} // namespace
} // namespace ep::model
