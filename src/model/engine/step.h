// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ops.h"

#include "ep/core/cancel.h"
#include "ep/model/observer.h"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ep::model {

// Which rows of a step go to which expert, and with what weight.
struct Routing {
    std::vector<std::vector<std::int64_t>> rows; // of each expert
    std::vector<std::vector<float>> weights;
};

// Matrices that live as long as a generation and are overwritten layer by layer.
struct Workspace {
    Matrix x; // [rows, hidden], the residual stream
    Matrix normed; // [rows, hidden]
    Matrix q; // [rows, heads * head_dim]
    Matrix k; // [rows, kv_heads * head_dim]
    Matrix v; // [rows, kv_heads * head_dim]
    Matrix qkv; // where a family fuses them
    Matrix context; // [rows, heads * head_dim]
    Matrix branch; // [rows, hidden], what a block adds to x
    Matrix second_branch; // [rows, hidden], where attention and MLP run side by side
    Matrix gate; // [rows, intermediate]
    Matrix up; // [rows, intermediate]
    Matrix gate_up; // where a family fuses them
    Matrix last_rows; // [sequences, hidden]
    Matrix final_normed; // [sequences or rows, hidden]
    Matrix logits; // [sequences or rows, vocabulary]
    std::array<RotaryAngles, 2> angles; // of each kind of rotation that the decoder has
    Matrix router; // [rows, experts]
    Matrix expert_rows; // [rows of one expert, hidden]
    Matrix expert_out; // the same
    Routing routing;
    std::vector<RotaryRows> rotary_rows;
    std::vector<std::int64_t> last_indices; // of last_rows in x
    std::vector<TokenId> positions; // of the rows, where positions are learned
    Matrix position_rows; // [rows, hidden]
};

// Does a part of the work that makes no matrix under its tap.
template <typename Work>
void tapSection(Observer* observer, Section name, Work&& work)
{
    const Tap tap = Tap::ofSection(name);
    const bool wanted = observer && observer->wants(tap);
    if (wanted)
        observer->began(tap);
    work();
    if (wanted)
        observer->ended(tap, nullptr);
}

// What an observer may ask about a matrix.
class MatrixProbe final : public TensorProbe {
public:
    // parts: the inputs of an activation are the first of so many parts of the columns.
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
    std::int64_t count() const override { return m_ops.count(m_matrix); }
    double negativeFraction() const override
    {
        return m_parts == 1 ? m_ops.negativeFraction(m_matrix)
                            : m_ops.negativeFraction(m_matrix.slice(0, m_matrix.columns / m_parts));
    }

private:
    Ops& m_ops;
    const Matrix& m_matrix;
    std::int64_t m_parts;
};

// One forward pass: new rows of one or several sequences, those of a sequence together, in order.
struct Step {
    Ops& ops;
    std::span<const SequenceRows> sequences;
    Workspace& ws;
    Observer* observer; // may be null
    const CancelToken& cancel;
    int layer = 0; // being computed
    // Where to write the entropies of the attention of the last row, [layer][head]; may be null.
    std::vector<std::vector<double>>* entropies = nullptr;

    // Does a part of the work under its tap; output is the matrix that the part leaves behind.
    // Without an observer this costs one branch.
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
    // Of a component whose output holds the inputs of an activation in its first half.
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

private:
    template <typename Work>
    void tapped(const Tap& tap, const Matrix& output, Work&& work, std::int64_t parts = 1)
    {
        if (!observer || !observer->wants(tap)) {
            work();
            return;
        }
        observer->began(tap);
        work();
        const MatrixProbe probe(ops, output, parts);
        observer->ended(tap, &probe);
    }
};

} // namespace ep::model
