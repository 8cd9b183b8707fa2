// SPDX-License-Identifier: GPL-3.0-or-later
#include "tensor_list.h"

#include "block_quantization.h"
#include "families/family.h"
#include "gguf/gguf_names.h"
#include "layer_shape.h"

#include "ep/core/joined.h"
#include "ep/core/word_list.h"
#include "ep/model/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <tuple>

namespace ep::model {
namespace {

constexpr std::string_view kEndOfWeight = ".weight";

// Matrices that stay unrounded in everybody's files, because they are small and sensitive, or
// tables.
constexpr std::array<std::string_view, 7> kNeverRounded{
    "_norm.weight",  "ffn_gate_inp", "ssm_conv1d", "shortconv.conv.",
    "position_embd", "altup",        "laurel"};

class Lister {
public:
    Lister(const Checkpoint& checkpoint, const ModelConfig& config)
        : m_checkpoint(checkpoint)
        , m_config(config)
        , m_shape(familyShape(config))
        , m_naming(ggufNaming(config))
        , m_spelling(spelling())
    {
    }

    TensorList list() const
    {
        TensorList list;
        list.layers = m_config.num_hidden_layers;
        list.experts = m_config.moe.experts;
        list.queries_per_key = queriesPerKey();
        list.seventy_b = isSeventyB();
        for (const auto& [name, entry] : m_checkpoint.entries()) {
            const std::string own = entry.own_name.empty() ? ownName(name) : entry.own_name;
            if (const int layer = layerBeyond(name, own); layer > 0) {
                list.layers = std::max(list.layers, layer + 1);
                list.values_beyond +=
                    own.ends_with(".attn_v.weight") || name.ends_with(".v_proj.weight") ? 1 : 0;
            } else if (partLeftOut(name, m_config.num_hidden_layers).empty()
                       && !isLeftoverTensor(name) && !isSecondHead(name)) {
                add(name, own, entry, list);
            }
        }
        std::ranges::sort(list.tensors, {}, [](const ListedTensor& tensor) {
            return std::tuple(ggufLayer(tensor.own), std::string_view(tensor.own),
                              std::string_view(tensor.name));
        });
        return list;
    }

private:
    const TensorNames::Spelling& spelling() const
    {
        const auto& all = m_shape.names.spellings;
        const auto found = std::ranges::find_if(all, [&](const TensorNames::Spelling& one) {
            return m_checkpoint.find(one.model + m_shape.names.final_norm
                                     + std::string(kEndOfWeight));
        });
        return found == all.end() ? all.back() : *found;
    }

    // The layer of a tensor that predicts tokens beyond the next one, numbered like llama.cpp after
    // the last layer; 0: an ordinary tensor.
    int layerBeyond(const std::string& name, const std::string& own) const
    {
        constexpr std::string_view kPrediction = "mtp.layers.";
        const int layers = m_config.num_hidden_layers;
        int layer = ggufLayer(own) - layers;
        if (name.starts_with(kPrediction))
            std::from_chars(name.data() + kPrediction.size(), name.data() + name.size(), layer);
        return layer < 0 ? 0 : layers + layer;
    }

    std::string embeddingName() const { return m_spelling.model + m_shape.names.embedding; }

    // Whether the name is that of a tied head which is stored beside the embedding.
    bool isSecondHead(const std::string& name) const
    {
        return m_config.tie_word_embeddings && name == m_spelling.head + std::string(kEndOfWeight)
            && m_checkpoint.find(embeddingName() + std::string(kEndOfWeight));
    }

    // llama.cpp's name for a tensor of a HuggingFace or MLX folder.
    std::string ownName(const std::string& name) const
    {
        const TensorNames::Spelling& first = m_shape.names.spellings.front();
        std::string usual = name;
        if (name.starts_with(m_spelling.head + "."))
            usual =
                (m_config.tie_word_embeddings ? first.model + m_shape.names.embedding : first.head)
                + name.substr(m_spelling.head.size());
        else if (name.starts_with(m_spelling.model))
            usual = first.model + name.substr(m_spelling.model.size());
        const std::string own = m_naming(usual);
        if (own != usual)
            return own;
        return ownInLayer(usual, first.model + m_shape.names.layers).value_or(name);
    }

    // Names tensors of experts that llama.cpp stores in other ways.
    std::optional<std::string> ownInLayer(const std::string& name, const std::string& layers) const
    {
        const auto point = name.find('.', layers.size());
        if (!name.starts_with(layers) || point == std::string::npos)
            return std::nullopt;
        const std::string layer =
            std::string(kGgufLayer) + name.substr(layers.size(), point - layers.size());
        const std::string part = name.substr(point + 1);
        const MoeNames& moe = m_shape.moe;
        for (const std::string& prefix : moe.prefixes) {
            if (part == prefix + moe.stacked_gate_up)
                return layer + ".ffn_gate_up_exps.weight";
            if (part == prefix + moe.stacked_down)
                return layer + ".ffn_down_exps.weight";
            if (prefix != moe.prefixes.back() && part.starts_with(prefix)) {
                const std::string other =
                    name.substr(0, point + 1) + moe.prefixes.back() + part.substr(prefix.size());
                if (const std::string own = m_naming(other); own != other)
                    return own;
            }
        }
        return std::nullopt;
    }

    int queriesPerKey() const
    {
        const Mixer first = m_config.mixerOf(0);
        const bool keys = first == Mixer::Attention || first == Mixer::MambaAndAttention
            || first == Mixer::DeltaNet; // llama.cpp states heads for it, too
        const int heads = m_config.kvHeads(0);
        return keys && heads > 0 ? m_config.num_attention_heads / heads : 0;
    }

    bool isSeventyB() const
    {
        constexpr int kLayers = 80;
        const auto& names = familyOfType(m_config.model_type).gguf.architectures;
        const auto has = [&](std::string_view word) {
            return std::ranges::find(names, word) != names.end();
        };
        return m_config.num_hidden_layers == kLayers
            && (has("qwen2")
                || (has("llama") && m_config.num_attention_heads != m_config.num_key_value_heads));
    }

    void add(const std::string& name, const std::string& own, const Checkpoint::Entry& entry,
             TensorList& list) const
    {
        const std::vector<std::int64_t>& shape = entry.tensor.shape;
        ListedTensor tensor;
        tensor.name = name;
        tensor.own = own;
        tensor.stored = dtypeFromStored(entry.tensor.dtype);
        tensor.bytes = entry.bytes();
        tensor.columns = shape.empty() ? 1 : shape.back();
        const bool plain = tensor.stored && !inBlocks(*tensor.stored);
        const bool turned =
            shape.size() == 3 ? m_shape.moe.stacked_as_inputs : m_shape.mlp.layout.transposed;
        if (turned && plain && shape.size() > 1 && ggufLayer(own) >= 0
            && !entry.form.rows_of_outputs)
            tensor.columns = shape[shape.size() - 2];
        tensor.rows = entry.tensor.elements() / std::max<std::int64_t>(1, tensor.columns);
        const bool several = shape.size() == 3 || (shape.size() == 2 && shape.front() > 1);
        tensor.matrix = several && mayBeRounded(own);
        if (m_config.latent && own.ends_with(".attn_kv_b.weight"))
            addHeads(tensor, list);
        else
            list.tensors.push_back(std::move(tensor));
    }

    // The matrix of keys and values of all heads is divided when it is loaded, as in GGUF.
    void addHeads(const ListedTensor& both, TensorList& list) const
    {
        const LatentAttention& latent = *m_config.latent;
        const std::int64_t heads = m_config.num_attention_heads;
        const auto part = [&](const char* name, const char* own, std::int64_t rows,
                              std::int64_t columns) {
            ListedTensor tensor = both;
            const auto change = [](std::string& text, std::string_view end, const char* other) {
                text.replace(text.size() - end.size(), end.size(), other);
            };
            change(tensor.name, "kv_b_proj.weight", name);
            change(tensor.own, "attn_kv_b.weight", own);
            tensor.rows = heads * rows;
            tensor.columns = columns;
            tensor.bytes = both.bytes * (rows * columns)
                / (std::int64_t{latent.plain_dim + latent.value_dim} * latent.rank);
            list.tensors.push_back(std::move(tensor));
        };
        part("embed_q.weight", "attn_k_b.weight", latent.rank, latent.plain_dim);
        part("unembed_out.weight", "attn_v_b.weight", latent.value_dim, latent.rank);
    }

    const Checkpoint& m_checkpoint;
    const ModelConfig& m_config;
    FamilyShape m_shape;
    std::function<std::string(const std::string&)> m_naming;
    TensorNames::Spelling m_spelling;
};

// Words between dots in a name (or how they begin) and the part of a model that they stand for.
struct NamedPart {
    std::string_view word;
    std::string_view part;
};
constexpr std::string_view kVision = "vision part";
constexpr std::string_view kAudio = "audio part";
constexpr std::string_view kPrediction = "head that predicts further tokens (MTP)";
constexpr std::array<NamedPart, 14> kParts{{{"vision", kVision},
                                            {"visual", kVision},
                                            {"image_newline", kVision},
                                            {"audio", kAudio},
                                            {"sound_", kAudio},
                                            {"embed_vision", kVision},
                                            {"embed_audio", kAudio},
                                            {"multi_modal_projector", kVision},
                                            {"mtp", kPrediction},
                                            {"nextn", kPrediction},
                                            {"eagle", kPrediction},
                                            {"mm_", kVision},
                                            {"multimodal_", kVision},
                                            {"patch_embed", kVision}}};

// Buffers that older versions saved with the weights, and scales of a cache that is not quantized
// here.
constexpr auto kBuffers =
    wordList<9>(".rotary_emb.inv_freq .rotary_emb.cos_cached .rotary_emb.sin_cached .attn.bias "
                ".attn.masked_bias .attention.bias .attention.masked_bias .k_scale .v_scale");

std::string_view partStartedBy(std::string_view word)
{
    const auto* const found = std::find_if(kParts.begin(), kParts.end(), [&](const NamedPart& row) {
        return word.starts_with(row.word);
    });
    return found == kParts.end() ? std::string_view() : found->part;
}

// The number after the first "layers."; -1: there is none.
int layerIn(std::string_view name)
{
    constexpr std::string_view kLayers = "layers.";
    const auto place = name.find(kLayers);
    int layer = -1;
    if (place != std::string_view::npos)
        std::from_chars(name.data() + place + kLayers.size(), name.data() + name.size(), layer);
    return layer;
}

// Parts of a model that llama-quantize distinguishes by name.
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

// The layers or the models to which a row of the table applies.
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
    int m_down = 0; // index of the next projection down
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
// Absent for tensors that it leaves as they are.
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

std::string_view moduleOf(const ListedTensor& tensor)
{
    std::string_view module = tensor.name;
    if (module.ends_with(kEndOfWeight))
        module.remove_suffix(kEndOfWeight.size());
    return module;
}

// The modules that a rule of a plan may name, within the layers of this one.
std::vector<std::string> modulesWithMatrices(const TensorList& list, const DTypePlan::Rule& rule)
{
    const DTypePlan::Rule layers{.layers = rule.layers, .module = {}};
    std::vector<std::string> modules;
    for (const ListedTensor& tensor : list.tensors) {
        if (!tensor.matrix || !layers.fits(moduleOf(tensor)))
            continue;
        for (const std::string_view part : partsOfName(moduleOf(tensor))) {
            const bool word = part != "model" && part != "layers"
                && !std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
            if (word && std::ranges::find(modules, part) == modules.end())
                modules.emplace_back(part);
        }
    }
    return modules;
}

// Whether a matrix of this type is computed in its plain type.
bool isPlain(DType type)
{
    return !inBlocks(type) && type != DType::Int8;
}

} // namespace

bool mayBeRounded(std::string_view own)
{
    return own.ends_with(kEndOfWeight)
        && std::ranges::none_of(kNeverRounded, [&](std::string_view word) {
               return own.find(word) != std::string_view::npos;
           });
}

TensorList listTensors(const Checkpoint& checkpoint, const ModelConfig& config)
{
    return Lister(checkpoint, config).list();
}

bool isLeftoverTensor(std::string_view name)
{
    return std::any_of(kBuffers.begin(), kBuffers.end(),
                       [&](std::string_view end) { return name.ends_with(end); });
}

std::string_view partLeftOut(std::string_view name, int layers)
{
    std::string_view part = partStartedBy(name);
    for (std::size_t point = name.find('.'); part.empty() && point != std::string_view::npos;
         point = name.find('.', point + 1))
        part = partStartedBy(name.substr(point + 1));
    return part.empty() && layerIn(name) >= layers ? kPrediction : part;
}

bool isUnneededTensor(std::string_view name)
{
    return isLeftoverTensor(name) || !partLeftOut(name, std::numeric_limits<int>::max()).empty();
}

Status checkRules(const TensorList& list, const DTypePlan& plan)
{
    for (const DTypePlan::Rule& rule : plan.rules) {
        const auto fits = [&](const ListedTensor& tensor) {
            return tensor.matrix && rule.fits(moduleOf(tensor));
        };
        if (std::ranges::any_of(list.tensors, fits))
            continue;
        if (rule.layers && rule.layers->first >= list.layers)
            return Error{ErrorCode::InvalidInput,
                         {"The types of \"%1\" cannot be set: the model has %2 layers, counted "
                          "from 0.",
                          rule.pattern(), list.layers}};
        return Error{ErrorCode::InvalidInput,
                     {"The types of \"%1\" cannot be set: the model has no matrix of this name; "
                      "known are %2.",
                      rule.pattern(), joined(modulesWithMatrices(list, rule))}};
    }
    return {};
}

TensorTypes typesIn(const TensorList& list, const DTypePlan& plan)
{
    const FormatRow* const format = formatFromName(plan.usual);
    TensorTypes types = format ? typesOf(list, *format) : TensorTypes(list.tensors.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        const ListedTensor& tensor = list.tensors[i];
        if (format && format->rule == FormatRule::Plain && tensor.columns > 1 && tensor.rows > 1)
            types[i] = format->dtype;
        const auto asked = tensor.matrix ? plan.of(moduleOf(tensor)) : std::nullopt;
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
