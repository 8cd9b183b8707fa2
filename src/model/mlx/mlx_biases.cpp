// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlx/mlx_biases.h"

#include "families/family.h"
#include "mlx/mlx_witness.h"
#include "packed/unpacking.h"

#include "ep/json/document.h"
#include "ep/json/value.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
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
// applied together after the output projection (mlx_witness.cpp).
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
    if (!fits || !isFloat(entry)) // the loader will report what is wrong with it
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

} // namespace

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

} // namespace ep::model
