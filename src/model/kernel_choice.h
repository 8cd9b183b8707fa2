// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/kernels.h"

#include "ep/core/result.h"
#include "ep/model/dtype.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Chooses the matmul kernels on the processor. None is best everywhere: prefetching gains up to a
// sixth on one processor and costs as much on another. So the candidates are measured
// (kernel_measurement.h) for each type and number of columns in a model, and the result is stored
// for the processor (KernelStore).

namespace ep::model {

// Weights that a choice is made for: of this type and with this many columns.
struct WeightKind {
    DType dtype = DType::F32;
    std::int64_t columns = 0;

    bool operator==(const WeightKind&) const = default;
};

// The shape of one of our kernels, or nullopt for the BLAS behind LibTorch (f32 only).
using RowWay = std::optional<RowShape>;

std::string_view nameOf(RowWay way); // "spread", .. "blas"
std::optional<RowWay> rowWayNamed(std::string_view name);
// Returns false for pairs if these kernels have none, and for the BLAS with narrow weights.
bool canMultiplyRow(DType dtype, RowWay way);

// The best shape on every processor measured so far, or within a few percent of the best.
inline constexpr RowShape kUsualShape = RowShape::SpreadAhead;

// The ways to multiply many rows of activations.
enum class ManyWay : std::uint8_t {
    Panels, // packed, by our kernels, in f32
    Pairs, // packed, by native products of pairs of 16-bit numbers (PairKernels)
    Blas, // the BLAS behind LibTorch, for which narrow weights are dequantized piece by piece
};

std::string_view manyWayName(ManyWay way); // "panels", "pairs", "blas"
std::optional<ManyWay> manyWayNamed(std::string_view name);

class KernelChoice {
public:
    // Returns how one row of activations is multiplied by weights of this type and width: as
    // chosen, or as usual.
    RowWay row(DType dtype, std::int64_t columns) const
    {
        for (const auto& [kind, way] : m_rows) {
            if (kind.columns == columns && kind.dtype == dtype)
                return way;
        }
        return kUsualShape;
    }
    ManyWay many(DType dtype) const { return m_many[static_cast<std::size_t>(dtype)]; }

    void setRow(const WeightKind& kind, RowWay way); // uses the usual way if `way` is impossible
    void setMany(DType dtype, ManyWay way); // replaces pairs by panels if these kernels have none

    // "one row: bf16 x 768 spread, bf16 x 2048 pairs; many rows: panels", for the weights of a
    // model
    std::string describe(std::span<const WeightKind> weights) const;

private:
    std::vector<std::pair<WeightKind, RowWay>> m_rows;
    std::array<ManyWay, kDTypes.size()> m_many{}; // by DType
};

// The user's request with --kernels: "auto" (as stored for this processor, otherwise measured),
// "measure" (again), or choices separated by commas that override the automatic ones: a shape for
// all numbers of columns (spread), for one of them (2048=pairs), or for many rows (many=panels,
// many=pairs or many=blas).
struct KernelWish {
    bool measure = false;
    std::optional<RowWay> all{};
    std::vector<std::pair<std::int64_t, RowWay>> of_columns{};
    std::optional<ManyWay> many{};

    bool complete() const { return all && many; } // whether nothing needs to be measured
    void apply(std::span<const WeightKind> weights, KernelChoice& choice) const;
};

Result<KernelWish> parseKernelWish(std::string_view text);

// The measured choices of one processor, in a small JSON file that may contain several (a home
// folder may be shared): {"kernels": 2, "processors": {PROCESSOR: {"bf16 x 768": "one", "bf16
// many": "panels"}}}. A file that is missing, damaged or from another revision of the kernels
// counts as empty; if it cannot be written, kernels are measured again next time.
class KernelStore {
public:
    // An empty path: nothing is stored. processor: everything that a choice depends on, as text.
    KernelStore(std::filesystem::path file, std::string processor);

    std::optional<RowWay> row(const WeightKind& kind) const;
    std::optional<ManyWay> many(DType dtype) const;
    void setRow(const WeightKind& kind, RowWay way);
    void setMany(DType dtype, ManyWay way);
    void save() const; // writes what was set, keeping what other processes have written meanwhile

private:
    std::filesystem::path m_file;
    std::string m_processor;
    std::map<std::string, std::string> m_choices;
};

} // namespace ep::model
