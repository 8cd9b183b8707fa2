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

bool isNumber(const std::string& dtype)
{
    return dtype == "F16" || dtype == "BF16" || dtype == "F32";
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
        const auto wrong = [&](const std::string& what) {
            return Error{ErrorCode::InvalidInput,
                         "The quantised tensor " + prefix + ".weight in " + folder + " " + what
                             + ": download the model again, all its files."};
        };
        const auto scales = entries.find(prefix + ".scales");
        const auto biases = entries.find(prefix + ".biases");
        if (scales == entries.end() || biases == entries.end())
            return wrong("has no scales or no biases");
        const MlxLayer layer = settings.of(prefix);
        Entry& entry = entries.at(prefix + ".weight");
        const std::vector<std::int64_t>& shape = entry.tensor.shape;
        if (layer.bits == 0)
            return wrong("is not quantised according to config.json");
        if (shape.size() != 2)
            return wrong("is no matrix");
        const std::int64_t columns = shape[1] * kWordBits / layer.bits;
        if (shape[1] * kWordBits % layer.bits != 0 || columns % layer.group != 0)
            return wrong("does not hold whole groups of " + std::to_string(layer.group));
        const std::vector<std::int64_t> expected{shape[0], columns / layer.group};
        const StoredTensor& s = scales->second.tensor;
        const StoredTensor& b = biases->second.tensor;
        if (s.shape != expected || b.shape != expected || s.dtype != b.dtype || !isNumber(s.dtype))
            return wrong("has scales or biases that do not fit it");
        entry.groups = std::make_shared<Entry::Groups>(
            Entry::Groups{scales->second, biases->second, layer.group});
        entry.tensor.dtype = "MLX" + std::to_string(layer.bits);
        entry.tensor.shape = {shape[0], columns};
        entries.erase(scales);
        entries.erase(biases);
    }
    return {};
}

} // namespace ep::model
