// SPDX-License-Identifier: GPL-3.0-or-later
// Operations that read weights as stored: embedding and matmuls.
#include "cpu_ops.h"
#include "cpu_ops_impl.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ep::model {
namespace {

// Approximate size of the pieces of weights that threads claim; shorter ones break prefetching.
constexpr std::int64_t kPieceBytes = 1 << 18;
constexpr std::int64_t kRowsAtOnce = 4; // rows per kernel call
constexpr std::int64_t kBlockRowsAtOnce = 8; // rows of blocks that stay in the first-level cache
// Rows that are packed at a time: their panels stay in the second- or third-level cache.
constexpr std::int64_t kPackedRows = 256;
constexpr std::int64_t kPanelOutputs = 96; // most outputs claimed at a time
constexpr std::int64_t kTileOutputs = 12; // claimed outputs are a multiple of this
// Pieces of a matmul per thread; more than one, so that a preempted thread leaves work to others.
// Each piece packs the input again.
constexpr std::int64_t kPiecesOfThread = 2;
constexpr std::int64_t kMinColumns = 64; // minimum columns of a piece
constexpr std::int64_t kTileValues = 1 << 20; // dequantized values of a weight

WeightRows rowsOf(const Weight& weight, const float* bias)
{
    return {.values = weight.data,
            .columns = weight.columns,
            .scales = weight.scale_data,
            .bias = bias,
            .groups = weight.groups};
}

WeightRows rowsOf(const Linear& layer)
{
    return rowsOf(layer.weight, layer.bias.data);
}

// Rows of a matmul that a thread claims at a time. All threads get the same number of pieces, so
// that none waits for a last piece.
std::int64_t rowsOfPiece(const Weight& w, std::int64_t threads)
{
    const std::int64_t values = w.rows * w.columns;
    if (values < kSerialWork)
        return w.rows;
    const std::int64_t share = bytesOf(w.dtype, values) / threads;
    const std::int64_t pieces =
        threads * std::max<std::int64_t>(1, (share + kPieceBytes / 2) / kPieceBytes);
    return ((w.rows + pieces - 1) / pieces + kRowsAtOnce - 1) / kRowsAtOnce * kRowsAtOnce;
}

void dequantizeRow(const Kernels& k, const Weight& w, std::int64_t row, float* out)
{
    matmulsFor(k, w.dtype).dequantizeRow(rowsOf(w, nullptr), row, out);
}

// The thread's own memory, starting at a cache line, because vectors that cross lines take twice
// as long.
float* scratchOf(std::size_t values)
{
    constexpr std::size_t kLine = 64;
    thread_local std::vector<float> memory;
    std::size_t room = (values + kLine) * sizeof(float);
    if (memory.size() < values + kLine)
        memory.resize(values + kLine);
    void* start = memory.data();
    return static_cast<float*>(std::align(kLine, values * sizeof(float), start, room));
}

// A view for LibTorch. Takes a few microseconds, so it is used only for several rows.
at::Tensor view(const Matrix& x)
{
    return at::from_blob(x.data, {x.rows, x.columns}, {x.stride, 1}, at::kFloat);
}

} // namespace

void CpuOps::embed(const Weight& table, std::span<const text::TokenId> ids, Matrix& out)
{
    prepare(out, static_cast<std::int64_t>(ids.size()), table.columns);
    for (std::int64_t row = 0; row < out.rows; ++row)
        dequantizeRow(m_kernels, table, ids[static_cast<std::size_t>(row)], out.row(row));
}

void CpuOps::linear(const Matrix& x, const Linear& layer, Matrix& out)
{
    prepare(out, x.rows, layer.weight.rows);
    const Weight& w = layer.weight;
    const bool many = areMany(x);
    if (inBlocks(w.dtype) && !many) {
        multiplyBlocks(x, layer, out);
    } else if ((x.rows == 1 && !many) || m_like == RowsLike::One) {
        multiplyRowsApart(x, layer, out);
    } else if (!many) {
        multiplyFewRows(x, layer, out);
    } else if (m_choice.many(w.dtype) == ManyWay::Blas) {
        multiplyRowsByBlas(x, layer, out);
    } else {
        multiplyPanels(x, layer, out);
    }
    askForStats(out);
}

// Whether the rows are packed before they are multiplied.
bool CpuOps::areMany(const Matrix& x) const
{
    return m_like == RowsLike::Many || (m_like == RowsLike::Usual && x.rows > kFewRows);
}

// Calls job(first, count) for pieces of a matmul's outputs, each computed by the library.
template <typename Job>
void CpuOps::divide(std::int64_t outputs, Job&& job)
{
    std::int64_t grain = outputs;
    if (m_dividesMatmuls) {
        const std::int64_t pieces = kPiecesOfThread * m_pool->threads();
        grain = std::max(kMinColumns, (outputs + pieces - 1) / pieces);
    }
    m_pool->runRanges(outputs, grain, 1, [&](std::int64_t begin, std::int64_t end) {
        const c10::InferenceMode noGradients; // a per-thread setting
        job(begin, end - begin);
    });
}

void CpuOps::multiplyRowByBlas(const Matrix& x, const Linear& layer, Matrix& out)
{
    const at::Tensor input = view(x).select(0, 0);
    const at::Tensor output = view(out).select(0, 0);
    divide(out.columns, [&](std::int64_t first, std::int64_t count) {
        at::Tensor part = output.narrow(0, first, count);
        at::mv_out(part, layer.weight.tensor.narrow(0, first, count), input);
    });
    if (layer.bias.data)
        m_kernels.add(out.data, layer.bias.data, out.columns);
}

// Calls multiply(row of activations, begin, end) for ranges of the rows of the weight. A few rows
// of weights at a time stay in the first-level cache for all rows of activations.
template <typename Multiply>
void CpuOps::runRows(const Weight& w, std::int64_t count, Multiply&& multiply)
{
    m_pool->runRanges(w.rows, rowsOfPiece(w, m_pool->threads()), kRowsAtOnce,
                      [&](std::int64_t begin, std::int64_t end) {
                          const std::int64_t step = count == 1 ? end - begin : kBlockRowsAtOnce;
                          for (std::int64_t row = begin; row < end; row += step) {
                              for (std::int64_t i = 0; i < count; ++i)
                                  multiply(i, row, std::min(end, row + step));
                          }
                      });
}

// Multiplies each row with the kernel for a single row, so that its result has the same bits.
void CpuOps::multiplyRowsApart(const Matrix& x, const Linear& layer, Matrix& out)
{
    const Weight& w = layer.weight;
    const auto shape = m_choice.row(w.dtype, w.columns);
    if (!shape) {
        for (std::int64_t i = 0; i < x.rows; ++i) {
            const Matrix row = x.rowsFrom(i, 1);
            Matrix to = out.rowsFrom(i, 1);
            multiplyRowByBlas(row, layer, to);
        }
        return;
    }
    const MatmulKernels& matmuls = matmulsFor(m_kernels, w.dtype);
    const bool inPairs = *shape == RowShape::Pairs;
    const auto multiply =
        inPairs ? matmuls.pairs.row : matmuls.row[static_cast<std::size_t>(*shape)];
    const float* activations = x.data;
    std::int64_t stride = x.stride;
    if (inPairs) { // once, on this thread, which takes less time than waking another
        stride = (x.columns + kMinPairColumns - 1) / kMinPairColumns * kMinPairColumns;
        m_panels.resize(x.rows, stride);
        for (std::int64_t i = 0; i < x.rows; ++i)
            matmuls.pairs.roundRow(x.row(i), x.columns, m_panels.data + i * stride);
        activations = m_panels.data;
    }
    const WeightRows rows = rowsOf(layer);
    runRows(w, x.rows, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
        multiply(rows, activations + i * stride, out.row(i), begin, end);
    });
}

// Rounds the activations once, on this thread, which takes less time than waking another one.
void CpuOps::multiplyBlocks(const Matrix& x, const Linear& layer, Matrix& out)
{
    const Weight& w = layer.weight;
    const auto multiply = matmulsFor(m_kernels, w.dtype).blockRow;
    const WeightRows rows = rowsOf(layer);
    m_rounded.resize(x.rows, x.columns);
    for (std::int64_t i = 0; i < x.rows; ++i)
        m_rounded.round(m_kernels, i, x.row(i), x.columns);
    runRows(w, x.rows, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
        multiply(rows, m_rounded.row(i), out.row(i), begin, end);
    });
}

void CpuOps::multiplyFewRows(const Matrix& x, const Linear& layer, Matrix& out)
{
    const Weight& w = layer.weight;
    const auto multiply = matmulsFor(m_kernels, w.dtype).fewRows;
    const WeightRows rows = rowsOf(layer);
    m_pool->runRanges(w.rows, rowsOfPiece(w, m_pool->threads()), kRowsAtOnce,
                      [&](std::int64_t begin, std::int64_t end) {
                          multiply(rows, x.data, x.stride, x.rows, out.data, out.stride, begin,
                                   end);
                      });
}

void CpuOps::multiplyPanels(const Matrix& x, const Linear& layer, Matrix& out)
{
    const Weight& w = layer.weight;
    const MatmulKernels& matmuls = matmulsFor(m_kernels, w.dtype);
    const bool inPairs = m_choice.many(w.dtype) == ManyWay::Pairs && x.columns >= kMinPairColumns;
    const auto pack = inPairs ? matmuls.pairs.pack : m_kernels.packPanel;
    const auto multiply = inPairs ? matmuls.pairs.multiply : matmuls.manyRows;
    const WeightRows rows = rowsOf(layer);
    const std::int64_t panelRows = m_kernels.panel_rows;
    const std::int64_t round = kPiecesOfThread * m_pool->threads(); // same number for all threads
    const std::int64_t pieces =
        round * ((w.rows + kPanelOutputs * round - 1) / (kPanelOutputs * round));
    const std::int64_t outputs =
        ((w.rows + pieces - 1) / pieces + kTileOutputs - 1) / kTileOutputs * kTileOutputs;
    for (std::int64_t first = 0; first < x.rows; first += kPackedRows) {
        const std::int64_t count = std::min(kPackedRows, x.rows - first);
        const std::int64_t panels = (count + panelRows - 1) / panelRows;
        m_panels.resize(panels * panelRows, x.columns);
        m_pool->run(panels, [&](std::int64_t panel) {
            pack(x.row(first), x.stride, count, x.columns, panel, m_panels.data);
        });
        const auto scratch = static_cast<std::size_t>(m_kernels.panelScratch(count));
        m_pool->runRanges(w.rows, outputs, kTileOutputs, [&](std::int64_t begin, std::int64_t end) {
            multiply(rows, m_panels.data, count, scratchOf(scratch), out.row(first), out.stride,
                     begin, end);
        });
    }
}

// output[rows, out] = input[rows, in] weight[out, in]^T
void CpuOps::multiply(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& output)
{
    divide(weight.size(0), [&](std::int64_t first, std::int64_t count) {
        at::Tensor part = output.narrow(1, first, count);
        at::mm_out(part, input, weight.narrow(0, first, count).t());
    });
}

void CpuOps::multiplyRowsByBlas(const Matrix& x, const Linear& layer, Matrix& out)
{
    const Weight& w = layer.weight;
    const at::Tensor input = view(x); // [rows, in]
    const at::Tensor output = view(out); // [rows, out]
    if (w.dtype == DType::F32) {
        multiply(input, w.tensor, output);
    } else {
        const std::int64_t tileRows = std::clamp<std::int64_t>(kTileValues / w.columns, 1, w.rows);
        for (std::int64_t first = 0; first < w.rows; first += tileRows) {
            m_tile.resize(std::min(tileRows, w.rows - first), w.columns);
            forEachRow(m_tile.rows, m_tile.columns, [&](std::int64_t row) {
                dequantizeRow(m_kernels, w, first + row, m_tile.row(row));
            });
            multiply(input, view(m_tile), output.narrow(1, first, m_tile.rows));
        }
    }
    if (layer.bias.data) {
        forEachRow(out.rows, out.columns, [&](std::int64_t row) {
            m_kernels.add(out.row(row), layer.bias.data, out.columns);
        });
    }
}

} // namespace ep::model
