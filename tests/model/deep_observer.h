// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace ep::test {

// Records the figures of the operations in the first step, and checks that taps are nested.
class DeepObserver final : public model::Observer {
public:
    struct Figures {
        std::vector<float> entropy;
        std::vector<float> largest;
        std::vector<float> sparsity;
        float killed = 0.0F; // NaN: no value
        float variance_ratio = 0.0F;
        std::int32_t expert = -1;
        std::int32_t rows = 0;
        std::optional<ActivationStats> stats; // recorded here if they come with the figures
    };
    using Place = std::tuple<int, Component, Operation>; // ordered by layer first

    bool wants(const model::Tap&) override { return true; }
    void began(const model::Tap& tap) override
    {
        if (tap.level == SpanLevel::Operation) {
            ASSERT_FALSE(m_open.empty());
            EXPECT_EQ(m_open.back(), model::Tap::ofComponent(tap.layer, tap.component));
        }
        m_open.push_back(tap);
    }
    void ended(const model::Tap& tap, const model::TensorProbe* output) override
    {
        ASSERT_FALSE(m_open.empty());
        EXPECT_EQ(m_open.back(), tap);
        m_open.pop_back();
        if (tap == model::Tap::ofSection(Section::LmHead))
            m_firstStep = false;
        if (allRows && output != nullptr && output->hasStats())
            expectFresh(tap, *output);
        if (!m_firstStep)
            return;
        if (output == nullptr) {
            if (tap.level == SpanLevel::Operation)
                figures[{tap.layer, tap.component, tap.operation}].push_back({});
            return;
        }
        if (tap.level == SpanLevel::Component)
            stats[{tap.layer, tap.component}] = output->stats(kThreshold);
        if (tap.level != SpanLevel::Operation)
            return;
        const model::OperationFigures f = output->figures(kThreshold);
        figures[{tap.layer, tap.component, tap.operation}].push_back(
            {.entropy = {f.attention_entropy.begin(), f.attention_entropy.end()},
             .largest = {f.max_attention_weight.begin(), f.max_attention_weight.end()},
             .sparsity = {f.attention_sparsity.begin(), f.attention_sparsity.end()},
             .killed = f.activation_kill_ratio,
             .variance_ratio = f.variance_ratio,
             .expert = f.expert,
             .rows = f.rows,
             .stats = f.stats});
    }

    bool allRows = true; // steps are short, so statistics cover all of their rows
    std::map<Place, std::vector<Figures>> figures; // in span order
    std::map<std::pair<int, Component>, ActivationStats> stats; // statistics of components

private:
    static constexpr float kThreshold = 0.01F;

    // Statistics are cached until a matrix is written to: they must match its current values.
    static void expectFresh(const model::Tap& tap, const model::TensorProbe& output)
    {
        const ActivationStats said = output.stats(kThreshold);
        const ActivationStats now = output.statsOfAllRows(kThreshold);
        const auto close = [](float a, float b) {
            return std::abs(a - b) <= 1e-5F * std::max(std::abs(a), std::abs(b)) + 1e-7F;
        };
        EXPECT_TRUE(close(said.mean_abs, now.mean_abs) && close(said.std, now.std)
                    && said.max_abs == now.max_abs && close(said.sparsity, now.sparsity))
            << "layer " << tap.layer << ", level " << static_cast<int>(tap.level) << ", component "
            << static_cast<int>(tap.component) << ", operation " << static_cast<int>(tap.operation);
    }

    std::vector<model::Tap> m_open;
    bool m_firstStep = true;
};

} // namespace ep::test
