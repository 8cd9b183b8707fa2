// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_quantization.h"
#include "gguf/gguf_names.h"

#include "ep/model/format.h"
#include "ep/model/tensor_list.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ep::model {
namespace {

// What llama-quantize distinguishes by name.
enum class Part : std::uint8_t {
    Embedding,
    Head,
    Values, // also fused with queries and keys
    Keys,
    AttentionOutput,
    Down,
    Other,
};

struct PartName {
    std::string_view word; // contained in the name
    Part part;
};
constexpr std::array<PartName, 6> kPartNames{{{"attn_qkv.weight", Part::Values},
                                              {"attn_kv_b.weight", Part::Values},
                                              {"attn_v.weight", Part::Values},
                                              {"attn_k.weight", Part::Keys},
                                              {"attn_output.weight", Part::AttentionOutput},
                                              {"ffn_down", Part::Down}}};

Part partOf(std::string_view own)
{
    if (own == "output.weight")
        return Part::Head;
    if (own == "token_embd.weight" || own == "per_layer_token_embd.weight")
        return Part::Embedding;
    const auto* const found = std::ranges::find_if(
        kPartNames, [&](const PartName& row) { return own.find(row.word) != own.npos; });
    return found == kPartNames.end() ? Part::Other : found->part;
}

// In which layers a row of the table applies, or in which models.
enum class When : std::uint8_t {
    Always,
    SharedKeys, // four queries or more share a key
    FirstTwo, // layers
    FirstFour,
    FirstSixteenth,
    FirstEighth,
    MoreBits, // the first and the last eighth, and every third of the others
    EightExperts, // as in Mixtral
};

// A tensor whose type differs from the format's usual one.
struct Exception {
    std::string_view formats; // separated by blanks, with one before and one after
    Part part;
    When when;
    DType type;
};

constexpr std::string_view kAnyFormat{};

// The first row that applies counts.
constexpr std::array<Exception, 21> kExceptions{{
    {kAnyFormat, Part::Values, When::EightExperts, DType::Q8_0},
    {" q2_k ", Part::Values, When::SharedKeys, DType::Q4_K},
    {" q2_k ", Part::Values, When::Always, DType::Q3_K},
    {" iq4_nl iq4_xs ", Part::Values, When::SharedKeys, DType::Q5_K},
    {" q3_k_m ", Part::Values, When::FirstTwo, DType::Q5_K},
    {" q3_k_m ", Part::Values, When::Always, DType::Q4_K},
    {" q3_k_l ", Part::Values, When::Always, DType::Q5_K},
    {" q4_k_s ", Part::Values, When::FirstFour, DType::Q5_K},
    {" q4_k_m q5_k_m ", Part::Values, When::MoreBits, DType::Q6_K},
    {kAnyFormat, Part::Keys, When::EightExperts, DType::Q8_0},
    {" q2_k ", Part::Down, When::Always, DType::Q3_K},
    {" iq4_nl iq4_xs q4_k_s ", Part::Down, When::FirstEighth, DType::Q5_K},
    {" q3_k_m ", Part::Down, When::FirstSixteenth, DType::Q5_K},
    {" q3_k_m ", Part::Down, When::Always, DType::Q4_K},
    {" q3_k_l ", Part::Down, When::Always, DType::Q5_K},
    {" q4_k_m q5_k_m ", Part::Down, When::MoreBits, DType::Q6_K},
    {" q2_k q3_k_s q3_k_m iq4_nl iq4_xs q4_k_s q4_k_m ", Part::AttentionOutput, When::EightExperts,
     DType::Q5_K},
    {" q3_k_l ", Part::AttentionOutput, When::EightExperts, DType::Q3_K},
    {" q2_k ", Part::AttentionOutput, When::Always, DType::Q3_K},
    {" q3_k_m ", Part::AttentionOutput, When::Always, DType::Q4_K},
    {" q3_k_l ", Part::AttentionOutput, When::Always, DType::Q5_K},
}};

// The type in place of one whose blocks of 256 do not fit.
struct Fallback {
    DType type;
    DType instead;
};
constexpr std::array<Fallback, 6> kFallbacks{{{DType::IQ4_XS, DType::IQ4_NL},
                                              {DType::Q2_K, DType::Q4_0},
                                              {DType::Q3_K, DType::Q4_0},
                                              {DType::Q4_K, DType::Q5_0},
                                              {DType::Q5_K, DType::Q5_1},
                                              {DType::Q6_K, DType::Q8_0}}};

// Whether llama.cpp stores a matrix for each expert or head in a tensor of that name.
bool holdsSeveral(std::string_view own)
{
    return own.find("_exps.") != own.npos || own.ends_with("attn_k_b.weight")
        || own.ends_with("attn_v_b.weight");
}

class Rule {
public:
    Rule(const TensorList& list, const FormatRow& format)
        : m_list(list)
        , m_format(format)
        , m_name(' ' + std::string(format.name) + ' ')
        , m_values(list.values_beyond)
    {
        for (const ListedTensor& tensor : list.tensors) {
            const Part part = partOf(tensor.own);
            m_values += part == Part::Values ? 1 : 0;
            m_tied = m_tied && part != Part::Head;
        }
    }

    // Call in the order of the list.
    DType typeOf(const ListedTensor& tensor)
    {
        const Part part = partOf(tensor.own);
        if (part == Part::Head || (m_tied && part == Part::Embedding))
            return headType(tensor.columns);
        if (m_format.name == "mxfp4_moe")
            return holdsSeveral(tensor.own) ? DType::Mxfp4 : DType::Q8_0;
        DType type = m_format.dtype;
        for (const Exception& row : kExceptions) {
            const bool named =
                row.formats == kAnyFormat || row.formats.find(m_name) != std::string_view::npos;
            if (row.part == part && named && applies(row.when, part, tensor.own)) {
                type = row.type;
                break;
            }
        }
        if (part == Part::Values && m_list.seventy_b
            && (type == DType::Q3_K || type == DType::Q4_K))
            type = DType::Q5_K;
        m_value += part == Part::Values ? 1 : 0;
        m_down += part == Part::Down ? 1 : 0;
        return type;
    }

private:
    DType headType(std::int64_t columns) const
    {
        const bool eight = m_format.name == "mxfp4_moe" || m_format.dtype == DType::Q8_0
            || columns % rowOf(m_format.dtype).block != 0;
        return eight ? DType::Q8_0 : DType::Q6_K;
    }

    bool applies(When when, Part part, std::string_view own) const
    {
        // Values are counted. Layers of experts are numbered, since they may not be all layers.
        const bool values = part == Part::Values;
        const int count = values ? m_values : m_list.layers;
        const int index = values ? m_value : m_list.experts > 1 ? ggufLayer(own) : m_down;
        switch (when) {
        case When::Always:
            return true;
        case When::SharedKeys:
            return m_list.queries_per_key >= 4;
        case When::FirstTwo:
            return index < 2;
        case When::FirstFour:
            return index < 4;
        case When::FirstSixteenth:
            return index < count / 16;
        case When::FirstEighth:
            return index < count / 8;
        case When::MoreBits:
            return index < count / 8 || index >= 7 * count / 8 || (index - count / 8) % 3 == 2;
        case When::EightExperts:
            return m_list.experts == 8;
        }
        return false;
    }

    const TensorList& m_list;
    const FormatRow& m_format;
    std::string m_name;
    bool m_tied = true; // no tensor of its own for the head
    int m_values; // tensors of values
    int m_value = 0; // index of the next one
    int m_down = 0; // the same for projections down
};

// A type that rows of this many columns can have in place of one whose blocks do not fit them.
DType ggmlFallback(DType type, std::int64_t columns)
{
    if (columns % rowOf(type).block == 0)
        return type;
    const auto* const row = std::ranges::find(kFallbacks, type, &Fallback::type);
    const DType instead = row == kFallbacks.end() ? type : row->instead;
    return columns % rowOf(instead).block == 0 ? instead : DType::F16;
}

// The types that llama.cpp's llama-quantize, without a calibration text, gives the tensors of a
// model in a format: the same for every tensor, in files of autumn 2026 (llama.cpp 0c1e57098).
// Absent for those that it leaves as they are.
TensorTypes ggmlTypes(const TensorList& list, const FormatRow& format)
{
    Rule rule(list, format);
    TensorTypes types;
    for (const ListedTensor& tensor : list.tensors) {
        std::optional<DType>& type = types.emplace_back();
        if (tensor.matrix && tensor.own != "per_layer_model_proj.weight")
            type = ggmlFallback(rule.typeOf(tensor), tensor.columns);
    }
    return types;
}

constexpr std::int64_t kWide = 4; // bytes of f32

bool isExpert(const ListedTensor& tensor)
{
    return tensor.own.find("_exps.") != std::string::npos;
}

// Whether the format's maker rounds the matrix, for makers other than llama.cpp.
bool isRounded(const ListedTensor& tensor, FormatRule rule, bool experts)
{
    switch (rule) {
    case FormatRule::Plain:
    case FormatRule::Ggml:
        return false;
    case FormatRule::Mlx:
        return true;
    case FormatRule::Experts:
        if (experts)
            return isExpert(tensor);
        [[fallthrough]];
    case FormatRule::Projections:
        break;
    }
    return tensor.own.starts_with("blk.") || tensor.own == "per_layer_model_proj.weight";
}

TensorTypes typesOf(const TensorList& list, const FormatRow& format)
{
    if (format.rule == FormatRule::Ggml)
        return ggmlTypes(list, format);
    const bool experts = std::ranges::any_of(list.tensors, isExpert);
    TensorTypes types;
    for (const ListedTensor& tensor : list.tensors) {
        const bool rounded = tensor.matrix && isRounded(tensor, format.rule, experts)
            && fitsBlocks(format.dtype, tensor.columns);
        types.push_back(rounded ? std::optional(format.dtype) : std::nullopt);
    }
    return types;
}

// Whether a matrix of this type is computed in its plain type.
bool isPlain(DType type)
{
    return !inBlocks(type) && type != DType::Int8;
}

} // namespace

TensorTypes typesIn(const TensorList& list, const DTypePlan& plan)
{
    constexpr std::string_view kWeightEnding = ".weight";
    const FormatRow* const format = formatFromName(plan.usual);
    TensorTypes types = format ? typesOf(list, *format) : TensorTypes(list.tensors.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        const ListedTensor& tensor = list.tensors[i];
        if (format && format->rule == FormatRule::Plain && tensor.columns > 1 && tensor.rows > 1)
            types[i] = format->dtype;
        std::string_view module = tensor.name;
        if (module.ends_with(kWeightEnding))
            module.remove_suffix(kWeightEnding.size());
        const auto asked = tensor.matrix ? plan.of(module) : std::nullopt;
        if (asked && scalesApart(*asked))
            types[i] = fitsBlocks(*asked, tensor.columns) ? asked : std::nullopt;
        else if (asked)
            types[i] = ggmlFallback(*asked, tensor.columns);
        if (types[i] == tensor.stored)
            types[i].reset();
    }
    return types;
}

DType computedType(const ListedTensor& tensor, std::optional<DType> type)
{
    if (type)
        return *type;
    const DType stored = tensor.stored.value_or(DType::F32);
    return tensor.rows == 1 && isPlain(stored) ? DType::F32 : stored;
}

std::int64_t bytesIn(const ListedTensor& tensor, std::optional<DType> type)
{
    const std::int64_t numbers = tensor.rows * tensor.columns;
    if (!type)
        return tensor.rows == 1 && computedType(tensor, type) == DType::F32 ? kWide * numbers
                                                                            : tensor.bytes;
    const std::int64_t bytes = bytesOf(*type, numbers);
    if (*type == DType::Int8)
        return bytes + kWide * tensor.rows;
    if (*type == DType::Fp8) {
        const auto blocks = [](std::int64_t count) { return (count + kFp8Block - 1) / kFp8Block; };
        return bytes + kWide * blocks(tensor.rows) * blocks(tensor.columns);
    }
    if (scalesApart(*type)) { // a scale and a bias for each group, in the type of the model
        const std::int64_t size = tensor.stored == DType::F32 ? 4 : 2;
        return bytes + 2 * size * numbers / kMlxGroup;
    }
    return bytes;
}

std::int64_t bytesIn(const TensorList& list, const TensorTypes& types)
{
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < types.size(); ++i)
        sum += bytesIn(list.tensors[i], types[i]);
    return sum;
}

} // namespace ep::model
