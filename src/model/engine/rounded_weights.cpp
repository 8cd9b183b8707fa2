// SPDX-License-Identifier: GPL-3.0-or-later
// Loads matrices that are rounded to another type: row by row from the file, so that no matrix is
// ever in memory as a whole in f32.
#include "dequantization.h"
#include "quantization.h"
#include "stored_tensor.h"
#include "weight_loader.h"

namespace ep::model {
namespace {

std::int64_t sizeOf(const Weight& weight)
{
    std::int64_t bytes = 0;
    for (const at::Tensor* const tensor : {&weight.tensor, &weight.scales, &weight.biases})
        bytes += tensor->defined() ? static_cast<std::int64_t>(tensor->nbytes()) : 0;
    return bytes;
}

} // namespace

std::optional<DType> WeightLoader::roundedTypeOf(const std::string& name) const
{
    const auto found = m_types.find(name);
    return found == m_types.end() ? std::nullopt : std::optional(found->second);
}

Weight WeightLoader::roundedAs(const std::string& name, const Weight& weight)
{
    const auto type = roundedTypeOf(name);
    if (!type || !weight.tensor.defined() || *type == weight.dtype)
        return weight;
    if (isPlain(*type) && !m_device.is_cpu()) // an accelerator computes in one plain type
        return weight;
    Weight narrow = isPlain(*type) ? plainWeight(weight.tensor.to(scalarType(*type)))
        : *type == DType::Int8     ? quantized(weight)
                                   : quantizedInBlocks(weight, *type, m_pool);
    m_bytes += sizeOf(narrow) - sizeOf(weight);
    return narrow;
}

Weight WeightLoader::roundedFrom(const std::string& name, const Checkpoint::Entry& entry,
                                 DType dtype)
{
    if (isPlain(dtype))
        return plainWeight(taken(name, entry, m_device.is_cpu() ? dtype : m_dtype));
    const std::optional<DType> stored = dtypeFromStored(entry.tensor.dtype);
    Weight source;
    source.dtype = stored.value_or(DType::F32);
    source.tensor = stored ? wrap(entry, *stored) : wrapStored(entry).to(at::kFloat);
    source.rows = source.tensor.size(0);
    source.columns = entry.tensor.shape.back();
    if (isPlain(source.dtype) && entry.factor) {
        source.dtype = DType::F32;
        source.tensor = source.tensor.to(at::kFloat) * rowScalesOf(entry, source.rows).unsqueeze(1);
    } else {
        addScales(entry, source);
    }
    source.data = source.tensor.data_ptr();
    Weight narrow =
        dtype == DType::Int8 ? quantized(source) : quantizedInBlocks(source, dtype, m_pool);
    count(name, entry, sizeOf(narrow));
    return m_device.is_cpu() ? narrow : onDevice(std::move(narrow), m_device);
}

} // namespace ep::model
