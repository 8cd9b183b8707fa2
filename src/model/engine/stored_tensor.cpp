// SPDX-License-Identifier: GPL-3.0-or-later
#include "stored_tensor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

// Uses the values in place if the address allows it.
at::Tensor tensorOf(const Checkpoint::Entry& entry, const std::vector<std::int64_t>& shape,
                    at::ScalarType type)
{
    auto* const data = const_cast<std::byte*>(entry.tensor.bytes.data());
    const auto options = at::TensorOptions().dtype(type);
    if (reinterpret_cast<std::uintptr_t>(data) % at::elementSize(type) == 0) {
        return at::from_blob(
            data, shape, [mapping = entry.mapping, groups = entry.groups](void*) {}, options);
    }
    at::Tensor tensor = at::empty(shape, options);
    std::memcpy(tensor.data_ptr(), data, entry.tensor.bytes.size());
    return tensor;
}

constexpr std::array<std::pair<std::string_view, at::ScalarType>, 14> kStoredTypes{
    {{"F32", at::kFloat},
     {"F16", at::kHalf},
     {"BF16", at::kBFloat16},
     {"F64", at::kDouble},
     {"I8", at::kChar},
     {"I16", at::kShort},
     {"I32", at::kInt},
     {"I64", at::kLong},
     {"U8", at::kByte},
     {"U32", at::kInt},
     {"BOOL", at::kByte},
     {"E8M0", at::kByte},
     {"E4M3", at::kByte},
     {"F8_E4M3", at::kByte}}};

constexpr std::array<std::pair<std::string_view, GroupScales::Type>, 5> kScaleTypes{
    {{"F32", GroupScales::Type::F32},
     {"F16", GroupScales::Type::F16},
     {"BF16", GroupScales::Type::BF16},
     {"E8M0", GroupScales::Type::E8M0},
     {"E4M3", GroupScales::Type::E4M3}}};

template <typename Table>
auto valueFor(const Table& table, std::string_view word)
{
    const auto* const found = std::find_if(table.begin(), table.end(),
                                           [&](const auto& row) { return row.first == word; });
    return found == table.end() ? std::nullopt : std::optional(found->second);
}

// Reorders the rows of each head: first the rows at even places, then the others, so that pairs
// become halves.
at::Tensor unturned(const at::Tensor& stored, std::int64_t heads)
{
    return stored.view({heads, stored.size(0) / (2 * heads), 2, -1})
        .transpose(1, 2)
        .reshape(stored.sizes())
        .contiguous();
}

} // namespace

at::ScalarType scalarType(DType dtype)
{
    switch (dtype) {
    case DType::F16:
        return at::kHalf;
    case DType::BF16:
        return at::kBFloat16;
    default:
        return at::kFloat;
    }
}

at::Tensor wrap(const Checkpoint::Entry& entry, DType dtype)
{
    std::vector<std::int64_t> shape = entry.tensor.shape;
    if (inBlocks(dtype))
        shape.back() = bytesOf(dtype, shape.back());
    const at::Tensor tensor = tensorOf(entry, shape,
                                       inBlocks(dtype)            ? at::kByte
                                           : dtype == DType::Int8 ? at::kChar
                                                                  : scalarType(dtype));
    return entry.form.turned_heads > 0 ? unturned(tensor, entry.form.turned_heads) : tensor;
}

GroupScales groupsOf(const Checkpoint::Entry& entry)
{
    if (!entry.groups)
        return {};
    const Checkpoint::Entry::Groups& groups = *entry.groups;
    return {.scales = groups.scales.tensor.bytes.data(),
            .biases = groups.biases ? groups.biases->tensor.bytes.data() : nullptr,
            .columns = groups.columns,
            .type =
                valueFor(kScaleTypes, groups.scales.tensor.dtype).value_or(GroupScales::Type::F32),
            .rows = groups.rows};
}

at::Tensor wrapStored(const Checkpoint::Entry& entry)
{
    const auto type = valueFor(kStoredTypes, entry.tensor.dtype);
    return type ? tensorOf(entry, entry.tensor.shape, *type) : at::Tensor();
}

bool becomesF32(const Checkpoint::Entry& entry)
{
    const std::string& type = entry.tensor.dtype;
    const bool gguf = !entry.own_name.empty();
    return type == "F64"
        || (gguf && (type == "I8" || type == "I16" || type == "I32" || type == "I64"));
}

at::Tensor rowScalesOf(const Checkpoint::Entry& entry, std::int64_t rows)
{
    if (!entry.factor)
        return {};
    const at::Tensor factors = wrapStored(*entry.factor).to(at::kFloat).flatten();
    return factors.expand({rows}).contiguous();
}

} // namespace ep::model
