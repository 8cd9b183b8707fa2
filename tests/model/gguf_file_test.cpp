// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint.h"
#include "gguf/gguf_file.h"
#include "model_facts.h"
#include "support/gguf_writer.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

#include "ep/json/gguf.h"
#include "ep/model/config.h"
#include "ep/model/library.h"
#include "ep/model/model_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace ep::model {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

std::vector<std::byte> zeros(std::size_t count)
{
    return std::vector<std::byte>(count);
}

test::GgufWriter smallLlama(const std::string& architecture = "llama")
{
    test::GgufWriter writer = test::smallGguf(architecture);
    writer.number(architecture + ".attention.head_count_kv", 2);
    return writer;
}

class GgufFileTest : public testing::Test {
protected:
    fs::path write(const test::GgufWriter& writer, const char* name = "m.gguf") const
    {
        writer.write(m_folder / name);
        return m_folder / name;
    }

    test::TempFolder m_folder;
};

TEST_F(GgufFileTest, SizesComeFromTheMetadata)
{
    auto writer = smallLlama();
    writer.real("llama.rope.freq_base", 500000.0F);
    writer.real("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    writer.number("tokenizer.ggml.eos_token_id", 2);
    writer.number("tokenizer.ggml.eot_token_id", 7);
    writer.number("tokenizer.ggml.bos_token_id", 1);
    const auto config = readModelConfig(write(writer));
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->architecture, "LlamaForCausalLM");
    EXPECT_EQ(config->hidden_size, 32);
    EXPECT_EQ(config->head_dim, 8);
    EXPECT_EQ(config->num_key_value_heads, 2);
    EXPECT_EQ(config->vocab_size, 10);
    EXPECT_EQ(config->max_position_embeddings, 128);
    EXPECT_EQ(config->rope.theta, 500000.0);
    EXPECT_TRUE(config->tie_word_embeddings); // output.weight is missing
    EXPECT_EQ(config->eos_token_ids, (std::vector<std::int32_t>{2, 7}));
    EXPECT_EQ(config->bos_token_id, 1);
}

TEST_F(GgufFileTest, SaysWhatIsWrong)
{
    const auto with = [](const std::function<void(test::GgufWriter&)>& change) {
        test::GgufWriter writer = smallLlama();
        change(writer);
        return writer;
    };
    const struct {
        test::GgufWriter writer;
        ErrorCode code;
        const char* problem;
    } kCases[] = {
        {smallLlama("mamba"), ErrorCode::Unsupported,
         "the architecture \"mamba\" is not supported in GGUF files; supported are llama, qwen2"},
        {smallLlama("mamba"), ErrorCode::Unsupported, "attach to the server that runs them"},
        {test::GgufWriter(), ErrorCode::InvalidInput, "general.architecture"},
        {with([](auto& w) { w.tensor("blk.0.x", 99, {32}, zeros(32)); }), ErrorCode::Unsupported,
         "the tensor blk.0.x has the type 99 of ggml"},
        {with([](auto& w) {
             w.tensor("x", 12, {128, 2}, zeros(144));
         }),
         ErrorCode::InvalidInput, "has rows of 128 values, which are no blocks of Q4_K"},
        {with([](auto& w) {
             w.tensor("x", 12, {256, 2}, zeros(287));
         }),
         ErrorCode::InvalidInput, "is beyond the end of the file, which is therefore incomplete"},
        {with([](auto& w) {
             w.tensor("x", 0, {1LL << 40, 1LL << 20}, zeros(4));
         }),
         ErrorCode::InvalidInput, "is beyond the end of the file"},
        {with([](auto& w) {
             w.tensor("x", 0, {16}, zeros(32)); // needs twice as many bytes
             w.tensor("y", 0, {8}, zeros(32));
         }),
         ErrorCode::InvalidInput, "two of its tensors overlap"},
        {with([](auto& w) { w.number("llama.attention.key_length", 0); }), ErrorCode::InvalidInput,
         "head_dim"},
        {with([](auto& w) { w.number("llama.attention.value_length", 4); }),
         ErrorCode::InvalidInput, "differs from the length of the keys"},
        {with([](auto& w) { w.number("llama.rope.dimension_count", 9); }), ErrorCode::InvalidInput,
         "is larger than a head"},
        {with([](auto& w) { w.text("llama.expert_count", "two"); }), ErrorCode::InvalidInput,
         "[\"llama.expert_count\"] must be a whole number"},
        {with([](auto& w) { w.tensor("token_embd.scale", 12, {256}, zeros(144)); }),
         ErrorCode::InvalidInput, "The packed tensor token_embd.scale (Q4_K)"},
        {with([](auto& w) {
             w.tensor("token_embd.scale", {3}, {1.0F, 1.0F, 1.0F});
         }),
         ErrorCode::InvalidInput, "has the shape 3, not a single number or 10"},
        {with([](auto& w) {
             w.tensor("blk.0.attn_norm.weight", {32}, std::vector<float>(32));
             w.tensor("blk.0.attn_norm.scale", {32}, std::vector<float>(32));
         }),
         ErrorCode::InvalidInput, "has the shape 32, not a single number"},
        {with([](auto& w) { w.tensor("rope_freqs.weight", 1, {4}, zeros(8)); }),
         ErrorCode::InvalidInput, "is a tensor of 4 numbers of F16, not of up to"},
        {with([](auto& w) { w.number("split.count", 2); }), ErrorCode::InvalidInput,
         "is a part of a split model, but its name does not end with \"-00001-of-00002.gguf\""},
    };
    for (const auto& c : kCases) {
        const auto config = readModelConfig(write(c.writer));
        ASSERT_FALSE(config) << c.problem;
        EXPECT_THAT(config.error().message, HasSubstr(c.problem));
        EXPECT_EQ(config.error().code, c.code) << c.problem;
    }
}

// A tensor may have any number of slices if it has no bytes.
TEST_F(GgufFileTest, AStackHasAsManyExpertsAsTheMetadataSays)
{
    test::GgufWriter writer = smallLlama();
    writer.number("llama.expert_count", 2);
    writer.number("llama.expert_used_count", 1);
    writer.tensor("blk.0.ffn_gate_exps.weight", 0, {0, 1, std::int64_t{1} << 50}, {});
    const auto files = openModel(write(writer));
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_LE((*files)->weights->entries().size(), 2U);
}

// Tensors for images, or from a later version.
TEST_F(GgufFileTest, TypesOfTensorsThatNothingReadsDoNotMatter)
{
    auto writer = smallLlama();
    writer.tensor("v.patch_embd.weight", 99, {32}, zeros(32));
    writer.tensor("output.weight", {32, 10}, std::vector<float>(320));
    const fs::path file = write(writer);
    const auto files = openModel(file);
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_EQ((*files)->weights->entries().size(), 2U);
}

TEST_F(GgufFileTest, PartsAreOneModel)
{
    auto first = smallLlama();
    first.number("split.no", 0);
    first.number("split.count", 2);
    test::GgufWriter second;
    second.number("split.no", 1);
    second.number("split.count", 2);
    second.tensor("output.weight", {32, 10}, std::vector<float>(320));
    const fs::path path = write(first, "m-00001-of-00002.gguf");
    EXPECT_THAT(readModelConfig(path).error().message,
                HasSubstr("m-00002-of-00002.gguf is missing"));
    write(second, "m-00002-of-00002.gguf");
    const auto files = openModel(path);
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_FALSE((*files)->config.tie_word_embeddings);
    EXPECT_EQ(modelName(path), "m");
    EXPECT_EQ((*files)->weights->entries().at("lm_head.weight").file, "m-00002-of-00002.gguf");
    EXPECT_THAT(readModelConfig(m_folder / "m-00002-of-00002.gguf").error().message,
                HasSubstr("is part 2 of 2: choose the first part, m-00001-of-00002.gguf"));
    const auto found = discoverModels(std::array{m_folder.path()});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].name, "m");
    EXPECT_EQ(found[0].weight_bytes,
              static_cast<std::int64_t>(fs::file_size(path)
                                        + fs::file_size(m_folder / "m-00002-of-00002.gguf")));
}

TEST_F(GgufFileTest, AFileIsAPlaceToLookIn)
{
    const fs::path file = write(smallLlama());
    const auto found = discoverModels(std::array{file});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].path, file);
    EXPECT_TRUE(discoverModels(std::array{m_folder / "gone.gguf"}).empty());
}

TEST_F(GgufFileTest, ModelsOfOllamaHaveTheirNames)
{
    const std::string digest(64, 'a');
    const std::string other(64, 'b');
    fs::create_directories(m_folder / "blobs");
    write(smallLlama(), ("blobs/sha256-" + digest).c_str());
    const auto manifest = [&](const char* place, const std::string& text) {
        test::writeText(m_folder.path() / "manifests" / place, text);
    };
    const auto naming = [](const std::string& what) {
        return R"({"layers": [{"mediaType": "application/vnd.ollama.image.license", "digest": "x"},
            {"mediaType": "application/vnd.ollama.image.model", "digest": ")"
            + what + R"("}]})";
    };
    manifest("registry.ollama.ai/library/tiny/1b", naming("sha256:" + digest));
    manifest("registry.ollama.ai/library/gone/latest", naming("sha256:" + other));
    manifest("registry.ollama.ai/library/bad/latest", "{");
    manifest("registry.ollama.ai/library/outside/latest", naming("sha256:../../../etc/passwd"));
    const auto found = discoverModels(std::array{m_folder.path()});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].name, "tiny:1b");
    EXPECT_TRUE(found[0].supported) << found[0].problem;
    EXPECT_EQ(modelName(found[0].path), "tiny:1b");
}

} // namespace
} // namespace ep::model
