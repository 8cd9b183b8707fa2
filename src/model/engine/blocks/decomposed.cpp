// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/decomposed.h"

#include <algorithm>
#include <utility>

namespace ep::model {
namespace {

// The variance of x, from its statistics if they are already known.
float varianceOf(const Step& step, const Matrix& x)
{
    const float deviation = step.ops.stats(x, step.statistics.value_or(0.0F)).std;
    return deviation * deviation;
}

// inputVariance() is called after the output has been computed; out may be x.
template <typename InputVariance>
void normalizeGroups(Step& step, Component of, const Matrix& x, const Norm& norm,
                     std::int64_t groups, Matrix& out, const InputVariance& inputVariance)
{
    Ops& ops = step.ops;
    Workspace& ws = step.ws;
    const Matrix* means = nullptr;
    if (norm.kind == NormKind::Layer) {
        step.plainOperation(of, Operation::Mean,
                            [&] { ops.means(x, groups, ws.means); }); // [rows, groups]
        means = &ws.means;
    }
    step.plainOperation(of, Operation::Variance, [&] {
        ops.variances(x, means, groups, ws.variances); // [rows, groups]
    });
    step.operation(of, Operation::Normalize, out,
                   [&] { ops.normalize(x, means, ws.variances, norm.epsilon, out); });
    step.operation(
        of, Operation::ScaleShift, out, [&] { ops.scaleShift(out, norm, groups); },
        [&](float) {
            const float variance = varianceOf(step, out);
            return variance > 0.0F ? OperationFigures{.variance_ratio = inputVariance() / variance}
                                   : OperationFigures{};
        });
}

OperationFigures figuresOf(const HeadFigures& heads)
{
    return {.attention_entropy = heads.entropy,
            .max_attention_weight = heads.largest,
            .attention_sparsity = heads.sparsity,
            .stats = heads.stats};
}

// A row has one score per position and head. Its weights have figures by head, which are more
// informative than statistics over all of them, and cheaper.
void attendInBlocks(Step& step, const Matrix& queries, const AttentionShape& shape, Matrix& out)
{
    constexpr Component kAttention = Component::Attention;
    Ops& ops = step.ops;
    ScoreBlock& block = step.ws.scores;
    const std::int64_t rows = step.sequences.back().first + step.sequences.back().count;
    const std::int64_t most = ops.blockRows(shape, step.sequences);
    for (block.first = 0; block.first < rows; block.first += block.count) {
        block.count = std::min(most, rows - block.first);
        step.plainOperation(kAttention, Operation::QkMatmul, [&] {
            ops.scoreKeys(queries, shape, step.sequences, step.layer, block);
        });
        step.plainOperation(kAttention, Operation::Scale, [&] { ops.scaleScores(shape, block); });
        step.plainOperation(kAttention, Operation::MaskApply,
                            [&] { ops.maskScores(shape, step.sequences, block); });
        step.describedOperation(
            kAttention, Operation::Softmax, [&] { ops.softmaxScores(shape, block); },
            [&](float) {
                ops.headFigures(shape, step.sequences, block, step.ws.head_figures);
                return figuresOf(step.ws.head_figures);
            });
        step.plainOperation(kAttention, Operation::AttnDropout, [] {}); // no-op outside training
        step.operation(kAttention, Operation::ValueMatmul, out, [&] {
            ops.weighValues(shape, step.sequences, step.layer, block, rows, out);
        });
    }
}

} // namespace

void normalized(Step& step, Component of, const Matrix& x, const Norm& norm, Matrix& out)
{
    step.component(of, out, [&] {
        if (step.decomposed)
            normalizeGroups(step, of, x, norm, 1, out, [&] { return varianceOf(step, x); });
        else
            step.ops.norm(x, norm, out);
    });
}

void normalizeHeads(Step& step, Component of, Matrix& x, const Norm& norm, std::int64_t heads)
{
    if (!step.decomposed) {
        step.ops.normHeads(x, norm, heads);
        return;
    }
    const float before = step.statistics ? varianceOf(step, x) : 0.0F;
    normalizeGroups(step, of, x, norm, heads, x, [&] { return before; });
}

void normalizedHeads(Step& step, Component of, Matrix& x, const Norm& norm, std::int64_t heads)
{
    step.component(of, x, [&] { normalizeHeads(step, of, x, norm, heads); });
}

void activated(Step& step, Activation kind, const Matrix& x, const Matrix* multiplier, Matrix& out)
{
    constexpr Component kActivation = Component::Activation;
    Ops& ops = step.ops;
    step.component(kActivation, out, [&] {
        if (!step.decomposed) {
            ops.activate(kind, x, multiplier, out); // [rows, inter]
            return;
        }
        Matrix& values = step.ws.activated;
        step.operation(
            kActivation, Operation::Activation, values,
            [&] { ops.activate(kind, x, nullptr, values); }, // [rows, inter]
            [&](float) {
                return OperationFigures{.activation_kill_ratio =
                                            static_cast<float>(ops.negativeFraction(x))};
            });
        if (multiplier) {
            step.operation(kActivation, Operation::GateMultiply, out,
                           [&] { ops.multiply(values, *multiplier, out); }); // [rows, inter]
        } else {
            std::swap(values, out);
        }
    });
}

void rotatedFirst(Step& step, Matrix& queries, Matrix& keys, const AttentionShape& shape,
                  const RotaryAngles& angles)
{
    step.component(Component::Attention, queries, [&] {
        const auto rotate = [&] {
            step.ops.rotateHeads(queries, shape.heads, shape, angles);
            step.ops.rotateHeads(keys, shape.kv_heads, shape, angles);
        };
        if (step.decomposed)
            step.operation(Component::Attention, Operation::Rotary, queries, rotate);
        else
            rotate();
    });
}

void attended(Step& step, Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
              Matrix& out)
{
    step.component(Component::Attention, out, [&] {
        if (!step.decomposed) {
            step.ops.attention(queries, shape, angles, step.sequences, step.layer, out);
            return;
        }
        step.operation(Component::Attention, Operation::Rotary, queries, [&] {
            step.ops.rotate(queries, shape, angles, step.sequences, step.layer);
        });
        attendInBlocks(step, queries, shape, out);
    });
}

} // namespace ep::model
