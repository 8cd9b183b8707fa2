// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cache_shape.h"
#include "decoder.h"
#include "kv_cache.h"
#include "step.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

// Passes of a decoder without a generation around it.
namespace ep::model {

// Logits of all rows of the last piece; the pieces before it fill the cache.
inline std::vector<float> lastLogits(const Decoder& decoder, Ops& ops,
                                     const std::vector<std::vector<text::TokenId>>& pieces,
                                     bool decomposed, Observer* observer = nullptr)
{
    const c10::InferenceMode noGradients;
    const ModelConfig& config = decoder.config;
    std::size_t positions = 0;
    for (const std::vector<text::TokenId>& ids : pieces)
        positions += ids.size();
    KvCache cache(cacheShape(config), ops.cacheOptions(), static_cast<std::int64_t>(positions));
    Workspace workspace;
    const CancelToken never;
    std::vector<float> logits;
    for (const std::vector<text::TokenId>& ids : pieces) {
        const auto count = static_cast<std::int64_t>(ids.size());
        const std::vector<SequenceRows> rows{{.cache = &cache, .first = 0, .count = count}};
        Step step{ops, rows, workspace, observer, never};
        step.decomposed = decomposed;
        EXPECT_TRUE(decoder.forward(step, ids, Decoder::Logits::AllRows));
        cache.advance(count);
        logits.clear();
        for (std::int64_t row = 0; row < count; ++row) {
            const auto values = ops.host(workspace.logits, row);
            logits.insert(logits.end(), values.begin(), values.end());
        }
    }
    return logits;
}

} // namespace ep::model
