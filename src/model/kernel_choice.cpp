// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernel_choice.h"

#include "ep/model/kernel_names.h"

#include <algorithm>
#include <charconv>

namespace ep::model {
namespace {

constexpr std::string_view kBlas = "blas";
constexpr std::array<std::string_view, kRowShapes> kShapeNames{"spread", "spread-ahead", "pairs"};
constexpr std::array<std::string_view, 3> kManyNames{"panels", "pairs", kBlas};
constexpr std::array<std::string_view, 3> kManyWays{"panels", "pairs", "BLAS"}; // in a sentence

Error wrongWish(std::string_view part)
{
    std::string ways;
    for (const std::string_view shape : kShapeNames)
        ways += (ways.empty() ? "" : " ") + std::string(shape) + ',';
    return {ErrorCode::InvalidInput,
            {"The kernels \"%1\" are not known: give auto, measure, or choices separated by "
             "commas, each one of %2 blas, the same for one number of columns (2048=spread), "
             "many=panels, many=pairs or many=blas.",
             part, ways}};
}

} // namespace

std::string_view nameOf(RowWay way)
{
    return way ? kShapeNames[static_cast<std::size_t>(*way)] : kBlas;
}

std::optional<RowWay> rowWayNamed(std::string_view name)
{
    if (name == kBlas)
        return RowWay{};
    const auto found = std::find(kShapeNames.begin(), kShapeNames.end(), name);
    if (found == kShapeNames.end())
        return {};
    return RowWay{static_cast<RowShape>(found - kShapeNames.begin())};
}

std::string_view manyWayName(ManyWay way)
{
    return kManyNames[static_cast<std::size_t>(way)];
}

std::optional<ManyWay> manyWayNamed(std::string_view name)
{
    const auto found = std::find(kManyNames.begin(), kManyNames.end(), name);
    if (found == kManyNames.end())
        return {};
    return static_cast<ManyWay>(found - kManyNames.begin());
}

bool canMultiplyRow(DType dtype, RowWay way)
{
    if (way == RowShape::Pairs)
        return matmulsFor(kernels(), dtype).pairs.row != nullptr;
    return way || dtype == DType::F32;
}

void KernelChoice::setMany(DType dtype, ManyWay way)
{
    const bool impossible = way == ManyWay::Pairs && !matmulsFor(kernels(), dtype).pairs.multiply;
    m_many[static_cast<std::size_t>(dtype)] = impossible ? ManyWay::Panels : way;
}

void KernelChoice::setRow(const WeightKind& kind, RowWay way)
{
    if (inBlocks(kind.dtype))
        return; // block kernels have one shape
    const RowWay possible = canMultiplyRow(kind.dtype, way) ? way : RowWay{kUsualShape};
    for (auto& [known, chosen] : m_rows) {
        if (known == kind) {
            chosen = possible;
            return;
        }
    }
    m_rows.emplace_back(kind, possible);
}

std::string KernelChoice::describe(std::span<const WeightKind> weights) const
{
    std::string text = "one row: ";
    std::string_view separator;
    for (const WeightKind& kind : weights) {
        text += separator;
        text += std::string(name(kind.dtype)) + " x " + std::to_string(kind.columns) + " ";
        text += inBlocks(kind.dtype) ? matmulInWords(kind.dtype)
                                     : nameOf(row(kind.dtype, kind.columns));
        separator = ", ";
    }
    std::string ways;
    for (std::size_t i = 0; i < kManyWays.size(); ++i) {
        const auto used = [&](const WeightKind& kind) {
            return many(kind.dtype) == static_cast<ManyWay>(i);
        };
        if (std::any_of(weights.begin(), weights.end(), used))
            ways += (ways.empty() ? "" : " and ") + std::string(kManyWays[i]);
    }
    return text + "; many rows: " + ways;
}

void KernelWish::apply(std::span<const WeightKind> weights, KernelChoice& choice) const
{
    for (const WeightKind& kind : weights) {
        if (all)
            choice.setRow(kind, *all);
        for (const auto& [columns, way] : of_columns) {
            if (kind.columns == columns)
                choice.setRow(kind, way);
        }
        if (many)
            choice.setMany(kind.dtype, *many);
    }
}

Status checkKernelNames(std::string_view text)
{
    const auto wish = parseKernelWish(text);
    return wish ? Status() : wish.error();
}

Result<KernelWish> parseKernelWish(std::string_view text)
{
    KernelWish wish;
    if (text.empty() || text == "auto")
        return wish;
    if (text == "measure") {
        wish.measure = true;
        return wish;
    }
    while (true) {
        const std::string_view part = text.substr(0, text.find(','));
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos) {
            wish.all = rowWayNamed(part);
            if (!wish.all)
                return wrongWish(part);
        } else if (part.substr(0, equals) == "many") {
            wish.many = manyWayNamed(part.substr(equals + 1));
            if (!wish.many)
                return wrongWish(part);
        } else {
            std::int64_t columns = 0;
            const auto [end, error] = std::from_chars(part.data(), part.data() + equals, columns);
            const auto way = rowWayNamed(part.substr(equals + 1));
            if (error != std::errc() || end != part.data() + equals || columns < 1 || !way)
                return wrongWish(part);
            wish.of_columns.emplace_back(columns, *way);
        }
        if (part.size() == text.size())
            return wish;
        text.remove_prefix(part.size() + 1);
    }
}

} // namespace ep::model
