// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_facts.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include "ep/model/library.h"
#include "ep/model/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <utility>

namespace ep::model {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

TEST(LibraryTest, FindsModelsAndSaysWhyOthersCannotRun)
{
    const test::TempFolder root;
    test::writeTinyModel(root / "good");
    test::writeTinyModel(root / "hub/models--someone--small/snapshots/0123abcd");
    test::writeTinyModel(root / "weightless");
    fs::remove(root / "weightless" / "model.safetensors");
    test::writeText(root / "other" / "config.json", R"({"architectures": ["BertModel"]})");
    test::writeText(root / "broken" / "config.json", "{");
    test::writeText(root / "no-model" / "notes.txt", "x");
    test::writeTinyModel(root / "a/b/c/d/e"); // deeper than anyone would keep models

    const std::array folders{root.path(), root / "missing", root / "good"};
    const auto found = discoverModels(folders);
    ASSERT_EQ(found.size(), 5U);

    EXPECT_EQ(found[0].name, "broken");
    EXPECT_THAT(found[0].problem, HasSubstr("not valid JSON"));
    EXPECT_EQ(found[1].name, "good");
    EXPECT_EQ(found[1].path, root / "good");
    EXPECT_EQ(found[1].architecture, "LlamaForCausalLM");
    EXPECT_TRUE(found[1].supported);
    EXPECT_EQ(found[1].problem, "");
    EXPECT_EQ(found[1].weight_bytes,
              static_cast<std::int64_t>(fs::file_size(root / "good" / "model.safetensors")));
    EXPECT_EQ(found[2].name, "other");
    EXPECT_EQ(found[2].architecture, "BertModel");
    EXPECT_FALSE(found[2].supported);
    EXPECT_EQ(found[3].name, "someone/small");
    EXPECT_TRUE(found[3].supported);
    EXPECT_EQ(found[4].name, "weightless");
    EXPECT_THAT(found[4].problem, HasSubstr("no safetensors files"));
}

TEST(LibraryTest, WeightsThatGitLfsHasNotFetchedAreSaid)
{
    const test::TempFolder root;
    test::writeTinyModel(root / "model");
    test::writeText(root / "model" / "model.safetensors",
                    "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n");
    const auto found = discoverModels(std::array{root.path()});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_FALSE(found[0].supported);
    EXPECT_THAT(found[0].problem, HasSubstr("run \"git lfs pull\" in its folder"));
}

// Whatever a library throws while it reads one model, the others are listed.
TEST(LibraryTest, AReaderThatThrowsIsOneEntry)
{
    const test::TempFolder root;
    for (const char* name : {"a", "b", "c", "d"})
        test::writeTinyModel(root / name);
    const std::array folders{root.path()};
    const auto found = discoverModels(folders, [](const fs::path& model, ModelListing& listing) {
        listing.architecture = "known";
        if (model.filename() == "b")
            throw std::bad_alloc();
        if (model.filename() == "c")
            throw std::out_of_range("at 7");
        return Status();
    });
    ASSERT_EQ(found.size(), 4U);
    for (const auto& [index, problem] :
         {std::pair{0, ""}, std::pair{1, "There is not enough memory to read the model"},
          std::pair{2, "could not be read (at 7)"}, std::pair{3, ""}}) {
        const ModelListing& listing = found[static_cast<std::size_t>(index)];
        EXPECT_EQ(listing.supported, *problem == '\0') << listing.name;
        EXPECT_THAT(listing.problem.english(), HasSubstr(problem));
        EXPECT_EQ(listing.architecture, "known");
    }
}

TEST(LibraryTest, ALinkInACircleEnds)
{
    const test::TempFolder root;
    test::writeTinyModel(root / "model");
    fs::create_directory_symlink(root.path(), root / "loop");
    EXPECT_EQ(discoverModels(std::array{root.path()}).size(), 1U);
}

TEST(LibraryTest, CacheFolderFollowsTheEnvironment)
{
    ASSERT_EQ(setenv("HF_HUB_CACHE", "/x/cache", 1), 0);
    EXPECT_EQ(huggingFaceCache(), fs::path("/x/cache"));
    unsetenv("HF_HUB_CACHE");
    ASSERT_EQ(setenv("HF_HOME", "/x/home", 1), 0);
    EXPECT_EQ(huggingFaceCache(), fs::path("/x/home/hub"));
    unsetenv("HF_HOME");
    EXPECT_EQ(huggingFaceCache(), fs::path(std::getenv("HOME")) / ".cache/huggingface/hub");
}

TEST(ModelFactsTest, NamesComeFromTheFolder)
{
    EXPECT_EQ(modelName("/models/llama"), "llama");
    EXPECT_EQ(modelName("/models/llama/"), "llama");
    EXPECT_EQ(modelName("/c/models--meta--Llama-3/snapshots/abc"), "meta/Llama-3");
    EXPECT_EQ(modelName("/c/models--gpt2/snapshots/abc"), "gpt2");
}

ModelConfig llama7b()
{
    ModelConfig config;
    config.architecture = "LlamaForCausalLM";
    config.hidden_size = 4096;
    config.intermediate_size = 11008;
    config.num_hidden_layers = 32;
    config.num_attention_heads = 32;
    config.num_key_value_heads = 32;
    config.head_dim = 128;
    config.vocab_size = 32000;
    config.max_position_embeddings = 4096;
    return config;
}

// Llama 2 7B by hand: 2 x 32000 x 4096 for embeddings, 32 x (4 x 4096^2 + 3 x 4096 x 11008 + 2 x
// 4096), and 4096 for the last norm.
TEST(ModelFactsTest, CountsTheParametersOfLlama2)
{
    ModelConfig config = llama7b();
    EXPECT_EQ(parameterCount(config), 6'738'415'616);
    config.tie_word_embeddings = true;
    EXPECT_EQ(parameterCount(config), 6'738'415'616 - 32000 * 4096);
}

ComputedModel computed(DType dtype)
{
    ComputedModel model;
    model.config = llama7b();
    model.sizes = numberSizes(dtype, DType::BF16, false);
    model.weight_bytes = 7'000'000'000;
    return model;
}

TEST(MemoryTest, NeedOfAWellKnownModel)
{
    // 2 x 32 x 4096 x 4 bytes of cache per position.
    const GenerationPlan plan{.sequences = 2, .prompt_positions = 200, .new_positions = 800};
    const MemoryNeed bf16 = memoryNeed(computed(DType::BF16), plan);
    EXPECT_EQ(bf16.weights, 7'000'000'000);
    EXPECT_EQ(bf16.cache, 1000LL * 2 * 32 * 4096 * 4);
    // 200 rows of 6 + 2 + 2 matrices with 4096 numbers and 3 with 11008, and two rows of logits.
    EXPECT_EQ(bf16.workspace, 4LL * (200 * (10 * 4096 + 3 * 11008) + 2 * 32000));
    EXPECT_EQ(bf16.total(), bf16.weights + bf16.cache + bf16.workspace);

    EXPECT_EQ(memoryNeed(computed(DType::Int8), plan).cache, bf16.cache);

    // The context limits how much a sequence can store.
    const MemoryNeed bounded =
        memoryNeed(computed(DType::F32), {.sequences = 2, .new_positions = 1'000'000});
    EXPECT_EQ(bounded.cache, 2 * 4096LL * 2 * 32 * 4096 * 4);
}

TEST(MemoryTest, SaysBothFigures)
{
    const MemoryNeed need{
        .weights = 13'500'000'000, .cache = 1'300'000'000, .workspace = 100'000'000};
    EXPECT_TRUE(checkMemory(need, 14'900'000'000, "llama"));
    EXPECT_TRUE(checkMemory(need, std::nullopt, "llama"));
    const Status refused = checkMemory(need, 11'200'000'000, "llama");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("llama needs 14.9 GB"));
    EXPECT_THAT(refused.error().message, HasSubstr("11.2 GB free"));
    EXPECT_THAT(refused.error().message, HasSubstr("or try anyway"));
}

TEST(MemoryTest, ReadsMeminfo)
{
    EXPECT_EQ(availableFromMeminfo("MemTotal:       24000000 kB\nMemFree:  1 kB\n"
                                   "MemAvailable:   22544204 kB\nBuffers: 3 kB\n"),
              22544204LL * 1024);
    EXPECT_EQ(availableFromMeminfo("MemAvailable:\t0 kB\n"), 0);
    for (const char* const text : {"", "MemTotal: 1 kB", "MemAvailable:", "MemAvailable: kB",
                                   "MemAvailable: -4 kB", "MemAvailable: 99999999999999999999 kB"})
        EXPECT_FALSE(availableFromMeminfo(text).has_value()) << text;
}

} // namespace
} // namespace ep::model
