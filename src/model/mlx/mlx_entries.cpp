// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlx/mlx_entries.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

using Entry = Checkpoint::Entry;

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
            std::map<std::string, Entry>& entries)
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
    Entry& entry = entries.at(prefix + ".weight");
    const std::vector<std::int64_t>& shape = entry.tensor.shape;
    if (layer.bits == 0)
        return wrong("is not quantised according to config.json");
    if (shape.size() != 2)
        return wrong("is no matrix");
    const std::int64_t columns = shape[1] * kWordBits / layer.bits;
    if (shape[1] * kWordBits % layer.bits != 0 || columns % layer.group != 0
        || columns % kLeastColumns != 0)
        return wrong("does not hold whole groups of " + std::to_string(layer.group));
    const std::vector<std::int64_t> expected{shape[0], columns / layer.group};
    Entry::Groups groups{.scales = scales->second, .columns = layer.group};
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
    entry.groups = std::make_shared<const Entry::Groups>(std::move(groups));
    entry.tensor.dtype = storedName(layer);
    entry.tensor.shape = {shape[0], columns};
    entries.erase(prefix + ".scales");
    return {};
}

} // namespace

Status joinMlxTensors(const MlxSettings& settings, const std::string& folder,
                      std::map<std::string, Entry>& entries)
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

} // namespace ep::model
