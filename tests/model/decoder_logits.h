// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace ep::model {

// The logits of all rows of one pass, computed with these operations.
inline std::vector<float> allLogits(const Decoder& decoder, Ops& ops,
                                    const std::vector<text::TokenId>& ids)
{
    const auto rows = static_cast<std::int64_t>(ids.size());
    const ModelConfig& config = decoder.config;
    KvCache cache(cacheShape(config), ops.cacheOptions(), rows);
    Workspace workspace;
    const CancelToken never;
    const std::array sequences{SequenceRows{.cache = &cache, .first = 0, .count = rows}};
    Step step{ops, sequences, workspace, nullptr, never};
    EXPECT_TRUE(decoder.forward(step, ids, Decoder::Logits::AllRows));
    std::vector<float> values;
    for (std::int64_t row = 0; row < rows; ++row) {
        const auto host = ops.host(workspace.logits, row);
        values.insert(values.end(), host.begin(), host.end());
    }
    return values;
}

} // namespace ep::model
