// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "gguf/gguf_file.h"

#include "ep/core/result.h"
#include "ep/model/config.h"

#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace ep::model {

inline constexpr std::string_view kGgufLayer = "blk.";

// "blk.12.attn_q.weight" has layer 12, part attn_q, ending weight.
struct GgufName {
    std::optional<int> layer;
    std::string part;
    std::string ending;
};

inline std::optional<GgufName> parseGgufName(std::string_view name)
{
    GgufName parsed;
    if (name.starts_with(kGgufLayer)) {
        name.remove_prefix(kGgufLayer.size());
        int layer = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
        const auto digits = static_cast<std::size_t>(end - name.data());
        if (error != std::errc() || digits >= name.size() || name[digits] != '.')
            return std::nullopt;
        parsed.layer = layer;
        name.remove_prefix(digits + 1);
    }
    const auto point = name.rfind('.');
    if (point == std::string_view::npos) { // as in "blk.12.ssm_a"
        parsed.part = name;
        return parsed;
    }
    parsed.part = name.substr(0, point);
    parsed.ending = name.substr(point + 1);
    return parsed;
}

// The layer of a tensor; -1: it belongs to none.
inline int ggufLayer(std::string_view name)
{
    int layer = -1;
    if (name.starts_with(kGgufLayer))
        std::from_chars(name.data() + kGgufLayer.size(), name.data() + name.size(), layer);
    return layer;
}

// The tensors of a GGUF file under HuggingFace's names, as the family's loader requests them.
// Tensors that HuggingFace stores separately (experts, norms of heads) are split without a copy;
// differences in the order or meaning of values are noted in the entry's form. Tensors that are
// not weights are left out; unknown ones keep their names.
Result<std::map<std::string, Checkpoint::Entry>> ggufEntries(const GgufFile& file,
                                                             const ModelConfig& config);

// Maps HuggingFace's name to the file's, even if the file lacks the tensor; the same name if there
// is none.
std::function<std::string(const std::string& name)> ggufNaming(const ModelConfig& config);

} // namespace ep::model
