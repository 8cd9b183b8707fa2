// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ops.h"
#include "value_stats.h"

#include "ep/core/cancel.h"
#include "ep/model/engine.h"
#include "ep/model/observer.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ep::model {

// Assignment of the rows of a step to experts, with weights.
struct Routing {
    struct Choice {
        int expert = 0;
        float weight = 0.0F;
    };

    std::vector<std::vector<std::int64_t>> rows; // rows of each expert
    std::vector<std::vector<float>> weights;
    std::vector<Choice> choices; // choices of one row
    std::vector<float> choosing; // values that decided the choice
};

// Matrices that exist for a whole generation and are overwritten layer by layer.
struct Workspace {
    Matrix x; // [rows, hidden], the residual stream
    Matrix normed; // [rows, hidden]
    Matrix q; // [rows, heads * head_dim]
    Matrix k; // [rows, kv_heads * head_dim]
    Matrix v; // [rows, kv_heads * head_dim]
    Matrix qkv; // for families that fuse them
    Matrix context; // [rows, heads * head_dim]
    Matrix branch; // [rows, hidden], what a block adds to x
    Matrix second_branch; // [rows, hidden], if attention and MLP run in parallel
    Matrix gate; // [rows, intermediate]
    Matrix up; // [rows, intermediate]
    Matrix gate_up; // for families that fuse them
    Matrix layer_inputs; // [rows, layers * width], for families whose layers have inputs
    Matrix token_inputs; // the part of layer_inputs that comes from the token alone
    Matrix latent; // [rows, kept keys], of latent attention
    Matrix latent_queries; // [rows, heads * kept keys]
    Matrix latent_head; // [rows, kept values or value dimension], of one head
    // For mixers with a state.
    Matrix scaled; // [rows, hidden], the input of one of two mixers
    Matrix mixed; // [rows, all inputs of the mixer, or the part to be convolved]
    Matrix convolved; // [rows, channels]
    Matrix output_gate; // [rows, values]
    Matrix numbers; // [rows, value heads], from which betas and decays are computed
    Matrix betas; // [rows, value heads]
    Matrix steps; // [rows, value heads]
    Matrix decays; // [rows, value heads]
    Matrix last_rows; // [sequences, hidden]
    Matrix final_normed; // [sequences or rows, hidden]
    Matrix logits; // [sequences or rows, vocabulary]
    std::array<RotaryAngles, 2> angles; // for each rotation of the decoder
    Matrix router; // [rows, experts]
    Matrix expert_rows; // [rows of one expert, hidden]
    Matrix expert_out; // [rows of one expert, hidden]
    Routing routing;
    std::vector<RotaryRows> rotary_rows;
    std::vector<std::int64_t> last_indices; // indices of last_rows in x
    std::vector<text::TokenId> embedded_ids; // used if some ids are embedded as others
    std::vector<text::TokenId> positions; // positions of the rows, if positions are learned
    Matrix position_rows; // [rows, hidden]
    // For decomposed steps.
    Matrix activated; // [rows, intermediate]
    Matrix means; // [rows, groups of a norm]
    Matrix variances;
    ScoreBlock scores;
    HeadFigures head_figures;
};

// Runs a part of the work without a matrix output under its tap.
template <typename Work>
void tapPlain(Observer* observer, const Tap& tap, Work&& work)
{
    const bool wanted = observer && observer->wants(tap);
    if (wanted)
        observer->began(tap);
    work();
    if (wanted)
        observer->ended(tap, nullptr);
}

template <typename Work>
void tapSection(Observer* observer, Section name, Work&& work)
{
    tapPlain(observer, Tap::ofSection(name), std::forward<Work>(work));
}

// The observer's view of a matrix.
class MatrixProbe final : public TensorProbe {
public:
    // parts: number of equal parts of the columns; the first one is the input of an activation.
    MatrixProbe(Ops& ops, const Matrix& matrix, std::int64_t parts = 1)
        : m_ops(ops)
        , m_matrix(matrix)
        , m_parts(parts)
    {
    }
    ActivationStats stats(float threshold) const override
    {
        return m_ops.stats(m_matrix, threshold);
    }
    ActivationStats statsOfAllRows(float threshold) const override
    {
        const float shift = m_ops.host(m_matrix, 0)[0];
        ValueSums sums;
        for (std::int64_t row = 0; row < m_matrix.rows; ++row) {
            const std::span<const float> values = m_ops.host(m_matrix, row);
            kernels().accumulate(values.data(), static_cast<std::int64_t>(values.size()), threshold,
                                 shift, sums);
        }
        return statsOf(sums);
    }
    std::int64_t count() const override { return m_ops.count(m_matrix); }
    double negativeFraction() const override
    {
        return m_parts == 1 ? m_ops.negativeFraction(m_matrix)
                            : m_ops.negativeFraction(m_matrix.slice(0, m_matrix.columns / m_parts));
    }
    bool defer(float threshold) const override { return m_ops.deferStats(m_matrix, threshold); }

private:
    Ops& m_ops;
    const Matrix& m_matrix;
    std::int64_t m_parts;
};

// The observer's view of an operation's output; `figures` is called with the threshold.
template <typename Figures>
class OperationProbe final : public TensorProbe {
public:
    OperationProbe(Ops& ops, const Matrix& matrix, const Figures& figures)
        : m_probe(ops, matrix)
        , m_figures(figures)
    {
    }
    ActivationStats stats(float threshold) const override { return m_probe.stats(threshold); }
    ActivationStats statsOfAllRows(float threshold) const override
    {
        return m_probe.statsOfAllRows(threshold);
    }
    std::int64_t count() const override { return m_probe.count(); }
    double negativeFraction() const override { return m_probe.negativeFraction(); }
    bool defer(float threshold) const override { return m_probe.defer(threshold); }
    OperationFigures figures(float threshold) const override { return m_figures(threshold); }

private:
    MatrixProbe m_probe;
    const Figures& m_figures;
};

// Shows only the figures of an operation.
template <typename Figures>
class FiguresProbe final : public TensorProbe {
public:
    explicit FiguresProbe(const Figures& figures)
        : m_figures(figures)
    {
    }
    bool hasStats() const override { return false; }
    ActivationStats stats(float) const override { return {}; }
    std::int64_t count() const override { return 0; }
    double negativeFraction() const override { return 0.0; }
    OperationFigures figures(float threshold) const override { return m_figures(threshold); }

private:
    const Figures& m_figures;
};

// One forward pass: new rows of one or several sequences, grouped by sequence and in order.
struct Step {
    Ops& ops;
    std::span<const SequenceRows> sequences;
    Workspace& ws;
    Observer* observer; // may be null
    const CancelToken& cancel;
    int layer = 0;
    // Receives the attention entropies of the last row, [layer][head]; may be null.
    std::vector<std::vector<double>>* entropies = nullptr;
    // Receives what routers and experts do, [layer]; may be null.
    std::vector<ForwardResult::Experts>* experts = nullptr;
    bool decomposed = false; // computes norms, activations and attention as single operations
    RowsLike like = RowsLike::Usual; // Many: the caches contain the beginning of the prompt
    std::optional<float> statistics{}; // threshold of statistics that will be requested

    // Asks what the observer will request; call before the first operation.
    void askObserver()
    {
        if (observer)
            statistics = observer->statisticsThreshold();
        ops.expectStats(statistics);
    }

    // Runs a part of the work under its tap; output is the matrix that the part produces. Without
    // an observer, this costs one branch.
    template <typename Work>
    void section(Section name, const Matrix& output, Work&& work)
    {
        tapped(Tap::ofSection(name), output, std::forward<Work>(work));
    }
    template <typename Work>
    void component(Component name, const Matrix& output, Work&& work)
    {
        tapped(Tap::ofComponent(layer, name), output, std::forward<Work>(work));
    }
    // Runs a component whose output has the inputs of an activation in its first half.
    template <typename Work>
    void halfActivated(Component name, const Matrix& output, Work&& work)
    {
        tapped(Tap::ofComponent(layer, name), output, std::forward<Work>(work), 2);
    }
    template <typename Work>
    void wholeLayer(const Matrix& output, Work&& work)
    {
        tapped(Tap::ofLayer(layer), output, std::forward<Work>(work));
    }

    // Runs a part of a component, at profiling depth `deep`.
    template <typename Work>
    void operation(Component of, Operation name, const Matrix& output, Work&& work)
    {
        tapped(Tap::ofOperation(layer, of, name), output, std::forward<Work>(work));
    }
    // Runs an operation without a meaningful output.
    template <typename Work>
    void plainOperation(Component of, Operation name, Work&& work)
    {
        tapPlain(observer, Tap::ofOperation(layer, of, name), std::forward<Work>(work));
    }
    // Runs an operation with figures; `figures(threshold)` returns them after the work is done.
    template <typename Work, typename Figures>
    void operation(Component of, Operation name, const Matrix& output, Work&& work,
                   const Figures& figures)
    {
        probed(Tap::ofOperation(layer, of, name), std::forward<Work>(work),
               [&] { return OperationProbe<Figures>(ops, output, figures); });
    }
    // Runs an operation with figures but without statistics.
    template <typename Work, typename Figures>
    void describedOperation(Component of, Operation name, Work&& work, const Figures& figures)
    {
        probed(Tap::ofOperation(layer, of, name), std::forward<Work>(work),
               [&] { return FiguresProbe<Figures>(figures); });
    }

private:
    template <typename Work>
    void tapped(const Tap& tap, const Matrix& output, Work&& work, std::int64_t parts = 1)
    {
        probed(tap, std::forward<Work>(work), [&] { return MatrixProbe(ops, output, parts); });
    }

    template <typename Work, typename MakeProbe>
    void probed(const Tap& tap, Work&& work, const MakeProbe& makeProbe)
    {
        if (!observer || !observer->wants(tap)) {
            work();
            return;
        }
        observer->began(tap);
        work();
        const auto probe = makeProbe();
        observer->ended(tap, &probe);
    }
};

} // namespace ep::model
