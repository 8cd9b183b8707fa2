// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernel_choice.h"

#include "ep/json/document.h"
#include "ep/model/kernel_names.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace ep::model {
namespace {

constexpr std::string_view kBlas = "blas";
constexpr std::array<std::string_view, kRowShapes> kShapeNames{"spread", "spread-ahead", "pairs"};
constexpr std::array<std::string_view, 3> kManyNames{"panels", "pairs", kBlas};
constexpr std::array<std::string_view, 3> kManyWays{"panels", "pairs", "BLAS"}; // for sentences

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

constexpr int kRevision = 5; // revision of the kernels and their names
constexpr std::uint64_t kMaxBytes = 1 << 20;
constexpr const char* kProcessors = "processors";

std::string keyOf(const WeightKind& kind)
{
    return std::string(name(kind.dtype)) + " x " + std::to_string(kind.columns);
}

std::string keyOf(DType dtype)
{
    return std::string(name(dtype)) + " many";
}

json::Json readAll(const std::filesystem::path& file)
{
    const json::Json empty{{"kernels", kRevision}, {kProcessors, json::Json::object()}};
    if (file.empty())
        return empty;
    auto read = json::readFile(file, kMaxBytes);
    if (!read)
        return empty;
    const auto revision = read->find("kernels");
    const auto processors = read->find(kProcessors);
    const bool usable = revision != read->end() && revision->is_number_integer()
        && *revision == kRevision && processors != read->end() && processors->is_object();
    return usable ? std::move(*read) : empty;
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

KernelStore::KernelStore(std::filesystem::path file, std::string processor)
    : m_file(std::move(file))
    , m_processor(std::move(processor))
{
    const json::Json all = readAll(m_file);
    const json::Json& processors = all[kProcessors];
    const auto own = processors.find(m_processor);
    if (own == processors.end() || !own->is_object())
        return;
    for (const auto& [key, value] : own->items()) {
        if (value.is_string())
            m_choices.emplace(key, value.get<std::string>());
    }
}

std::optional<RowWay> KernelStore::row(const WeightKind& kind) const
{
    const auto found = m_choices.find(keyOf(kind));
    return found == m_choices.end() ? std::nullopt : rowWayNamed(found->second);
}

std::optional<ManyWay> KernelStore::many(DType dtype) const
{
    const auto found = m_choices.find(keyOf(dtype));
    return found == m_choices.end() ? std::nullopt : manyWayNamed(found->second);
}

void KernelStore::setRow(const WeightKind& kind, RowWay way)
{
    m_choices[keyOf(kind)] = nameOf(way);
}

void KernelStore::setMany(DType dtype, ManyWay way)
{
    m_choices[keyOf(dtype)] = manyWayName(way);
}

void KernelStore::save() const
{
    if (m_file.empty())
        return;
    json::Json all = readAll(m_file);
    json::Json& own = all[kProcessors][m_processor];
    if (!own.is_object())
        own = json::Json::object();
    for (const auto& [key, value] : m_choices)
        own[key] = value;
    // Replaced as a whole, so that no reader sees half a file.
    std::error_code error;
    std::filesystem::create_directories(m_file.parent_path(), error);
    std::filesystem::path fresh = m_file;
    fresh += "." + std::to_string(::getpid());
    {
        std::ofstream out(fresh);
        out << json::textOf(all, 1) << '\n';
        if (!out.flush()) {
            out.close();
            std::filesystem::remove(fresh, error);
            return;
        }
    }
    std::filesystem::rename(fresh, m_file, error);
    if (error)
        std::filesystem::remove(fresh, error);
}

} // namespace ep::model
