// SPDX-License-Identifier: GPL-3.0-or-later
#include "stored_tensor.h"

#include <cstring>
#include <vector>

namespace ep::model {
namespace {

bool aligned(const std::byte* data, DType dtype)
{
    const auto unit = static_cast<std::uintptr_t>(inBlocks(dtype) ? 1 : rowOf(dtype).bytes);
    return reinterpret_cast<std::uintptr_t>(data) % unit == 0;
}

// The rows of each head, first those with even places, then the others: pairs become halves.
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
    const auto options = at::TensorOptions().dtype(inBlocks(dtype) ? at::kByte : scalarType(dtype));
    std::vector<std::int64_t> shape = entry.tensor.shape;
    if (inBlocks(dtype))
        shape.back() = bytesOf(dtype, shape.back());
    auto* const data = const_cast<std::byte*>(entry.tensor.bytes.data());
    at::Tensor tensor;
    if (!aligned(data, dtype)) {
        tensor = at::empty(shape, options);
        std::memcpy(tensor.data_ptr(), data, entry.tensor.bytes.size());
    } else {
        tensor = at::from_blob(
            data, shape, [mapping = entry.mapping, groups = entry.groups](void*) {}, options);
    }
    return entry.form.turned_heads > 0 ? unturned(tensor, entry.form.turned_heads) : tensor;
}

GroupScales groupsOf(const Checkpoint::Entry& entry)
{
    if (!entry.groups)
        return {};
    const StoredTensor& scales = entry.groups->scales.tensor;
    return {.scales = scales.bytes.data(),
            .biases = entry.groups->biases.tensor.bytes.data(),
            .columns = entry.groups->columns,
            .type = scales.dtype == "F16" ? GroupScales::Type::F16
                : scales.dtype == "BF16"  ? GroupScales::Type::BF16
                                          : GroupScales::Type::F32};
}

} // namespace ep::model
