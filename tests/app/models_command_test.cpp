// SPDX-License-Identifier: GPL-3.0-or-later
// energy-profiler models, and the options of run that affect the generation.
#include "app/cli_fixture.h"
#include "support/tiny_model.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using ep::test::writeTinyModel;
using nlohmann::json;
using testing::HasSubstr;

class ModelsCommandTest : public CliTest { };

TEST_F(ModelsCommandTest, ListsWhatLiesInAFolder)
{
    const std::filesystem::path tiny = model();
    const std::filesystem::path odd = tiny.parent_path() / "odd";
    std::filesystem::create_directories(odd);
    std::ofstream(odd / "config.json") << R"({"architectures": ["MambaForCausalLM"]})";
    const Outcome outcome = run({"models", "list", "--models-dir", tiny.parent_path().string()});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr(tiny.filename().string()));
    EXPECT_THAT(outcome.out, HasSubstr("Cannot be loaded:\nodd: The architecture Mamba"));

    const Outcome asJson = run({"models", "list", "--json", "--models-dir", tiny.string()});
    EXPECT_EQ(asJson.status, 0);
    const json listing = json::parse(asJson.out).at("models");
    ASSERT_EQ(listing.size(), 1U);
    EXPECT_EQ(listing[0].at("architecture"), "LlamaForCausalLM");
    EXPECT_EQ(listing[0].at("supported"), true);
    EXPECT_GT(listing[0].at("parameters").get<int>(), 10'000);

    const Outcome nowhere = run({"models", "list", "--models-dir", "gone"});
    EXPECT_EQ(nowhere.status, 1);
    EXPECT_THAT(nowhere.err, HasSubstr("no folder gone"));
}

// JSON holds valid UTF-8 only, names of folders any bytes.
TEST_F(ModelsCommandTest, ListsFoldersWithAnyName)
{
    const std::filesystem::path odd = model().parent_path() / "names" / "a\xff";
    std::error_code problem;
    if (!std::filesystem::create_directories(odd, problem))
        GTEST_SKIP() << "no such names here";
    std::ofstream(odd / "config.json") << "{}";
    const Outcome listed =
        run({"models", "list", "--json", "--models-dir", odd.parent_path().string()});
    ASSERT_EQ(listed.status, 0) << listed.err;
    EXPECT_EQ(json::parse(listed.out).at("models").at(0).at("name"), "a\ufffd");
}

// The tiny model: 258 x 32 embedding, two layers with 4 heads of 8, 2 of them for keys and values,
// an MLP of 64, 65536 positions.
TEST_F(ModelsCommandTest, ShowsFactsAndCosts)
{
    const Outcome text = run({"models", "show", model().string()});
    EXPECT_EQ(text.status, 0);
    EXPECT_THAT(text.out, HasSubstr("GQA, 4 heads of 8, 2 of keys and values"));
    EXPECT_THAT(text.out, HasSubstr("decode/token"));

    const Outcome outcome = run({"models", "show", model().string(), "--json", "--dtype", "int8"});
    ASSERT_EQ(outcome.status, 0);
    const json facts = json::parse(outcome.out);
    EXPECT_EQ(facts.at("attention_kind"), "GQA");
    EXPECT_EQ(facts.at("dtype"), "int8");
    EXPECT_EQ(facts.at("stored_dtype"), "f32");
    EXPECT_EQ(facts.at("embedding_parameters"), 258 * 32);
    EXPECT_EQ(facts.at("kv_bytes_per_token"), 2 * 2 * 2 * 8 * 4);
    EXPECT_EQ(facts.at("fingerprint").get<std::string>().size(), 16U);
    const json& types = facts.at("computed_types"); // by the names of GGUF
    EXPECT_EQ(types.at("token_embd.weight"), "f32");
    EXPECT_EQ(types.at("blk.1.ffn_norm.weight"), "f32");
    EXPECT_EQ(types.at("blk.1.ffn_down.weight"), "int8");
    std::vector<int> contexts;
    for (const json& cost : facts.at("costs")) {
        contexts.push_back(cost.at("context").get<int>());
        EXPECT_GT(cost.at("decode_token").at("bytes").get<double>(), 0.0);
        double flops = cost.at("/decode_parts/embedding/flops"_json_pointer).get<double>()
            + cost.at("/decode_parts/final_norm/flops"_json_pointer).get<double>()
            + cost.at("/decode_parts/lm_head/flops"_json_pointer).get<double>();
        for (const json& component : cost.at("/decode_parts/components"_json_pointer))
            flops += component.at("flops").get<double>();
        EXPECT_DOUBLE_EQ(flops, cost.at("/decode_token/flops"_json_pointer).get<double>());
    }
    EXPECT_THAT(contexts, testing::ElementsAre(128, 512, 2048, 8192, 32768, 65536));
}

TEST_F(ModelsCommandTest, BatchOfSeveralPrompts)
{
    const Outcome outcome =
        run({"run", "--model", model().string(), "--prompt", "Once", "--prompt", "Twice upon",
             "--batch-size", "2", "--max-new-tokens", "3", "--power", "none", "--kv-cache",
             "static", "--no-save", "--json", "--full"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json info = json::parse(outcome.out).at("run").at("info");
    EXPECT_EQ(info.at("output_tokens"), 12);
    EXPECT_EQ(info.at("input_tokens"), 2 * (5 + 11));

    const Outcome human = run({"run", "--model", model().string(), "--prompt", "Once", "--prompt",
                               "Twice", "--max-new-tokens", "2", "--power", "none", "--no-save"});
    EXPECT_EQ(human.status, 0) << human.err;
    EXPECT_THAT(human.out, HasSubstr("\n[2] Twice"));
    EXPECT_THAT(human.out, HasSubstr("2 sequences, "));
}

TEST_F(ModelsCommandTest, SamplingOptionsReachTheRun)
{
    const Outcome outcome = run({"run",       "--model",       model().string(),
                                 "--prompt",  "Once",          "--max-new-tokens",
                                 "4",         "--temperature", "0.8",
                                 "--min-p",   "0.1",           "--repetition-penalty",
                                 "1.2",       "--stop",        "zzz",
                                 "--stop",    "yyy",           "--dtype",
                                 "int8",      "--power",       "none",
                                 "--no-save", "--json",        "--full"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json info = json::parse(outcome.out).at("run").at("info");
    EXPECT_EQ(info.at("dtype"), "int8");
    EXPECT_THAT(outcome.out, HasSubstr("zzz"));
    EXPECT_THAT(outcome.out, HasSubstr("int8 weights"));

    for (const std::vector<std::string>& bad : {std::vector<std::string>{"--min-p", "2"},
                                                {"--repetition-penalty", "0"},
                                                {"--batch-size", "0"},
                                                {"--kv-cache", "elastic"}}) {
        std::vector<std::string> arguments{"run", "--model", model().string(), "--prompt", "x"};
        arguments.insert(arguments.end(), bad.begin(), bad.end());
        EXPECT_EQ(run(arguments).status, 2) << bad[0];
    }
}

TEST_F(ModelsCommandTest, FullContextEndsTheRunWithANote)
{
    const std::filesystem::path shortSighted = folder() / "short";
    writeTinyModel(shortSighted, {.max_positions = 64});
    const Outcome outcome =
        run({"run", "--model", shortSighted.string(), "--prompt", std::string(58, 'x'),
             "--max-new-tokens", "64", "--power", "none", "--no-save"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("is full: the generation ended after 6 of 64 tokens"));
}

} // namespace
