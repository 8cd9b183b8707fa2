// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlx/mlx_entries.h"

#include "engine/kernels/codebooks.h"
#include "families/family.h"
#include "mlx/mlx_config.h"
#include "number_bits.h"
#include "packed/unpacking.h"
#include "tensor_list.h"

#include "ep/json/document.h"
#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

constexpr std::uint64_t kMaxConfigBytes = 1U << 24;

struct Multiplied {
    std::string_view ending;
    std::vector<double> factors; // one for all rows, or one per row
};

// stated: with the multipliers in config.json. Those of the values and of attention as a whole are
// applied together after the output projection (mlx_config.cpp).
std::vector<Multiplied> biasesOf(const ModelConfig& stated)
{
    const StateSettings& state = stated.state;
    std::vector<double> rows;
    for (const auto& [count, factor] :
         {std::pair(state.values(), state.factors.z), std::pair(state.values(), state.factors.x),
          std::pair(state.keys(), state.factors.b), std::pair(state.keys(), state.factors.c),
          std::pair(std::int64_t{state.value_heads}, state.factors.dt)})
        rows.insert(rows.end(), static_cast<std::size_t>(count), factor);
    const BranchFactors& branches = stated.branches;
    const double values = branches.attention_in == 0.0 ? 1.0 : branches.attention_in;
    return {{".mamba.in_proj.bias", std::move(rows)},
            {".mamba.out_proj.bias", {state.factors.out}},
            {".self_attn.v_proj.bias", {1.0 / values}},
            {".self_attn.o_proj.bias", {branches.attention_out / values}},
            {".feed_forward.gate_proj.bias", {branches.mlp_gate}},
            {".feed_forward.down_proj.bias", {branches.mlp_down}}};
}

void multiply(Checkpoint::Entry& entry, const std::vector<double>& factors)
{
    const std::int64_t count = entry.tensor.elements();
    const bool fits = factors.size() == 1 || static_cast<std::int64_t>(factors.size()) == count;
    if (!fits || !isFloat(entry)) // the loader will report the error
        return;
    Checkpoint::Entry made = entry;
    const auto memory = memoryFor(made, static_cast<std::size_t>(count) * sizeof(float));
    auto* const values = reinterpret_cast<float*>(memory->data());
    for (std::int64_t i = 0; i < count; ++i) {
        const double factor = factors[factors.size() == 1 ? 0 : static_cast<std::size_t>(i)];
        values[i] = static_cast<float>(floatAt(entry, i) * factor);
    }
    made.tensor.dtype = "F32";
    entry = std::move(made);
}

// Falcon-H1 multiplies the results of its projections, including biases. mlx-lm puts the
// multipliers only into the weights, so the biases of its folders are multiplied here. Other
// folders are not changed.
Status multiplyMlxBiases(const ModelConfig& config, const std::string& folder,
                         std::map<std::string, Checkpoint::Entry>& entries)
{
    const auto taps = entries.find(kFirstFalconTaps);
    const bool biased = std::any_of(entries.begin(), entries.end(), [](const auto& entry) {
        return entry.first.ends_with("_proj.bias");
    });
    if (config.model_type != "falcon_h1" || !biased || taps == entries.end()
        || !isTurned(taps->second.tensor))
        return {};
    const auto file = std::filesystem::path(folder) / "config.json";
    const auto json = json::readFile(file, kMaxConfigBytes);
    if (!json)
        return json.error();
    const auto stated = json::read(file.string(), *json, [&](const json::Value& top) {
        ModelConfig read = config;
        familyOfType(config.model_type).readKeys(top, read);
        return read;
    });
    if (!stated)
        return stated.error();
    for (const Multiplied& row : biasesOf(*stated)) {
        for (auto& [name, entry] : entries) {
            if (name.ends_with(row.ending))
                multiply(entry, row.factors);
        }
    }
    return {};
}

using Entries = std::map<std::string, Entry>;

constexpr std::string_view kWeight = ".weight";
constexpr std::int64_t kKernelColumns = 32; // kernels read rows in pieces of this size

// The name of the stored type, as in dtype.h.
std::string storedName(const MlxLayer& layer)
{
    switch (layer.mode) {
    case MlxMode::Mxfp4:
        return "MLX_MXFP4";
    case MlxMode::Mxfp8:
        return "FP8";
    case MlxMode::Nvfp4:
        return "MLX_NVFP4";
    case MlxMode::Affine:
        break;
    }
    return "MLX" + std::to_string(layer.bits);
}

// Number of columns of a matrix in the model, as far as its name and neighbouring tensors
// determine it; 0: unknown.
std::int64_t columnsOf(const std::string& prefix, const ModelConfig& config, const Entries& entries)
{
    static constexpr std::array<std::string_view, 12> kOfTheStream{
        "embed_tokens", "lm_head", "wte",      "q_proj",    "k_proj",    "v_proj",
        "qkv_proj",     "up_proj", "embed_in", "embed_out", "gate_proj", "gate_up_proj"};
    const std::size_t point = prefix.rfind('.');
    const std::string word = prefix.substr(point == std::string::npos ? 0 : point + 1);
    if (std::find(kOfTheStream.begin(), kOfTheStream.end(), word) != kOfTheStream.end())
        return config.hidden_size;
    const bool down = word == "down_proj";
    if (!down && (word != "o_proj" || config.latent))
        return 0;
    const auto before =
        entries.find(prefix.substr(0, point + 1) + (down ? "up_proj.weight" : "q_proj.weight"));
    if (before == entries.end() || before->second.tensor.shape.size() < 2)
        return 0;
    const std::int64_t rows = before->second.tensor.shape.rbegin()[1];
    return !down && familyShape(config).attention.output_gate ? rows / 2 : rows;
}

// One number per expert, the factor that mlx-lm applied before rounding so that the largest
// product of an E4M3 scale and an E2M1 value fits.
std::shared_ptr<const Entry> factorOf(const Entry& global)
{
    constexpr float kMax = 448.0F * 6.0F;
    auto factor = std::make_shared<Entry>(global);
    const std::int64_t count = global.tensor.elements();
    const auto memory = memoryFor(*factor, static_cast<std::size_t>(count) * sizeof(float));
    auto* const values = reinterpret_cast<float*>(memory->data());
    for (std::int64_t i = 0; i < count; ++i)
        values[i] = floatAt(global, i) / kMax;
    factor->tensor.dtype = "F32";
    factor->tensor.shape = {count};
    return factor;
}

// Joins the fields of a quantized tensor. columns: of its matrix in the model; 0: unknown.
Status joinFields(const MlxSettings& settings, std::int64_t columns, PackedFields& fields)
{
    Part numbers;
    Part scales;
    Part biases;
    Part global;
    if (!fields.take(".weight", numbers).status())
        return fields.status();
    fields.set("first", numbers->tensor.shape.front())
        .take(".scales", scales)
        .take(".global_scale", global);
    const bool affine = scales && scales->tensor.dtype != "U8";
    if (affine)
        fields.take(".biases", biases);
    if (!fields.status())
        return fields.status();
    if (affine && biases->tensor.dtype != scales->tensor.dtype)
        return fields.wrong(".biases", *biases, "has another type than the scales");
    const MlxPacked packed{.words = fields.size("words"),
                           .groups = fields.size("groups"),
                           .affine = affine,
                           .columns = columns};
    const auto stated = settings.layers.find(fields.prefix());
    const auto layer = settledLayer(
        packed, stated == settings.layers.end() ? nullptr : &stated->second, settings.usual);
    if (!layer) {
        return fields.wrong(".scales", *scales,
                            Message("has the shape %1, which fits no number of bits",
                                    shapeText(scales->tensor.shape)));
    }
    Entry entry = *numbers;
    Entry::Groups groups{.scales = *scales, .columns = layer->group};
    if (affine)
        groups.biases = *biases;
    else
        groups.scales.tensor.dtype = layer->mode == MlxMode::Nvfp4 ? "E4M3" : "E8M0";
    if (global)
        entry.factor = factorOf(*global);
    entry.groups = std::make_shared<const Entry::Groups>(std::move(groups));
    entry.tensor.dtype = storedName(*layer);
    entry.tensor.shape.back() = packed.words * kMlxWordBits / layer->bits;
    return fields.put(std::move(entry));
}

// With groups of 16, kernels may be unable to read rows; such a matrix becomes f32 when loading.
void dequantizeOddRows(Entries& entries)
{
    for (auto& [name, entry] : entries) {
        const StoredTensor tensor = entry.tensor;
        if (tensor.dtype != "MLX_NVFP4" || tensor.shape.back() % kKernelColumns == 0)
            continue;
        const Entry packed = entry;
        entry.groups.reset();
        entry.factor.reset();
        entry.tensor.dtype = "F32";
        entry.unpack = [packed]() -> Result<Entry> {
            const std::int64_t columns = packed.tensor.shape.back();
            const std::int64_t rows = packed.tensor.elements() / columns;
            const std::int64_t factors = packed.factor ? packed.factor->tensor.elements() : 1;
            Entry plain = plainEntry(packed, rows, columns, [&](std::int64_t row, float* out) {
                const float factor =
                    packed.factor ? floatAt(*packed.factor, row * factors / rows) : 1.0F;
                for (std::int64_t i = 0; i < columns; ++i) {
                    const std::int64_t place = row * columns + i;
                    const auto two = std::to_integer<unsigned>(
                        packed.tensor.bytes[static_cast<std::size_t>(place / 2)]);
                    const unsigned four = two >> (place % 2 * 4) & 15U;
                    const float scale =
                        floatAt(packed.groups->scales, place / packed.groups->columns);
                    out[i] = scale * factor * static_cast<float>(kE2M1Doubled[four]) * 0.5F;
                }
            });
            plain.tensor.shape = packed.tensor.shape;
            return plain;
        };
    }
}

// "..switch_mlp.gate_proj.weight" [experts, rows, columns] becomes "..experts.0.gate_proj.weight";
// so do the biases of experts [experts, rows]. Some families have "experts." instead, or both.
void splitExperts(const MoeNames& names, int experts, Entries& entries)
{
    static constexpr std::array<std::string_view, 4> kStacks{"experts.switch_glu.", "switch_glu.",
                                                             "switch_mlp.", "experts."};
    const std::array<std::pair<std::string_view, std::string>, 5> kParts{
        {{"gate_proj", names.gate},
         {"up_proj", names.up},
         {"down_proj", names.down},
         {"fc1", names.up}, // for experts without gates
         {"fc2", names.down}}};
    Entries split;
    std::vector<std::string> whole;
    for (const auto& [name, entry] : entries) {
        const auto& shape = entry.tensor.shape;
        const std::size_t point = name.rfind('.');
        if (experts == 0 || shape.size() < 2 || shape[0] != experts || point == std::string::npos)
            continue;
        const std::string ending = name.substr(point); // ".weight" or ".bias"
        for (const auto& [part, own] : kParts) {
            for (const std::string_view stack : kStacks) {
                const std::string tail = std::string(stack) + std::string(part) + ending;
                const bool fits = name.ends_with(tail)
                    && shape.size() == (ending == ".bias" ? 2U : 3U)
                    && (whole.empty() || whole.back() != name);
                if (!fits)
                    continue;
                const std::string prefix =
                    name.substr(0, name.size() - tail.size()) + names.experts;
                for (std::int64_t i = 0; i < shape.front(); ++i)
                    split.emplace(prefix + std::to_string(i) + "." + own + ending, entry.slice(i));
                whole.push_back(name);
            }
        }
    }
    for (const std::string& name : whole)
        entries.erase(name);
    entries.merge(split);
}

struct MlxRenaming {
    std::string_view architecture;
    std::string_view from; // a prefix of the name, or a part of it that begins with a dot
    std::string_view to;
};
// The first matching row counts.
constexpr std::array<MlxRenaming, 11> kRenamings{
    {{"GPT2LMHeadModel", "model.", "transformer."},
     {"GPTNeoXForCausalLM", "model.h.", "gpt_neox.layers."},
     {"GPTNeoXForCausalLM", "model.embed_out.", "embed_out."},
     {"GPTNeoXForCausalLM", "model.embed_in.", "gpt_neox.embed_in."},
     {"GPTNeoXForCausalLM", "model.final_layer_norm.", "gpt_neox.final_layer_norm."},
     {"GraniteMoeHybridForCausalLM", ".mlp.gate_proj.", ".shared_mlp.gate_proj."},
     {"GraniteMoeHybridForCausalLM", ".mlp.up_proj.", ".shared_mlp.up_proj."},
     {"GraniteMoeHybridForCausalLM", ".mlp.down_proj.", ".shared_mlp.output_linear."},
     {"Lfm2MoeForCausalLM", ".feed_forward.gate_proj.", ".feed_forward.w1."},
     {"Lfm2MoeForCausalLM", ".feed_forward.up_proj.", ".feed_forward.w3."},
     {"Lfm2MoeForCausalLM", ".feed_forward.down_proj.", ".feed_forward.w2."}}};

// Position of the row's text in a name.
std::size_t placeIn(const std::string& name, const MlxRenaming& row)
{
    if (row.from.front() == '.')
        return name.find(row.from);
    return name.starts_with(row.from) ? 0 : std::string::npos;
}

void rename(const std::string& architecture, Entries& entries)
{
    Entries renamed;
    for (auto item = entries.begin(); item != entries.end();) {
        const auto* const fitting =
            std::find_if(kRenamings.begin(), kRenamings.end(), [&](const MlxRenaming& row) {
                return row.architecture == architecture
                    && placeIn(item->first, row) != std::string::npos;
            });
        if (fitting == kRenamings.end()) {
            ++item;
            continue;
        }
        item->second.form.rows_of_outputs = true; // mlx-lm stores every matrix as [out, in]
        std::string name = item->first;
        name.replace(placeIn(name, *fitting), fitting->from.size(), fitting->to);
        renamed.emplace(std::move(name), std::move(item->second));
        item = entries.erase(item);
    }
    entries.merge(renamed);
}

// If the taps of a convolution are last but one, mlx-lm wrote the folder, and its norms are stored
// whole, even for families whose other files contain the weight minus one.
void noteWholeNorms(Entries& entries)
{
    const auto turned = [](const auto& item) {
        return item.first.ends_with("conv1d.weight") && isTurned(item.second.tensor);
    };
    if (!std::any_of(entries.begin(), entries.end(), turned))
        return;
    for (auto& [name, entry] : entries)
        entry.form.plus_one = entry.form.plus_one || name.ends_with("norm.weight");
}

// A tensor with scales is quantized, even if config.json does not state it. Tensors that text does
// not need are left alone.
Status joinAll(const ModelConfig& config, const std::string& folder, Entries& entries)
{
    std::vector<std::string> packed;
    for (const auto& [name, entry] : entries) {
        if (entry.tensor.dtype != "U32" || !name.ends_with(kWeight) || isUnneededTensor(name))
            continue;
        const std::string prefix = name.substr(0, name.size() - kWeight.size());
        if (config.mlx.usual.bits > 0 || entries.contains(prefix + ".scales"))
            packed.push_back(prefix);
    }
    for (const std::string& prefix : packed) {
        const std::int64_t columns = columnsOf(prefix, config, entries);
        PackedFields fields(PackedLayout::Mlx, entries, prefix, folder);
        if (const Status joined = joinFields(config.mlx, columns, fields); !joined)
            return joined;
    }
    return {};
}

// "language_model.model.norm.weight" where the family has "model.norm.weight".
void stripWrapper(const FamilyShape& shape, Entries& entries)
{
    constexpr std::string_view kWrapper = "language_model.";
    const auto& spellings = shape.names.spellings;
    const auto known = [&](const TensorNames::Spelling& spelling) {
        return entries.contains(spelling.model + shape.names.final_norm + ".weight");
    };
    if (std::any_of(spellings.begin(), spellings.end(), known))
        return;
    Entries stripped;
    for (auto item = entries.begin(); item != entries.end();) {
        if (!item->first.starts_with(kWrapper)) {
            ++item;
            continue;
        }
        stripped.emplace(item->first.substr(kWrapper.size()), std::move(item->second));
        item = entries.erase(item);
    }
    entries.merge(stripped);
}

bool fits(const MlxPacked& packed, const MlxLayer& layer)
{
    return layer.bits > 0 && (layer.mode == MlxMode::Affine) == packed.affine
        && packed.words * kMlxWordBits == std::int64_t{layer.bits} * layer.group * packed.groups;
}

} // namespace

Status arrangeMlxTensors(const ModelConfig& config, const std::string& folder, Entries& entries)
{
    if (const Status joined = joinAll(config, folder, entries); !joined)
        return joined;
    const FamilyShape shape = familyShape(config);
    noteWholeNorms(entries);
    splitExperts(shape.moe, config.moe.experts, entries);
    dequantizeOddRows(entries);
    rename(config.architecture, entries);
    stripWrapper(shape, entries);
    return multiplyMlxBiases(config, folder, entries);
}

std::optional<MlxLayer> settledLayer(const MlxPacked& packed, const MlxLayer* stated,
                                     const MlxLayer& usual)
{
    // A group has at least one bit, and an empty tensor may claim any number of groups.
    if (packed.words <= 0 || packed.groups <= 0 || packed.groups / kMlxWordBits > packed.words)
        return std::nullopt;
    std::vector<MlxLayer> possible;
    for (const MlxLayer& layer : mlxLayers()) {
        if (fits(packed, layer))
            possible.push_back(layer);
    }
    const auto isWide = [&](const MlxLayer& layer) {
        return packed.groups * layer.group == packed.columns;
    };
    const auto wide = std::find_if(possible.begin(), possible.end(), isWide);
    if (wide != possible.end())
        return *wide;
    if (stated && fits(packed, *stated))
        return *stated;
    if (fits(packed, usual))
        return usual;
    if (possible.empty())
        return std::nullopt;
    return possible.front();
}

} // namespace ep::model
