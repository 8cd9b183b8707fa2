// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/state_weights.h"

#include "blocks/decomposed.h"

namespace ep::model {

Convolution convolution(WeightLoader& weights, const std::string& prefix, std::int64_t channels,
                        std::int64_t taps, bool bias)
{
    Convolution found{.weights = weights.taps(prefix + ".weight", channels, taps), .taps = taps};
    if (bias)
        found.bias = weights.vector(prefix + ".bias", channels);
    return found;
}

StateDecay stateDecay(WeightLoader& weights, const std::string& prefix, std::int64_t heads)
{
    return {.rate = weights.negativeExponential(prefix + "A_log", heads),
            .bias = weights.wideVector(prefix + "dt_bias", heads)};
}

StateShape stateShape(const StateSettings& settings, bool delta)
{
    return {.key_heads = settings.key_heads,
            .value_heads = settings.value_heads,
            .key_dim = settings.key_dim,
            .value_dim = settings.value_dim,
            .tiled = settings.tiled,
            .delta = delta};
}

void convolved(Step& step, const Matrix& x, const Convolution& convolution)
{
    constexpr Component kConv1d = Component::Conv1d;
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    step.component(kConv1d, ws.convolved, [&] {
        step.operation(kConv1d, Operation::Conv1d, ws.convolved, [&] {
            ops.convolve(x, convolution, step.sequences, step.layer, ws.convolved);
        }); // [rows, channels]
        step.operation(kConv1d, Operation::Activation, ws.convolved, [&] {
            ops.activate(Activation::Silu, ws.convolved, nullptr, ws.convolved);
        });
    });
}

const Matrix& scaledInput(Step& step, const Matrix& x, double factor)
{
    if (factor == 1.0)
        return x;
    Matrix& scaled = step.ws.scaled; // [rows, hidden]
    step.ops.clear(x, scaled);
    step.ops.add(scaled, x);
    step.ops.scale(scaled, static_cast<float>(factor));
    return scaled;
}

void gatedNormed(Step& step, const Matrix& gate, const GatedNorm& norm, Matrix& x)
{
    constexpr Component kGatedNorm = Component::GatedNorm;
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    const auto multiply = [&] {
        if (!step.decomposed) {
            ops.activate(Activation::Silu, gate, &x, x);
            return;
        }
        step.operation(kGatedNorm, Operation::Activation, ws.activated,
                       [&] { ops.activate(Activation::Silu, gate, nullptr, ws.activated); });
        step.operation(kGatedNorm, Operation::GateMultiply, x,
                       [&] { ops.multiply(ws.activated, x, x); });
    };
    step.component(kGatedNorm, x, [&] {
        if (!norm.norm_first)
            multiply();
        if (norm.normalises)
            normalizeHeads(step, kGatedNorm, x, norm.norm, norm.groups);
        if (norm.norm_first)
            multiply();
    });
}

} // namespace ep::model
