// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/tiny_model.h"

#include "support/safetensors_writer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ep::test {
namespace {

using Json = nlohmann::ordered_json;

// The alphabet of byte-level tokenizers: printable bytes stand for themselves, the others for the
// characters from U+0100 on, in order.
std::vector<std::string> byteAlphabet()
{
    std::vector<std::string> alphabet;
    unsigned next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const bool printable =
            (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
        const unsigned code = printable ? byte : next++;
        std::string text;
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else {
            text += static_cast<char>(0xC0U | (code >> 6));
            text += static_cast<char>(0x80U | (code & 0x3FU));
        }
        alphabet.push_back(text);
    }
    return alphabet;
}

Json tokenizerJson()
{
    Json vocabulary = Json::object();
    int id = 0;
    for (const std::string& symbol : byteAlphabet())
        vocabulary[symbol] = id++;

    Json added = Json::array();
    for (const auto& [content, number] :
         {std::pair("<|begin|>", kTinyBosId), std::pair("<|end|>", kTinyEosId)}) {
        added.push_back({{"id", number},
                         {"content", content},
                         {"single_word", false},
                         {"lstrip", false},
                         {"rstrip", false},
                         {"normalized", false},
                         {"special", true}});
    }

    const Json byteLevel = {{"type", "ByteLevel"},
                            {"add_prefix_space", false},
                            {"trim_offsets", true},
                            {"use_regex", true}};
    const Json bos = {{"SpecialToken", {{"id", "<|begin|>"}, {"type_id", 0}}}};
    const auto sequence = [](const char* letter, int type) -> Json {
        return {{"Sequence", {{"id", letter}, {"type_id", type}}}};
    };
    Json document;
    document["version"] = "1.0";
    document["truncation"] = nullptr;
    document["padding"] = nullptr;
    document["added_tokens"] = added;
    document["normalizer"] = nullptr;
    document["pre_tokenizer"] = byteLevel;
    document["post_processor"] = {
        {"type", "TemplateProcessing"},
        {"single", Json::array({bos, sequence("A", 0)})},
        {"pair", Json::array({bos, sequence("A", 0), bos, sequence("B", 1)})},
        {"special_tokens",
         {{"<|begin|>",
           {{"id", "<|begin|>"},
            {"ids", Json::array({kTinyBosId})},
            {"tokens", Json::array({"<|begin|>"})}}}}}};
    document["decoder"] = byteLevel;
    document["model"] = {{"type", "BPE"},
                         {"dropout", nullptr},
                         {"unk_token", nullptr},
                         {"continuing_subword_prefix", nullptr},
                         {"end_of_word_suffix", nullptr},
                         {"fuse_unk", false},
                         {"byte_fallback", false},
                         {"ignore_merges", false},
                         {"vocab", vocabulary},
                         {"merges", Json::array()}};
    return document;
}

Json configJson(const TinyModel& model)
{
    const char* const dtype = model.dtype == "BF16" ? "bfloat16"
        : model.dtype == "F16"                      ? "float16"
                                                    : "float32";
    return {{"architectures", Json::array({"LlamaForCausalLM"})},
            {"model_type", "llama"},
            {"attention_bias", false},
            {"mlp_bias", false},
            {"bos_token_id", kTinyBosId},
            {"eos_token_id", kTinyEosId},
            {"hidden_act", "silu"},
            {"hidden_size", model.hidden_size},
            {"intermediate_size", model.intermediate_size},
            {"max_position_embeddings", model.max_positions},
            {"num_attention_heads", model.heads},
            {"num_hidden_layers", model.layers},
            {"num_key_value_heads", model.kv_heads},
            {"rms_norm_eps", 1e-5},
            {"rope_scaling", nullptr},
            {"rope_theta", 10000.0},
            {"tie_word_embeddings", model.tied},
            {"torch_dtype", dtype},
            {"vocab_size", model.vocabulary}};
}

// Numbers that are the same on every platform, unlike those of the standard distributions.
class Random {
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed)
    {
    }
    float uniform(float scale) // in [-scale, scale)
    {
        m_state += 0x9E37'79B9'7F4A'7C15U;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9U;
        z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBU;
        z ^= z >> 31;
        return scale * (static_cast<float>(z >> 40) / static_cast<float>(1 << 23) - 1.0F);
    }

private:
    std::uint64_t m_state;
};

} // namespace

void writeTinyModel(const std::filesystem::path& folder, const TinyModel& model)
{
    Random random(model.seed);
    std::vector<StoredTensor> tensors;
    const auto randomMatrix = [&](int rows, int columns) {
        std::vector<float> values(static_cast<std::size_t>(rows)
                                  * static_cast<std::size_t>(columns));
        for (float& value : values)
            value = random.uniform(0.3F);
        return values;
    };
    const auto add = [&](const std::string& name, int rows, int columns) {
        tensors.push_back(
            makeTensor(name, {rows, columns}, randomMatrix(rows, columns), model.dtype));
    };
    const auto addNorm = [&](const std::string& name) {
        std::vector<float> values(static_cast<std::size_t>(model.hidden_size));
        for (float& value : values)
            value = 1.0F + random.uniform(0.2F);
        tensors.push_back(makeTensor(name, {model.hidden_size}, values, model.dtype));
    };

    const int headDim = model.hidden_size / model.heads;
    std::vector<float> embedding = randomMatrix(model.vocabulary, model.hidden_size);
    // A zero row gives the end id a logit of zero, which is never the largest among so many.
    std::fill_n(embedding.begin() + kTinyEosId * model.hidden_size, model.hidden_size, 0.0F);
    tensors.push_back(makeTensor("model.embed_tokens.weight", {model.vocabulary, model.hidden_size},
                                 embedding, model.dtype));
    for (int layer = 0; layer < model.layers; ++layer) {
        const std::string prefix = "model.layers." + std::to_string(layer) + ".";
        addNorm(prefix + "input_layernorm.weight");
        add(prefix + "self_attn.q_proj.weight", model.hidden_size, model.hidden_size);
        add(prefix + "self_attn.k_proj.weight", model.kv_heads * headDim, model.hidden_size);
        add(prefix + "self_attn.v_proj.weight", model.kv_heads * headDim, model.hidden_size);
        add(prefix + "self_attn.o_proj.weight", model.hidden_size, model.hidden_size);
        addNorm(prefix + "post_attention_layernorm.weight");
        add(prefix + "mlp.gate_proj.weight", model.intermediate_size, model.hidden_size);
        add(prefix + "mlp.up_proj.weight", model.intermediate_size, model.hidden_size);
        add(prefix + "mlp.down_proj.weight", model.hidden_size, model.intermediate_size);
    }
    addNorm("model.norm.weight");
    if (!model.tied)
        add("lm_head.weight", model.vocabulary, model.hidden_size);

    std::filesystem::create_directories(folder);
    writeText(folder / "config.json", configJson(model).dump(2));
    writeText(folder / "generation_config.json",
              Json{{"bos_token_id", kTinyBosId}, {"eos_token_id", kTinyEosId}}.dump(2));
    writeText(folder / "tokenizer.json", tokenizerJson().dump(2));
    writeText(folder / "tokenizer_config.json",
              Json{{"bos_token", "<|begin|>"},
                   {"eos_token", "<|end|>"},
                   {"tokenizer_class", "PreTrainedTokenizerFast"}}
                  .dump(2));
    writeSafetensors(folder / "model.safetensors", tensors);
}

} // namespace ep::test
