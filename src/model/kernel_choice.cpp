// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernel_choice.h"

#include "ep/model/kernel_names.h"

#include <algorithm>
#include <charconv>

namespace ep::model {
namespace {

constexpr std::string_view kBlas = "blas";
constexpr std::array<std::string_view, kRowShapes> kShapeNames{"four", "spread", "one",
                                                               "one-ahead"};

Error wrongWish(std::string_view part)
{
    std::string ways;
    for (const std::string_view shape : kShapeNames)
        ways += std::string(shape) + ", ";
    return {
        ErrorCode::InvalidInput,
        "The kernels \"" + std::string(part)
            + "\" are not known: give auto, measure, or choices separated by commas, each one of "
            + ways
            + "blas, the same for one number of columns (2048=one), many=panels or "
              "many=blas."};
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

void KernelChoice::setRow(const WeightKind& kind, RowWay way)
{
    if (inBlocks(kind.dtype))
        return; // their kernels have one shape
    // The BLAS multiplies a row by f32 weights only.
    const RowWay possible = way || kind.dtype == DType::F32 ? way : RowWay{kUsualShape};
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
        text +=
            inBlocks(kind.dtype) ? "by 16-bit activations" : nameOf(row(kind.dtype, kind.columns));
        separator = ", ";
    }
    const bool all = std::all_of(weights.begin(), weights.end(),
                                 [&](const WeightKind& kind) { return panels(kind.dtype); });
    const bool any = std::any_of(weights.begin(), weights.end(),
                                 [&](const WeightKind& kind) { return panels(kind.dtype); });
    return text + "; many rows: " + (all ? "panels" : any ? "panels and BLAS" : "BLAS");
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
        if (panels)
            choice.setPanels(kind.dtype, *panels);
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
            const std::string_view way = part.substr(equals + 1);
            if (way != "panels" && way != kBlas)
                return wrongWish(part);
            wish.panels = way == "panels";
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
