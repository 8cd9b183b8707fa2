// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine_fixture.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace ep::model {

// A model whose weights fit all blocks, and how far two models' predictions are apart.
class QuantisedModelTest : public EngineFixture {
protected:
    void SetUp() override
    {
        write({.hidden_size = 256, .intermediate_size = 512, .layers = 2, .heads = 4});
    }

    static std::vector<text::TokenId> someIds(int count)
    {
        std::vector<text::TokenId> ids(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < ids.size(); ++i)
            ids[i] = static_cast<text::TokenId>((i * 37 + 11) % 250);
        return ids;
    }

    // The mean divergence of the distributions at several positions, in nats.
    static double divergence(Engine& engine, Engine& exact, int count)
    {
        return divergence(engine, exact, someIds(count));
    }

    static double divergence(Engine& engine, Engine& exact, const std::vector<text::TokenId>& ids)
    {
        const auto actual = engine.forward(ids);
        const auto expected = exact.forward(ids);
        if (!actual || !expected) {
            ADD_FAILURE();
            return INFINITY;
        }
        const auto width = static_cast<std::size_t>(expected->vocabulary);
        const auto logs = [&](const std::vector<float>& logits, std::size_t row) {
            double sum = 0.0;
            for (std::size_t i = 0; i < width; ++i)
                sum += std::exp(static_cast<double>(logits[row * width + i]));
            return std::log(sum);
        };
        double total = 0.0;
        for (std::size_t row = 0; row < ids.size(); ++row) {
            const double normal = logs(expected->logits, row);
            const double other = logs(actual->logits, row);
            for (std::size_t i = 0; i < width; ++i) {
                const double p = static_cast<double>(expected->logits[row * width + i]) - normal;
                const double q = static_cast<double>(actual->logits[row * width + i]) - other;
                total += std::exp(p) * (p - q);
            }
        }
        return total / static_cast<double>(ids.size());
    }
};

} // namespace ep::model
