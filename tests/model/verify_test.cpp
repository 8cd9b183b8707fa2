// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"
#include "family_variants.h"
#include "naive_decoder.h"
#include "random_checkpoint.h"
#include "support/safetensors_writer.h"

#include "ep/model/verify.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

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

// References with the routers' choices and the number of negative inputs of the experts'
// activation functions, as the naive decoder finds them.

double negativeShare(const test::NaiveRow& values)
{
    const auto negative =
        std::count_if(values.begin(), values.end(), [](double value) { return value < 0.0; });
    return static_cast<double>(negative) / static_cast<double>(values.size());
}

// How a reference may describe one layer.
struct Format {
    const char* name;
    std::function<Json(const test::NaiveExperts&)> choices;
    std::function<Json(const test::NaiveExperts&)> gates;
    bool sparse_layers_only = false;
};

Json byNumber(const test::NaiveExperts& layer)
{
    Json shares;
    for (const auto& [expert, values] : layer.gates)
        shares[expert < 0 ? "shared" : std::to_string(expert)] = negativeShare(values);
    return shares;
}

Json listed(const test::NaiveExperts& layer)
{
    Json shares = Json::array();
    for (const auto& [expert, values] : layer.gates) {
        while (expert > static_cast<int>(shares.size()))
            shares.push_back(nullptr);
        if (expert >= 0)
            shares.push_back(negativeShare(values));
    }
    return shares;
}

Json together(const test::NaiveExperts& layer)
{
    test::NaiveRow all;
    for (const auto& [expert, values] : layer.gates) {
        if (expert >= 0)
            all.insert(all.end(), values.begin(), values.end());
    }
    return negativeShare(all);
}

const std::vector<Format> kFormats{
    {"by number", [](const auto& layer) { return Json(layer.chosen); }, byNumber},
    {"as lists, in another order",
     [](const auto& layer) {
         auto chosen = layer.chosen;
         for (std::vector<int>& one : chosen)
             std::sort(one.begin(), one.end());
         return Json(chosen);
     },
     listed},
    {"of the last position, in sum, without dense layers",
     [](const auto& layer) { return Json(layer.chosen.back()); }, together, true},
};

class VerifyExpertsTest : public EngineFixture, public testing::WithParamInterface<test::Variant> {
protected:
    void SetUp() override
    {
        m_config = test::baseConfig(GetParam());
        const test::NaiveWeights weights = test::randomWeights(m_config, 5);
        test::writeCheckpoint(folder(), m_config, weights);
        m_engine = load();
        ASSERT_TRUE(m_engine);
        test::naiveLogits(m_config, weights, m_ids, &m_experts);
        ASSERT_FALSE(m_experts.empty());
    }

    Json referenceIn(const Format& format) const
    {
        Json reference{{"input_ids", m_ids}};
        Json& choices = reference["router_choices"] = Json::array();
        Json& gates = reference["expert_gate_negative_fraction"] = Json::array();
        for (int layer = 0; layer < m_config["num_hidden_layers"]; ++layer) {
            const auto found = m_experts.find(layer);
            if (found == m_experts.end() && format.sparse_layers_only)
                continue;
            choices.push_back(found == m_experts.end() ? Json() : format.choices(found->second));
            gates.push_back(found == m_experts.end() ? Json() : format.gates(found->second));
        }
        return reference;
    }

    VerifyReport verify(const Json& reference)
    {
        test::writeText(folder() / "golden.json", reference.dump());
        auto report = verifyAgainst(*m_engine, nullptr, folder() / "golden.json", {});
        if (report)
            return *report;
        ADD_FAILURE() << report.error().message;
        return {};
    }

    // The first layer in the reference that has experts.
    std::size_t sparseLayer() const { return static_cast<std::size_t>(m_experts.begin()->first); }

    const std::vector<text::TokenId> m_ids{3, 14, 15, 9, 26, 53, 58, 1, 7, 40};
    Json m_config;
    std::unique_ptr<Engine> m_engine;
    std::map<int, test::NaiveExperts> m_experts;
};

TEST_P(VerifyExpertsTest, AgreesWithTheNaiveDecoderInEveryFormat)
{
    for (const Format& format : kFormats) {
        SCOPED_TRACE(format.name);
        const VerifyReport report = verify(referenceIn(format));
        ASSERT_EQ(report.checks.size(), 2U);
        EXPECT_TRUE(report.passed()) << report.checks[0].detail << "; " << report.checks[1].detail;
        EXPECT_EQ(report.checks[0].name, "choices of the routers");
        EXPECT_EQ(report.checks[1].name, "activation inputs of experts below zero");
    }
}

TEST_P(VerifyExpertsTest, AnotherChoiceFails)
{
    Json reference = referenceIn(kFormats[0]);
    Json& chosen = reference["router_choices"][sparseLayer()][4];
    const std::vector<int> before = chosen;
    int other = 0;
    while (std::find(before.begin(), before.end(), other) != before.end())
        ++other;
    chosen.back() = other;
    const VerifyReport report = verify(reference);
    EXPECT_FALSE(report.checks[0].passed);
    EXPECT_THAT(report.checks[0].detail,
                HasSubstr("the first that differs in layer " + std::to_string(sparseLayer())
                          + " position 4"));
    EXPECT_TRUE(report.checks[1].passed);
}

TEST_P(VerifyExpertsTest, AnotherShareFails)
{
    for (const Format& format : kFormats) {
        SCOPED_TRACE(format.name);
        Json reference = referenceIn(format);
        Json& layer = reference["expert_gate_negative_fraction"]
                               [format.sparse_layers_only ? 0 : sparseLayer()];
        Json& share = layer.is_structured() ? *layer.begin() : layer;
        share = share.is_null() ? 0.5 : share.get<double>() + 0.15;
        const VerifyReport report = verify(reference);
        EXPECT_TRUE(report.checks[0].passed);
        EXPECT_FALSE(report.checks[1].passed) << report.checks[1].detail;
    }
}

TEST_P(VerifyExpertsTest, NumbersOfExpertsThatDoNotExistFail)
{
    for (const Json& wrong : {Json(99), Json(-1), Json("x"), Json(1.5)}) {
        Json reference = referenceIn(kFormats[0]);
        reference["router_choices"][sparseLayer()][0][0] = wrong;
        reference["expert_gate_negative_fraction"][sparseLayer()]["99"] = 0.5;
        const VerifyReport report = verify(reference);
        EXPECT_FALSE(report.checks[0].passed) << wrong;
        EXPECT_FALSE(report.checks[1].passed) << wrong;
    }
}

std::vector<test::Variant> mixturesToVerify()
{
    std::vector<test::Variant> found;
    for (const test::Variant& variant : test::familyVariants()) {
        if (std::string(variant.options).find("num_experts_per_tok") != std::string::npos)
            found.push_back(variant);
    }
    return found;
}

INSTANTIATE_TEST_SUITE_P(Mixtures, VerifyExpertsTest, testing::ValuesIn(mixturesToVerify()),
                         [](const auto& variant) { return std::string(variant.param.name); });

// A dense model has no routers to compare with a reference.
TEST_F(EngineFixture, ADenseModelDoesNotAgreeWithChoicesOfExperts)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    test::writeText(folder() / "golden.json",
                    R"({"input_ids": [1, 2], "router_choices": [[[0], [1]], [[0], [1]]]})");
    const auto report = verifyAgainst(*engine, nullptr, folder() / "golden.json", {});
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->checks.size(), 1U);
    EXPECT_THAT(report->checks[0].detail, HasSubstr("0 of "));
    EXPECT_FALSE(report->passed());
}

} // namespace
} // namespace ep::model
