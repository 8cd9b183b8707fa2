// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlx/mlx_entries.h"

#include "families/family.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

using Entries = std::map<std::string, Checkpoint::Entry>;

constexpr std::string_view kWeight = ".weight";
constexpr std::int64_t kWordBits = 32;
constexpr std::int64_t kLeastColumns = 32; // of the kernels

bool isNumber(const std::string& dtype)
{
    return dtype == "F16" || dtype == "BF16" || dtype == "F32";
}

// The name of the stored type, as dtype.h has it.
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

Status join(const MlxLayer& layer, const std::string& prefix, const std::string& folder,
            std::map<std::string, Checkpoint::Entry>& entries)
{
    const auto wrong = [&](const std::string& what) {
        return Error{ErrorCode::InvalidInput,
                     "The quantised tensor " + prefix + ".weight in " + folder + " " + what
                         + ": download the model again, all its files."};
    };
    const bool affine = layer.mode == MlxMode::Affine;
    const auto scales = entries.find(prefix + ".scales");
    const auto biases = entries.find(prefix + ".biases");
    if (scales == entries.end() || (affine && biases == entries.end()))
        return wrong("has no scales or no biases");
    Checkpoint::Entry& entry = entries.at(prefix + ".weight");
    const std::vector<std::int64_t>& shape = entry.tensor.shape;
    if (layer.bits == 0)
        return wrong("is not quantised according to config.json");
    if (shape.size() < 2 || entry.tensor.elements() == 0)
        return wrong("is no matrix");
    const std::int64_t columns = shape.back() * kWordBits / layer.bits;
    if (shape.back() * kWordBits % layer.bits != 0 || columns % layer.group != 0
        || columns % kLeastColumns != 0)
        return wrong("does not hold whole groups of " + std::to_string(layer.group));
    std::vector<std::int64_t> expected = shape; // of a matrix, or of the experts of a layer
    expected.back() = columns / layer.group;
    Checkpoint::Entry::Groups groups{.scales = scales->second, .columns = layer.group};
    StoredTensor& s = groups.scales.tensor;
    if (affine) {
        groups.biases = biases->second;
        const StoredTensor& b = groups.biases->tensor;
        if (s.shape != expected || b.shape != expected || s.dtype != b.dtype || !isNumber(s.dtype))
            return wrong("has scales or biases that do not fit it");
        entries.erase(biases);
    } else {
        if (s.shape != expected || s.dtype != "U8")
            return wrong("has scales that do not fit it");
        s.dtype = layer.mode == MlxMode::Nvfp4 ? "E4M3" : "E8M0";
    }
    entry.groups = std::make_shared<const Checkpoint::Entry::Groups>(std::move(groups));
    entry.tensor.dtype = storedName(layer);
    entry.tensor.shape.back() = columns;
    entries.erase(prefix + ".scales");
    return {};
}

// "..switch_mlp.gate_proj.weight" [experts, rows, columns] becomes "..experts.0.gate_proj.weight";
// so do the biases of experts [experts, rows]. Some families have "experts." instead, or both.
void splitExperts(const MoeNames& names, int experts, Entries& entries)
{
    static constexpr std::array<std::string_view, 4> kStacks{"experts.switch_glu.", "switch_glu.",
                                                             "switch_mlp.", "experts."};
    const std::array<std::pair<std::string_view, std::string>, 3> kParts{
        {{"gate_proj", names.gate}, {"up_proj", names.up}, {"down_proj", names.down}}};
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
    std::string_view from; // the beginning of a name
    std::string_view to;
};
// The first row that fits counts.
constexpr std::array<MlxRenaming, 5> kRenamings{
    {{"GPT2LMHeadModel", "model.", "transformer."},
     {"GPTNeoXForCausalLM", "model.h.", "gpt_neox.layers."},
     {"GPTNeoXForCausalLM", "model.embed_out.", "embed_out."},
     {"GPTNeoXForCausalLM", "model.embed_in.", "gpt_neox.embed_in."},
     {"GPTNeoXForCausalLM", "model.final_layer_norm.", "gpt_neox.final_layer_norm."}}};

void rename(const std::string& architecture, Entries& entries)
{
    Entries renamed;
    for (auto item = entries.begin(); item != entries.end();) {
        const MlxRenaming* fitting = nullptr;
        for (const MlxRenaming& row : kRenamings) {
            if (!fitting && row.architecture == architecture && item->first.starts_with(row.from))
                fitting = &row;
        }
        if (!fitting) {
            ++item;
            continue;
        }
        item->second.form.rows_of_outputs = true; // mlx-lm stores every matrix as [out, in]
        renamed.emplace(std::string(fitting->to) + item->first.substr(fitting->from.size()),
                        std::move(item->second));
        item = entries.erase(item);
    }
    entries.merge(renamed);
}

// mlx-lm stores the taps of a convolution last but one, and then also the norms of families whose
// files elsewhere hold their weight less one as they are multiplied.
void noteWholeNorms(Entries& entries)
{
    const auto turned = [](const auto& item) {
        const auto& shape = item.second.tensor.shape;
        return item.first.ends_with("conv1d.weight") && shape.size() == 3 && shape[2] == 1
            && shape[1] != 1;
    };
    if (!std::any_of(entries.begin(), entries.end(), turned))
        return;
    for (auto& [name, entry] : entries)
        entry.form.plus_one = entry.form.plus_one || name.ends_with("norm.weight");
}

Status joinAll(const MlxSettings& settings, const std::string& folder, Entries& entries)
{
    std::vector<std::string> packed;
    for (const auto& [name, entry] : entries) {
        if (entry.tensor.dtype == "U32" && name.ends_with(kWeight))
            packed.push_back(name.substr(0, name.size() - kWeight.size()));
    }
    for (const std::string& prefix : packed) {
        if (const Status joined = join(settings.of(prefix), prefix, folder, entries); !joined)
            return joined;
    }
    return {};
}

} // namespace

Status arrangeMlxTensors(const ModelConfig& config, const std::string& folder, Entries& entries)
{
    if (config.mlx.usual.bits > 0) {
        if (const Status joined = joinAll(config.mlx, folder, entries); !joined)
            return joined;
    }
    noteWholeNorms(entries);
    splitExperts(familyShape(config).moe, config.moe.experts, entries);
    rename(config.architecture, entries);
    return {};
}

} // namespace ep::model
