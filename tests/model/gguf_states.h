// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gguf_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// How llama.cpp's conversion arranges the weights of mixers that have a state.
namespace ep::test {

// Reorders blocks of `size` values by `order`, starting at value `first` of each of `rows` rows
// with distance `stride`.
inline void reorder(std::vector<float>& data, std::size_t first, std::size_t size,
                    const std::vector<std::size_t>& order, std::size_t rows, std::size_t stride)
{
    const std::vector<float> old = data;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto from = static_cast<std::ptrdiff_t>(row * stride + first + order[i] * size);
            std::copy_n(old.begin() + from, size,
                        data.begin()
                            + static_cast<std::ptrdiff_t>(row * stride + first + i * size));
        }
    }
}

// Gated DeltaNet: Qwen3.5's value heads are stored interleaved by key head, Qwen3-Next's are not,
// and its fused projection becomes two. Returns the parts with their GGUF names, none for a tensor
// that does not belong to such a mixer.
class GgufDeltaNet {
public:
    explicit GgufDeltaNet(const nlohmann::json& config)
        : m_config(config)
        , m_tiled(config["model_type"] != "qwen3_next")
    {
    }

    std::vector<std::pair<std::string, GgufValues>> convert(const std::string& part,
                                                            GgufValues values) const
    {
        const std::size_t keyHeads = m_config["linear_num_key_heads"];
        const std::size_t share = m_config["linear_num_value_heads"].get<std::size_t>() / keyHeads;
        const std::size_t keyDim = m_config["linear_key_head_dim"];
        const std::size_t dim = m_config["linear_value_head_dim"];
        const auto rows = static_cast<std::size_t>(values.shape[0]);
        const std::size_t width = values.data.size() / rows;
        std::vector<std::size_t> order; // order of the value heads, interleaved by key head
        for (std::size_t i = 0; i < share; ++i) {
            for (std::size_t key = 0; key < keyHeads; ++key)
                order.push_back(m_tiled ? key * share + i : order.size());
        }
        const auto turned = [&](std::size_t first, std::size_t size) {
            reorder(values.data, first, size, order, 1, 0);
            return values;
        };
        if (part == "in_proj_qkv.weight")
            return {{"attn_qkv.weight", turned(2 * keyHeads * keyDim * width, dim * width)}};
        if (part == "in_proj_z.weight")
            return {{"attn_gate.weight", turned(0, dim * width)}};
        if (part == "in_proj_b.weight")
            return {{"ssm_beta.weight", turned(0, width)}};
        if (part == "in_proj_a.weight")
            return {{"ssm_alpha.weight", turned(0, width)}};
        if (part == "in_proj_ba.weight")
            return {{"ssm_ba.weight", values}};
        if (part == "in_proj_qkvz.weight")
            return split(values, keyHeads, keyDim, share * dim, width);
        if (part == "dt_bias")
            return {{"ssm_dt.bias", turned(0, 1)}};
        if (part == "norm.weight")
            return {{"ssm_norm.weight", values}};
        if (part == "A_log") {
            for (float& value : values.data)
                value = -std::exp(value);
            return {{"ssm_a", turned(0, 1)}};
        }
        if (part == "conv1d.weight") {
            values.shape = {values.shape[0], values.shape[2]};
            return {{"ssm_conv1d.weight", turned(2 * keyHeads * keyDim * width, dim * width)}};
        }
        if (part == "out_proj.weight") {
            reorder(values.data, 0, dim, order, rows, width);
            return {{"ssm_out.weight", values}};
        }
        return {};
    }

private:
    // Rows by key head: query, key, values and gates.
    static std::vector<std::pair<std::string, GgufValues>>
    split(const GgufValues& all, std::size_t heads, std::size_t keyDim, std::size_t values,
          std::size_t width)
    {
        const std::size_t stride = 2 * keyDim + 2 * values;
        const auto take = [&](GgufValues& to, std::size_t begin, std::size_t count) {
            for (std::size_t head = 0; head < heads; ++head) {
                const auto from =
                    all.data.begin() + static_cast<std::ptrdiff_t>((head * stride + begin) * width);
                to.data.insert(to.data.end(), from,
                               from + static_cast<std::ptrdiff_t>(count * width));
            }
            to.shape = {static_cast<std::int64_t>(to.data.size() / width),
                        static_cast<std::int64_t>(width)};
        };
        GgufValues qkv;
        take(qkv, 0, keyDim);
        take(qkv, keyDim, keyDim);
        take(qkv, 2 * keyDim, values);
        GgufValues gate;
        take(gate, 2 * keyDim + values, values);
        return {{"attn_qkv.weight", qkv}, {"attn_gate.weight", gate}};
    }

    const nlohmann::json& m_config;
    bool m_tiled;
};

} // namespace ep::test
