// SPDX-License-Identifier: GPL-3.0-or-later
// Operations that a tape passes on without recording them: statistics, and the steps of a
// decomposed pass.
#include "tape.h"

namespace ep::model {

Matrix Tape::lastRow(const Matrix& x)
{
    return m_ops.lastRow(x);
}

ActivationStats Tape::stats(const Matrix& x, float threshold)
{
    return m_ops.stats(x, threshold);
}

void Tape::means(const Matrix& x, std::int64_t groups, Matrix& out)
{
    m_ops.means(x, groups, out);
}

void Tape::variances(const Matrix& x, const Matrix* means, std::int64_t groups, Matrix& out)
{
    m_ops.variances(x, means, groups, out);
}

void Tape::normalize(const Matrix& x, const Matrix* means, const Matrix& variances, float epsilon,
                     Matrix& out)
{
    m_ops.normalize(x, means, variances, epsilon, out);
}

void Tape::scaleShift(Matrix& x, const Norm& norm, std::int64_t groups)
{
    m_ops.scaleShift(x, norm, groups);
}

void Tape::multiply(const Matrix& x, const Matrix& y, Matrix& out)
{
    m_ops.multiply(x, y, out);
}

void Tape::rotate(Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
                  std::span<const SequenceRows> sequences, int layer)
{
    m_ops.rotate(queries, shape, angles, sequences, layer);
}

std::int64_t Tape::blockRows(const AttentionShape& shape,
                             std::span<const SequenceRows> sequences) const
{
    return m_ops.blockRows(shape, sequences);
}

void Tape::scoreKeys(const Matrix& queries, const AttentionShape& shape,
                     std::span<const SequenceRows> sequences, int layer, ScoreBlock& block)
{
    m_ops.scoreKeys(queries, shape, sequences, layer, block);
}

void Tape::scaleScores(const AttentionShape& shape, ScoreBlock& block)
{
    m_ops.scaleScores(shape, block);
}

void Tape::maskScores(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                      ScoreBlock& block)
{
    m_ops.maskScores(shape, sequences, block);
}

void Tape::softmaxScores(const AttentionShape& shape, ScoreBlock& block)
{
    m_ops.softmaxScores(shape, block);
}

void Tape::weighValues(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                       int layer, const ScoreBlock& block, std::int64_t rows, Matrix& out)
{
    m_ops.weighValues(shape, sequences, layer, block, rows, out);
}

void Tape::headFigures(const AttentionShape& shape, std::span<const SequenceRows> sequences,
                       const ScoreBlock& block, HeadFigures& out)
{
    m_ops.headFigures(shape, sequences, block, out);
}

std::vector<float> Tape::attentionWeights(const Matrix& queries, const AttentionShape& shape,
                                          const SequenceRows& rows, std::int64_t row, int layer)
{
    return m_ops.attentionWeights(queries, shape, rows, row, layer);
}

} // namespace ep::model
