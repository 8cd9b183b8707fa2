// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_facts.h"

#include "ollama.h"

#include "ep/core/mapped_file.h"
#include "ep/model/analytic.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

namespace ep::model {
namespace {

// 64-bit FNV-1a: distinguishes files; not cryptographic.
class Fnv {
public:
    void add(std::string_view text)
    {
        for (const char c : text)
            mix(static_cast<unsigned char>(c));
        mix(0); // separator, so that the boundary between two texts matters
    }
    std::string text() const
    {
        constexpr std::string_view kDigits = "0123456789abcdef";
        std::string digits;
        for (int shift = 60; shift >= 0; shift -= 4)
            digits += kDigits[(m_state >> shift) & 0xFU];
        return digits;
    }

private:
    void mix(unsigned byte)
    {
        m_state ^= byte;
        m_state *= 0x0000'0100'0000'01B3U;
    }
    std::uint64_t m_state = 0xCBF2'9CE4'8422'2325U;
};

// "llama-7b.Q4_K_M" for llama-7b.Q4_K_M-00001-of-00002.gguf
std::string ggufName(const std::filesystem::path& file)
{
    constexpr std::string_view kFirstFile = "-00001-of-";
    std::string name =
        file.extension() == ".gguf" ? file.stem().string() : file.filename().string();
    if (const auto part = name.rfind(kFirstFile);
        part != std::string::npos && part > 0 && name.size() == part + kFirstFile.size() + 5)
        name.resize(part);
    return name;
}

} // namespace

std::string modelName(const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder.lexically_normal();
    const std::filesystem::path last = path.has_filename() ? path : path.parent_path();
    // models--organisation--name/snapshots/<revision>
    if (isFile(last))
        return ollamaNameOf(last).value_or(ggufName(last));
    const std::filesystem::path snapshots = last.parent_path();
    const std::string repository = snapshots.parent_path().filename().string();
    constexpr std::string_view kPrefix = "models--";
    if (snapshots.filename() == "snapshots" && repository.starts_with(kPrefix)) {
        const std::string name = repository.substr(kPrefix.size());
        const auto separator = name.find("--");
        if (separator == std::string::npos)
            return name;
        return name.substr(0, separator) + "/" + name.substr(separator + 2);
    }
    return last.filename().string();
}

std::int64_t parameterCount(const ModelConfig& config)
{
    return countParameters(config).total();
}

DType storedDType(const Checkpoint& checkpoint)
{
    std::map<DType, std::int64_t> weights;
    for (const auto& [name, entry] : checkpoint.entries()) {
        if (const auto dtype = dtypeFromStored(entry.tensor.dtype))
            weights[*dtype] += entry.tensor.elements();
    }
    const auto largest =
        std::max_element(weights.begin(), weights.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return largest == weights.end() ? DType::F32 : largest->first;
}

std::string fingerprint(const ModelFiles& files)
{
    Fnv hash;
    hash.add(files.stated);
    for (const auto& [name, entry] : files.weights->entries()) {
        hash.add(entry.file);
        hash.add(name);
        hash.add(entry.tensor.dtype);
        for (const std::int64_t extent : entry.tensor.shape)
            hash.add(std::to_string(extent));
    }
    return hash.text();
}

ModelFacts factsOf(const ModelConfig& config, const std::filesystem::path& folder)
{
    ModelFacts facts;
    facts.name = modelName(folder);
    facts.path = folder.string();
    facts.architecture = config.architecture;
    const ParameterCounts counts = countParameters(config);
    facts.parameters = counts.total();
    facts.active_parameters = counts.active();
    facts.embedding_parameters = counts.embedding;
    facts.attention_parameters = counts.attention;
    facts.mlp_parameters = counts.mlp;
    facts.layers = config.num_hidden_layers;
    facts.hidden_size = config.hidden_size;
    facts.intermediate_size = config.intermediate_size;
    facts.attention_heads = config.num_attention_heads;
    facts.kv_heads = config.num_key_value_heads;
    facts.head_dim = config.head_dim;
    facts.vocabulary_size = config.vocab_size;
    facts.context_length = config.contextLength();
    facts.experts = config.moe.experts;
    facts.experts_per_token = config.moe.experts > 0 ? config.moe.experts_per_token : 0;
    return facts;
}

} // namespace ep::model
