// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cache_shape.h"
#include "decoder.h"
#include "kv_cache.h"
#include "step.h"

#include "ep/model/analytic.h"
#include "ep/model/observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

// Passes of a decoder without a generation around it.
namespace ep::model {

// Logits of all rows of the last piece; earlier pieces fill the cache.
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

// Records the components of each layer in the order in which they first run.
class ComponentOrder final : public Observer {
public:
    bool wants(const Tap& tap) override { return tap.level == SpanLevel::Component; }
    void began(const Tap& tap) override
    {
        std::vector<Component>& seen = layers[tap.layer];
        if (std::find(seen.begin(), seen.end(), tap.component) == seen.end())
            seen.push_back(tap.component);
    }
    void ended(const Tap&, const TensorProbe*) override { }

    std::map<int, std::vector<Component>> layers;
};

// Checks that the count names the components of each layer that run, in order.
inline void expectCountedComponents(const Decoder& decoder, Ops& ops,
                                    const std::vector<text::TokenId>& ids)
{
    ComponentOrder order;
    lastLogits(decoder, ops, {ids}, false, &order);
    ASSERT_EQ(order.layers.size(), static_cast<std::size_t>(decoder.config.num_hidden_layers));
    for (const auto& [layer, components] : order.layers) {
        std::vector<Component> counted;
        for (const ComponentCost& part : layerCosts(decoder.config, layer, {}, {}))
            counted.push_back(part.component);
        EXPECT_EQ(counted, components) << "layer " << layer;
    }
}

} // namespace ep::model
