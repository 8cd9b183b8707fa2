// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"
#include "support/safetensors_writer.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>

namespace ep::model {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

class LoadTest : public EngineFixture { };

TEST_F(LoadTest, TellsTheFactsOfTheModel)
{
    write({.layers = 3, .tied = false});
    const auto engine = load();
    ASSERT_TRUE(engine);
    const ModelFacts& facts = engine->facts();
    EXPECT_EQ(facts.name, folder().filename().string());
    EXPECT_EQ(facts.architecture, "LlamaForCausalLM");
    EXPECT_EQ(facts.layers, 3);
    EXPECT_EQ(facts.hidden_size, 32);
    EXPECT_EQ(facts.head_dim, 8);
    EXPECT_EQ(facts.kv_heads, 2);
    EXPECT_EQ(facts.context_length, 256);
    // 2 x 258 x 32 + 3 x (2 x 32 x 32 + 2 x 16 x 32 + 3 x 64 x 32 + 2 x 32) + 32
    EXPECT_EQ(facts.parameters, 16512 + 3 * 9280 + 32);
    EXPECT_EQ(facts.weight_bytes, 4 * facts.parameters);
    EXPECT_EQ(engine->eosTokenIds(), (std::vector<text::TokenId>{test::kTinyEosId}));
    EXPECT_EQ(engine->device(), "cpu");
    EXPECT_EQ(engine->dtype(), "f32");
}

TEST_F(LoadTest, WeightsKeepTheirStoredTypeUnlessAskedOtherwise)
{
    struct Case {
        std::string stored;
        std::string asked;
        std::string dtype;
        int bytes;
    };
    const std::vector<Case> cases{{"F32", "auto", "f32", 4},  {"BF16", "auto", "bf16", 2},
                                  {"F16", "auto", "f16", 2},  {"BF16", "f32", "f32", 4},
                                  {"F32", "bf16", "bf16", 2}, {"BF16", "f16", "f16", 2}};
    for (const Case& c : cases) {
        write({.dtype = c.stored});
        const auto engine = load({.dtype = c.asked});
        ASSERT_TRUE(engine);
        EXPECT_EQ(engine->dtype(), c.dtype);
        // Norms, 5 vectors of 32, always stay f32.
        EXPECT_EQ(engine->facts().weight_bytes,
                  c.bytes * (engine->facts().parameters - 160) + 4 * 160);
    }
}

TEST_F(LoadTest, ProgressRisesToOne)
{
    write();
    double last = -1.0;
    int calls = 0;
    const auto engine = tryLoad({}, {}, [&](double fraction, const Message& what) {
        EXPECT_GE(fraction, last);
        EXPECT_LE(fraction, 1.0);
        EXPECT_FALSE(what.empty());
        last = fraction;
        ++calls;
    });
    ASSERT_TRUE(engine) << engine.error().message;
    EXPECT_EQ(last, 1.0);
    EXPECT_GT(calls, 10);
}

TEST_F(LoadTest, CancelStopsInTheMiddle)
{
    write();
    const CancelToken cancel;
    int calls = 0;
    const auto engine = tryLoad({}, cancel, [&](double, const Message&) {
        if (++calls == 4)
            cancel.cancel();
    });
    ASSERT_FALSE(engine);
    EXPECT_EQ(engine.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(calls, 4);
}

TEST_F(LoadTest, ShardsAreLoaded)
{
    write();
    const auto whole = load();
    fs::rename(folder() / "model.safetensors", folder() / "one.safetensors");
    const auto file = SafetensorsFile::open(folder() / "one.safetensors");
    ASSERT_TRUE(file);
    std::string map;
    for (const auto& [name, tensor] : file->tensors())
        map += (map.empty() ? "" : ", ") + ("\"" + name + "\": \"one.safetensors\"");
    test::writeText(folder() / "model.safetensors.index.json", R"({"weight_map": {)" + map + "}}");
    const auto sharded = load();
    ASSERT_TRUE(whole && sharded);
    EXPECT_EQ(sharded->forward(std::vector<text::TokenId>{1, 2})->logits,
              whole->forward(std::vector<text::TokenId>{1, 2})->logits);
}

TEST_F(LoadTest, WeightsAtOddAddressesAreCopied)
{
    write();
    const auto even = load()->forward(std::vector<text::TokenId>{1, 2});
    // One more space in the header moves all data by a byte.
    const auto path = folder() / "model.safetensors";
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    std::vector<std::byte> data(bytes.size() - 8 - length);
    std::memcpy(data.data(), bytes.data() + 8 + length, data.size());
    test::writeSafetensorsRaw(path, bytes.substr(8, length) + " ", data);
    const auto odd = load();
    ASSERT_TRUE(even && odd);
    EXPECT_EQ(odd->forward(std::vector<text::TokenId>{1, 2})->logits, even->logits);
}

// Each case breaks a valid model in one way; the message must contain the given text.
TEST_F(LoadTest, BadModelsAreExplained)
{
    struct Case {
        std::function<void()> breakIt;
        ErrorCode code;
        std::string message;
    };
    const std::string weights = "model.safetensors";
    const std::vector<Case> cases{
        {[&] { fs::remove_all(folder()); }, ErrorCode::NotFound, "There is no folder"},
        {[&] { fs::remove(folder() / "config.json"); }, ErrorCode::NotFound, "no config.json"},
        {[&] { fs::remove(folder() / weights); }, ErrorCode::NotFound,
         "contains neither model.safetensors nor"},
        {[&] { replaceIn("config.json", "architectures", "archetypes"); }, ErrorCode::InvalidInput,
         "names no architecture"},
        {[&] { replaceIn("config.json", "LlamaForCausalLM", "MambaForCausalLM"); },
         ErrorCode::Unsupported, "MambaForCausalLM is not supported; supported are Llama"},
        {[&] {
             replaceIn("config.json", "\"model_type\"",
                       R"("quantization_config": {"quant_method": "aqlm"}, "model_type")");
         },
         ErrorCode::Unsupported, "quantized (AQLM)"},
        {[&] { fs::resize_file(folder() / weights, fs::file_size(folder() / weights) - 1); },
         ErrorCode::InvalidInput, "incomplete"},
        {[&] { fs::resize_file(folder() / weights, 20); }, ErrorCode::InvalidInput,
         "promises a header of"},
        {[&] {
             replaceIn("config.json", "\"intermediate_size\": 64", "\"intermediate_size\": 65");
         },
         ErrorCode::InvalidInput,
         "mlp.gate_proj.weight (F32) in " + (folder() / weights).string()
             + " has the shape 64 x 32, but config.json asks for 65 x 32"},
        {[&] { replaceIn("config.json", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3"); },
         ErrorCode::InvalidInput,
         "lack what config.json asks for: model.layers.2.input_layernorm.weight, "
         "model.layers.2.self_attn.q_proj.weight, model.layers.2.self_attn.k_proj.weight and 6 "
         "more"},
        {[&] {
             replaceIn("config.json", "\"tie_word_embeddings\": true",
                       "\"tie_word_embeddings\": false");
         },
         ErrorCode::InvalidInput, "lack what config.json asks for: lm_head.weight;"},
        {[&] { replaceIn(weights, "\"F32\"", "\"I32\""); }, ErrorCode::Unsupported, " (I32) in "},
        {[&] { patch("model.norm.weight", 3, std::nanf("")); }, ErrorCode::InvalidInput,
         "The tensor model.norm.weight (F32) in " + (folder() / weights).string()
             + " holds values that are not numbers (NaN or infinity), in column 3 of row 0:"},
        {[&] {
             patch("model.layers.1.mlp.up_proj.weight", 100,
                   -std::numeric_limits<float>::infinity());
         },
         ErrorCode::InvalidInput, "model.layers.1.mlp.up_proj.weight (F32) in"},
    };
    for (const Case& c : cases) {
        write();
        c.breakIt();
        const auto engine = tryLoad();
        ASSERT_FALSE(engine) << c.message;
        EXPECT_EQ(engine.error().code, c.code) << engine.error().message;
        EXPECT_THAT(engine.error().message, HasSubstr(c.message));
        EXPECT_EQ(engine.error().message.english().find('\n'), std::string::npos);
    }
}

TEST_F(LoadTest, BadRequestsAreExplained)
{
    write();
    EXPECT_THAT(tryLoad({.device = "tpu"}).error().message,
                HasSubstr("no device \"tpu\": known are auto, cpu"));
    EXPECT_FALSE(tryLoad({.device = "cuda:99"}));
    EXPECT_FALSE(tryLoad({.device = "cuda:x"}));
    EXPECT_THAT(tryLoad({.dtype = "int3"}).error().message, HasSubstr("\"int3\" is not known"));
    EXPECT_THAT(tryLoad({.threads = -1}).error().message, HasSubstr("threads is -1"));
}

// Small models are computed in an instant: measuring the kernels would take longer.
TEST_F(LoadTest, ASmallModelUsesTheUsualKernels)
{
    write();
    const auto memory = folder() / "memory" / "kernels.json";
    const auto engine = load({.kernel_memory = {.file = memory, .processor = "this one"}});
    ASSERT_TRUE(engine);
    EXPECT_THAT(engine->kernelsUsed(), HasSubstr("f32 x 32 spread"));
    EXPECT_THAT(engine->kernelsUsed(), HasSubstr("many rows: panels"));
    EXPECT_THAT(engine->computation(), HasSubstr("(default)"));
    EXPECT_FALSE(std::filesystem::exists(memory));
}

TEST_F(LoadTest, KernelsArePinnedByName)
{
    write();
    const auto engine = load({.kernels = "spread,64=spread-ahead,many=blas"});
    ASSERT_TRUE(engine);
    EXPECT_THAT(engine->kernelsUsed(),
                HasSubstr("one row: f32 x 32 spread, f32 x 64 spread-ahead; many rows: BLAS"));
    EXPECT_THAT(engine->computation(), HasSubstr("(as requested)"));
    const auto wrong = tryLoad({.kernels = "fastest"});
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().message, HasSubstr("\"fastest\" are not known"));
}

TEST_F(LoadTest, MeasuredKernelsAreKeptForTheProcessor)
{
    write({.hidden_size = 512, .intermediate_size = 512, .layers = 4, .vocabulary = 1024});
    const auto memory = folder() / "kernels.json";
    const LoadRequest request{.threads = 2,
                              .kernel_memory = {.file = memory, .processor = "this one"}};
    const auto first = load(request);
    ASSERT_TRUE(first);
    EXPECT_THAT(first->computation(), HasSubstr("measured: f32 x 512: spread-ahead "));
    ASSERT_TRUE(std::filesystem::exists(memory));
    const auto second = load(request);
    ASSERT_TRUE(second);
    EXPECT_THAT(second->computation(), HasSubstr("as measured earlier"));
    EXPECT_EQ(second->kernelsUsed(), first->kernelsUsed());
    // Nothing is known for another number of threads.
    const auto alone = load({.threads = 1, .kernel_memory = request.kernel_memory});
    ASSERT_TRUE(alone);
    EXPECT_THAT(alone->computation(), HasSubstr("measured: "));
}

TEST_F(LoadTest, FactsDescribeTheModel)
{
    write({.kv_heads = 1, .tied = false, .dtype = "BF16"});
    const auto engine = load();
    ASSERT_TRUE(engine);
    const ModelFacts& facts = engine->facts();
    // Embedding and head of 258 x 32; two layers with queries 32 x 32, keys and values 32 x 8,
    // output 32 x 32, an MLP of 3 x 32 x 64, and two norms; a norm at the end.
    EXPECT_EQ(facts.embedding_parameters, 258 * 32);
    EXPECT_EQ(facts.attention_parameters, 2 * (2 * 1024 + 2 * 256));
    EXPECT_EQ(facts.mlp_parameters, 2 * 6144);
    EXPECT_EQ(facts.parameters, 2 * 8256 + 2 * (2560 + 6144 + 64) + 32);
    EXPECT_EQ(facts.active_parameters, facts.parameters);
    EXPECT_EQ(facts.weight_bytes, 2 * (facts.parameters - 5 * 32) + 4 * 5 * 32);
    EXPECT_EQ(facts.kv_bytes_per_token, 2 * 2 * 8 * 4);
    EXPECT_EQ(facts.stored_dtype, "bf16");
    EXPECT_EQ(facts.quantization, "");
    EXPECT_EQ(facts.experts, 0);
    EXPECT_EQ(facts.fingerprint.size(), 16U);

    // The same files give the same fingerprint; other headers or settings give another one.
    EXPECT_EQ(load({.dtype = "f32"})->facts().fingerprint, facts.fingerprint);
    const std::string before = facts.fingerprint;
    replaceIn("config.json", "\"rope_theta\": 10000.0", "\"rope_theta\": 10001.0");
    EXPECT_NE(load()->facts().fingerprint, before);
    write({.kv_heads = 1, .tied = false, .dtype = "F16"});
    EXPECT_NE(load()->facts().fingerprint, before);
}

TEST_F(LoadTest, VersionsNameTheLibraries)
{
    const EngineVersions versions = makeEngineLibrary()->versions();
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(versions.torch.front())));
    EXPECT_FALSE(versions.blas.empty());
    EXPECT_EQ(makeEngineLibrary()->devices().front(), "cpu");
}

} // namespace
} // namespace ep::model
