// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace ep::model {
namespace {

using testing::ElementsAreArray;

std::string label(const Tap& tap)
{
    if (tap.level == SpanLevel::Section)
        return std::string(name(tap.section));
    const std::string layer = "layer " + std::to_string(tap.layer);
    return tap.level == SpanLevel::Layer ? layer : layer + " " + std::string(name(tap.component));
}

// Records every tap as "> name" and "< name", and checks that they are nested.
class Recorder final : public Observer {
public:
    bool wants(const Tap& tap) override { return wanted(tap); }
    void began(const Tap& tap) override
    {
        m_open.push_back(tap);
        events.push_back("> " + label(tap));
    }
    void ended(const Tap& tap, const TensorProbe* output) override
    {
        ASSERT_FALSE(m_open.empty());
        EXPECT_EQ(m_open.back(), tap) << label(tap);
        m_open.pop_back();
        events.push_back("< " + label(tap));
        if (output)
            stats[label(tap)] = {output->stats(0.01F), output->count()};
        else
            EXPECT_EQ(tap.level, SpanLevel::Section) << label(tap);
    }
    std::vector<std::string> take() { return std::exchange(events, {}); }

    std::function<bool(const Tap&)> wanted = [](const Tap&) { return true; };
    std::vector<std::string> events;
    std::map<std::string, std::pair<ActivationStats, std::int64_t>> stats;

private:
    std::vector<Tap> m_open;
};

std::vector<std::string> section(const std::string& word)
{
    return {"> " + word, "< " + word};
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more)
{
    list.insert(list.end(), more.begin(), more.end());
}

// One step of a Llama with two layers; each part of a layer has its own component.
std::vector<std::string> step(const std::vector<std::string>& tail)
{
    std::vector<std::string> events;
    append(events, section("embedding"));
    append(events, section("position_embedding"));
    events.emplace_back("> layers");
    for (const char* const layer : {"layer 0", "layer 1"}) {
        events.push_back(std::string("> ") + layer);
        for (const char* const component :
             {"input_layernorm", "q_proj", "k_proj", "v_proj", "kv_cache", "attention", "o_proj",
              "residual", "post_attention_layernorm", "gate_proj", "up_proj", "activation",
              "down_proj", "residual"})
            append(events, section(std::string(layer) + " " + component));
        events.push_back(std::string("< ") + layer);
    }
    events.emplace_back("< layers");
    append(events, section("final_norm"));
    append(events, section("lm_head"));
    for (const std::string& word : tail)
        append(events, section(word));
    return events;
}

class TapsTest : public EngineFixture { };

TEST_F(TapsTest, EveryPartOfAGenerationIsAnnounced)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    Recorder recorder;
    const auto generation =
        engine->begin({.prompts = {{256, 5, 6}}, .max_new_tokens = 2}, &recorder, {});
    ASSERT_TRUE(generation);
    EXPECT_THAT(recorder.take(),
                ElementsAreArray({"> tensor_transfer", "< tensor_transfer", "> kv_cache_init",
                                  "< kv_cache_init"}));
    ASSERT_TRUE((*generation)->prefill());
    EXPECT_THAT(recorder.take(), ElementsAreArray(step({"kv_cache_store", "sampling"})));
    EXPECT_EQ(recorder.stats.at("layer 0 q_proj").second, 3 * 32);
    EXPECT_EQ(recorder.stats.at("layer 1 k_proj").second, 3 * 16);
    EXPECT_EQ(recorder.stats.at("layer 1 activation").second, 3 * 64);
    EXPECT_EQ(recorder.stats.at("embedding").second, 3 * 32);
    EXPECT_EQ(recorder.stats.at("lm_head").second, 258); // only the last position
    ASSERT_TRUE((*generation)->decode());
    EXPECT_THAT(recorder.take(), ElementsAreArray(step({"sampling", "kv_cache_append"})));
    EXPECT_EQ(recorder.stats.at("layer 0 q_proj").second, 32);
    ASSERT_TRUE((*generation)->finish());
    EXPECT_THAT(recorder.take(),
                ElementsAreArray({"> tensor_transfer", "< tensor_transfer", "> memory_cleanup",
                                  "< memory_cleanup"}));
    for (const auto& [what, figures] : recorder.stats) {
        const ActivationStats& s = figures.first;
        EXPECT_TRUE(s.mean_abs > 0 && s.mean_abs <= s.max_abs && std::isfinite(s.std)) << what;
        EXPECT_TRUE(s.sparsity >= 0 && s.sparsity < 1) << what;
    }
}

TEST_F(TapsTest, WhatNobodyWantsIsNotAnnounced)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    Recorder recorder;
    recorder.wanted = [](const Tap& tap) {
        return tap.level == SpanLevel::Component && tap.component == Component::Attention
            && tap.layer == 1;
    };
    generate(*engine, {.prompts = {{256, 5}}, .max_new_tokens = 1}, &recorder);
    EXPECT_THAT(recorder.events, ElementsAreArray({"> layer 1 attention", "< layer 1 attention"}));
}

TEST_F(TapsTest, WatchingDoesNotChangeTheText)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    Recorder recorder;
    const GenerationRequest request{.prompts = {{256, 5, 9, 200}}, .max_new_tokens = 20};
    EXPECT_EQ(tokens(generate(*engine, request, &recorder)), tokens(generate(*engine, request)));
}

// The residual stream after the last layer, compared with the hidden states of a plain pass. 100
// rows: statistics use a sample of 32, so they only agree roughly.
TEST_F(TapsTest, StatisticsDescribeTheOutput)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    for (const int rows : {20, 100}) {
        std::vector<text::TokenId> prompt;
        for (int i = 0; i < rows; ++i)
            prompt.push_back((i * 31) % 256);
        Recorder recorder;
        generate(*engine, {.prompts = {prompt}, .max_new_tokens = 1}, &recorder);
        const auto whole = engine->forward(prompt);
        ASSERT_TRUE(whole);
        const ForwardResult::Hidden& hidden = whole->hidden[2];
        ASSERT_EQ(hidden.name, "layer 1");
        const ActivationStats stats = recorder.stats.at("layer 1").first;
        const double tolerance = rows <= 32 ? 1e-5 : 0.1 * hidden.std;
        EXPECT_NEAR(stats.mean_abs, hidden.abs_mean, tolerance);
        EXPECT_NEAR(stats.std, hidden.std, tolerance);
        EXPECT_GE(stats.max_abs, hidden.std);
    }
}

} // namespace
} // namespace ep::model
