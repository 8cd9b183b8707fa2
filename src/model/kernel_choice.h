// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/kernels.h"

#include "ep/core/result.h"
#include "ep/model/dtype.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Which kernels compute the products on the processor. There is no best one: four adjacent rows at
// a time with prefetching reach the memory's rate on one processor and half of it on another. So
// the candidates are measured (kernel_measurement.h), for each type and number of columns of a
// model, and the result is kept for the processor (kernel_store.h).
namespace ep::model {

// What a choice is made for: weights of this type with this many columns.
struct WeightKind {
    DType dtype = DType::F32;
    std::int64_t columns = 0;

    bool operator==(const WeightKind&) const = default;
};

// A shape of our kernels, or the BLAS behind LibTorch (f32 only): nullopt.
using RowWay = std::optional<RowShape>;

std::string_view nameOf(RowWay way); // "four", "one", .. "blas"
std::optional<RowWay> rowWayNamed(std::string_view name);
// Not pairs where these kernels have none, nor the BLAS for narrow weights.
bool canMultiplyRow(DType dtype, RowWay way);

// The best one on every processor measured so far, or within a few percent of the best.
inline constexpr RowShape kUsualShape = RowShape::SpreadAhead;

// How many rows of activations are multiplied.
enum class ManyWay : std::uint8_t {
    Panels, // packed, by our kernels, in f32
    Pairs, // likewise, by native products of pairs of 16-bit numbers (PairKernels)
    Blas, // the BLAS behind LibTorch, for which narrow weights are dequantized in blocks
};

std::string_view manyWayName(ManyWay way); // "panels", "pairs", "blas"
std::optional<ManyWay> manyWayNamed(std::string_view name);

class KernelChoice {
public:
    // How one row of activations is multiplied by such weights: as chosen, or the usual way.
    RowWay row(DType dtype, std::int64_t columns) const
    {
        for (const auto& [kind, way] : m_rows) {
            if (kind.columns == columns && kind.dtype == dtype)
                return way;
        }
        return kUsualShape;
    }
    ManyWay many(DType dtype) const { return m_many[static_cast<std::size_t>(dtype)]; }

    void setRow(const WeightKind& kind, RowWay way); // the usual one where it is impossible
    void setMany(DType dtype, ManyWay way); // pairs: panels where these kernels have none

    // "one row: bf16 x 768 one, bf16 x 2048 one-ahead; many rows: panels", for the weights of a
    // model
    std::string describe(std::span<const WeightKind> weights) const;

private:
    std::vector<std::pair<WeightKind, RowWay>> m_rows;
    std::array<ManyWay, kDTypes.size()> m_many{}; // by DType
};

// What a person asked for with --kernels: "auto" (as stored for this processor, else measured),
// "measure" (again), or choices separated by commas, which replace the automatic ones: a way for
// all numbers of columns (one), for one of them (2048=four), or for many rows (many=panels,
// many=pairs or many=blas).
struct KernelWish {
    bool measure = false;
    std::optional<RowWay> all{};
    std::vector<std::pair<std::int64_t, RowWay>> of_columns{};
    std::optional<ManyWay> many{};

    bool complete() const { return all && many; } // nothing is left to be measured
    void apply(std::span<const WeightKind> weights, KernelChoice& choice) const;
};

Result<KernelWish> parseKernelWish(std::string_view text);

} // namespace ep::model
