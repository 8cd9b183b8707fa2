// SPDX-License-Identifier: GPL-3.0-or-later
#include "tape.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ep::model {

namespace {

Matrix copyOf(const Matrix& matrix)
{
    Matrix copy;
    if (!matrix.data) {
        copy = matrix;
        copy.tensor = matrix.tensor.clone();
        return copy;
    }
    copy.resize(matrix.rows, matrix.columns);
    for (std::int64_t row = 0; row < matrix.rows; ++row)
        std::copy_n(matrix.row(row), matrix.columns, copy.row(row));
    return copy;
}

RotaryAngles copyOf(const RotaryAngles& angles)
{
    return {copyOf(angles.cosines), copyOf(angles.sines)};
}

template <typename T>
std::vector<T> copyOf(std::span<const T> values)
{
    return {values.begin(), values.end()};
}

// A matrix that an operation changes in place. Its values keep their size for a few repetitions;
// then they are restored, so that they neither grow nor vanish.
class InPlace {
public:
    explicit InPlace(const Matrix& matrix)
        : m_kept(copyOf(matrix))
        , m_used(copyOf(matrix))
    {
    }

    Matrix& next()
    {
        constexpr int kUses = 8;
        if (++m_uses % kUses != 0)
            return m_used;
        if (m_kept.data)
            std::memcpy(m_used.data, m_kept.data,
                        static_cast<std::size_t>(m_kept.rows * m_kept.columns) * sizeof(float));
        else
            m_used.tensor.copy_(m_kept.tensor);
        return m_used;
    }

private:
    Matrix m_kept;
    Matrix m_used;
    int m_uses = 0;
};

std::shared_ptr<InPlace> inPlace(const Matrix& matrix)
{
    return std::make_shared<InPlace>(matrix);
}

// Rows of sequences, with the lengths that their caches had.
class KeptSequences {
public:
    explicit KeptSequences(std::span<const SequenceRows> sequences)
        : m_rows(sequences.begin(), sequences.end())
    {
        for (const SequenceRows& rows : m_rows)
            m_lengths.push_back(rows.cache->length());
    }

    std::span<const SequenceRows> placed() const
    {
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            m_rows[i].cache->advance(m_lengths[i] - m_rows[i].cache->length());
        return m_rows;
    }

    // Size of the keys and values that attention reads.
    std::int64_t bytes(const AttentionShape& shape, const at::TensorOptions& options) const
    {
        std::int64_t positions = 0;
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const std::int64_t seen = m_lengths[i] + m_rows[i].count;
            positions += shape.window ? std::min<std::int64_t>(seen, *shape.window) : seen;
        }
        return positions * shape.kv_heads * (shape.head_dim + shape.values())
            * static_cast<std::int64_t>(options.dtype().itemsize());
    }

private:
    std::vector<SequenceRows> m_rows;
    std::vector<std::int64_t> m_lengths;
};

// Makes an argument of a repeated operation from what the tape kept for it.
template <typename Kept>
const Kept& given(const Kept& kept)
{
    return kept;
}

Matrix& given(const std::shared_ptr<InPlace>& kept)
{
    return kept->next();
}

const Matrix* given(const std::optional<Matrix>& kept)
{
    return kept ? &*kept : nullptr;
}

std::span<const SequenceRows> given(const KeptSequences& kept)
{
    return kept.placed();
}

std::int64_t bytesOf(const Weight& weight)
{
    std::int64_t bytes = bytesOf(weight.dtype, weight.rows * weight.columns);
    for (const at::Tensor* const factors : {&weight.scales, &weight.biases, &weight.row_scales})
        bytes += factors->defined() ? static_cast<std::int64_t>(factors->nbytes()) : 0;
    return bytes;
}

std::int64_t bytesOf(const WeightVector& vector)
{
    return vector.tensor.defined() ? vector.tensor.numel() * 4 : 0;
}

std::string nameOf(const Tap& tap)
{
    return std::string(tap.kind == TapKind::Component ? ep::name(tap.component)
                                                      : ep::name(tap.section));
}

} // namespace

Tape::Tape(Ops& ops)
    : m_ops(ops)
{
}

void Tape::beginToken()
{
    m_tokens.emplace_back();
    m_open.clear();
}

bool Tape::isPart(const Tap& tap, std::size_t part) const
{
    const Tap& own = m_taps[part];
    return tap.kind == own.kind
        && (tap.kind == TapKind::Component ? tap.component == own.component
                                           : tap.section == own.section);
}

bool Tape::wants(const Tap& tap)
{
    return tap.kind == TapKind::Component || tap.kind == TapKind::Section;
}

void Tape::began(const Tap& tap)
{
    m_open.push_back(tap);
}

void Tape::ended(const Tap& /*tap*/, const TensorProbe* /*output*/)
{
    m_open.pop_back();
}

void Tape::record(std::int64_t bytes, std::function<void(Ops&)> run)
{
    if (m_tokens.empty() || m_open.empty())
        return;
    const Tap& tap = m_open.back();
    std::size_t part = 0;
    while (part < m_parts.size() && !isPart(tap, part))
        ++part;
    if (part == m_parts.size()) {
        m_parts.push_back({.name = nameOf(tap)});
        m_taps.push_back(tap);
    }
    if (m_tokens.size() == 1) {
        ++m_parts[part].calls;
        m_parts[part].bytes += bytes;
    }
    m_tokens.back().calls.push_back({.part = part,
                                     .layer = tap.kind == TapKind::Component ? tap.layer : -1,
                                     .run = std::move(run)});
}

template <typename Result, typename... Parameters, typename... Kept>
void Tape::keep(std::int64_t bytes, Result (Ops::*operation)(Parameters...), Kept... kept)
{
    record(bytes, [operation, ... kept = std::move(kept)](Ops& ops) {
        static_cast<void>((ops.*operation)(given(kept)...));
    });
}

void Tape::embed(const Weight& table, std::span<const text::TokenId> ids, Matrix& out)
{
    keep(static_cast<std::int64_t>(ids.size()) * table.columns * rowOf(table.dtype).bytes,
         &Ops::embed, std::cref(table), copyOf(ids), std::ref(m_scratch));
    m_ops.embed(table, ids, out);
}

void Tape::scale(Matrix& x, float factor)
{
    keep(0, &Ops::scale, inPlace(x), factor);
    m_ops.scale(x, factor);
}

void Tape::angles(const Rope& rope, std::span<const RotaryRows> rows, RotaryAngles& out)
{
    keep(0, &Ops::angles, std::cref(rope), copyOf(rows), std::ref(m_scratchAngles));
    m_ops.angles(rope, rows, out);
}

void Tape::linear(const Matrix& x, const Linear& layer, Matrix& out)
{
    keep(bytesOf(layer.weight) + bytesOf(layer.bias), &Ops::linear, copyOf(x), std::cref(layer),
         std::ref(m_scratch));
    m_ops.linear(x, layer, out);
}

void Tape::norm(const Matrix& x, const Norm& norm, Matrix& out)
{
    keep(bytesOf(norm.weight) + bytesOf(norm.bias), &Ops::norm, copyOf(x), std::cref(norm),
         std::ref(m_scratch));
    m_ops.norm(x, norm, out);
}

void Tape::normHeads(Matrix& x, const Norm& norm, std::int64_t heads)
{
    keep(bytesOf(norm.weight) + bytesOf(norm.bias), &Ops::normHeads, inPlace(x), std::cref(norm),
         heads);
    m_ops.normHeads(x, norm, heads);
}

void Tape::add(Matrix& x, const Matrix& y)
{
    keep(0, &Ops::add, inPlace(x), copyOf(y));
    m_ops.add(x, y);
}

void Tape::activate(Activation kind, const Matrix& x, const Matrix* multiplier, Matrix& out)
{
    std::optional<Matrix> other;
    if (multiplier != nullptr)
        other = copyOf(*multiplier);
    keep(0, &Ops::activate, kind, copyOf(x), std::move(other), std::ref(m_scratch));
    m_ops.activate(kind, x, multiplier, out);
}

void Tape::softCap(Matrix& x, float cap)
{
    keep(0, &Ops::softCap, inPlace(x), cap);
    m_ops.softCap(x, cap);
}

void Tape::pick(const Matrix& x, std::span<const ColumnRun> runs, Matrix& out)
{
    keep(0, &Ops::pick, copyOf(x), copyOf(runs), std::ref(m_scratch));
    m_ops.pick(x, runs, out);
}

void Tape::convolve(const Matrix& x, const Convolution& convolution,
                    std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    keep(bytesOf(convolution.weights) + bytesOf(convolution.bias), &Ops::convolve, copyOf(x),
         std::cref(convolution), KeptSequences(sequences), layer, std::ref(m_scratch));
    m_ops.convolve(x, convolution, sequences, layer, out);
}

void Tape::decay(const Matrix& x, const StateDecay& by, Matrix& steps, Matrix& decays)
{
    keep(bytesOf(by.rate) + bytesOf(by.bias), &Ops::decay, copyOf(x), std::cref(by),
         std::ref(m_scratch), std::ref(m_secondScratch));
    m_ops.decay(x, by, steps, decays);
}

// When repeated, the state continues from where it is: with the same inputs it stays bounded,
// because it decays.
void Tape::recur(const StateInputs& inputs, const StateShape& shape,
                 std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    const std::int64_t state = shape.value_heads * shape.key_dim * shape.value_dim
        * static_cast<std::int64_t>(sizeof(float) * sequences.size());
    record(2 * state, // both read and written
           [this, q = copyOf(inputs.queries), k = copyOf(inputs.keys), v = copyOf(inputs.values),
            factors = copyOf(inputs.factors), decays = copyOf(inputs.decays), &shape,
            rows = KeptSequences(sequences), layer](Ops& ops) {
               ops.recur({q, k, v, factors, decays}, shape, rows.placed(), layer, m_scratch);
           });
    m_ops.recur(inputs, shape, sequences, layer, out);
}

void Tape::splitPairs(const Matrix& x, Matrix& even, Matrix& odd)
{
    keep(0, &Ops::splitPairs, copyOf(x), std::ref(m_scratch), std::ref(m_secondScratch));
    m_ops.splitPairs(x, even, odd);
}

void Tape::clamp(Matrix& x, float limit)
{
    keep(0, &Ops::clamp, inPlace(x), limit);
    m_ops.clamp(x, limit);
}

void Tape::clampGates(Matrix& gate, Matrix& up, float limit)
{
    keep(0, &Ops::clampGates, inPlace(gate), inPlace(up), limit);
    m_ops.clampGates(gate, up, limit);
}

void Tape::rotateHeads(Matrix& x, int heads, const AttentionShape& shape,
                       const RotaryAngles& angles)
{
    keep(0, &Ops::rotateHeads, inPlace(x), heads, shape, copyOf(angles));
    m_ops.rotateHeads(x, heads, shape, angles);
}

void Tape::place(const Matrix& x, Matrix& out, std::int64_t column)
{
    const std::int64_t columns = out.columns;
    record(0, [this, kept = copyOf(x), columns, column](Ops& ops) {
        ops.room(kept, columns, m_scratch);
        ops.place(kept, m_scratch, column);
    });
    m_ops.place(x, out, column);
}

void Tape::store(const Matrix& keys, const Matrix& values, const AttentionShape& shape,
                 std::span<const SequenceRows> sequences, int layer)
{
    keep(0, &Ops::store, copyOf(keys), copyOf(values), shape, KeptSequences(sequences), layer);
    m_ops.store(keys, values, shape, sequences, layer);
}

void Tape::attention(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                     std::span<const SequenceRows> sequences, int layer, Matrix& out)
{
    KeptSequences rows(sequences);
    const std::int64_t bytes = rows.bytes(shape, m_ops.cacheOptions());
    keep(bytes, &Ops::attention, inPlace(queries), shape, copyOf(angles), std::move(rows), layer,
         std::ref(m_scratch));
    m_ops.attention(queries, shape, angles, sequences, layer, out);
}

void Tape::gather(const Matrix& x, std::span<const std::int64_t> rows, Matrix& out)
{
    keep(0, &Ops::gather, copyOf(x), copyOf(rows), std::ref(m_scratch));
    m_ops.gather(x, rows, out);
}

void Tape::clear(const Matrix& like, Matrix& out)
{
    keep(0, &Ops::clear, copyOf(like), std::ref(m_scratch));
    m_ops.clear(like, out);
}

void Tape::addRows(const Matrix& x, std::span<const std::int64_t> rows,
                   std::span<const float> factors, Matrix& out)
{
    keep(0, &Ops::addRows, copyOf(x), copyOf(rows), copyOf(factors), inPlace(out));
    m_ops.addRows(x, rows, factors, out);
}

std::span<const float> Tape::host(const Matrix& x, std::int64_t row)
{
    keep(0, &Ops::host, copyOf(x), row);
    return m_ops.host(x, row);
}

} // namespace ep::model
