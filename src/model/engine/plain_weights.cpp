// SPDX-License-Identifier: GPL-3.0-or-later
// Loads plain weights. Most of a checkpoint have one type, but some may keep a wider one: routers
// and norms in f32 in a bf16 model.
#include "dequantization.h"
#include "stored_tensor.h"
#include "weight_loader.h"

namespace ep::model {
namespace {

DType plainType(at::ScalarType type)
{
    return type == at::kHalf ? DType::F16 : type == at::kBFloat16 ? DType::BF16 : DType::F32;
}

} // namespace

Weight WeightLoader::plainWeight(const at::Tensor& tensor) const
{
    return weightOf(tensor, tensor.defined() ? plainType(tensor.scalar_type()) : m_dtype);
}

at::Tensor WeightLoader::takePlain(const std::string& name, const std::vector<std::int64_t>& shape)
{
    const Checkpoint::Entry* const entry = find(name, shape);
    return entry ? taken(name, *entry, plainTypeOf(*entry)) : at::Tensor();
}

DType WeightLoader::plainTypeOf(const Checkpoint::Entry& entry) const
{
    const DType stored =
        becomesF32(entry) ? DType::F32 : dtypeFromStored(entry.tensor.dtype).value_or(m_dtype);
    const bool kept = m_keepPlain && isPlain(stored) && (m_device.is_cpu() || stored == DType::F32);
    return kept ? stored : m_dtype;
}

std::vector<Weight> WeightLoader::matricesOfInputs(const std::string& name, std::int64_t count,
                                                   std::int64_t rows, std::int64_t columns)
{
    const Checkpoint::Entry* const known = m_checkpoint.find(name);
    const auto stored = known ? dtypeFromStored(known->tensor.dtype) : std::nullopt;
    if (known && (!stored || inBlocks(*stored)))
        return matrices(name, count, rows, columns);
    const at::Tensor tensor = takePlain(name, {count, columns, rows});
    std::vector<Weight> weights;
    for (std::int64_t i = 0; i < count; ++i)
        weights.push_back(made(tensor.defined() ? tensor.select(0, i).t() : tensor, name));
    return weights;
}

at::Tensor WeightLoader::plain(const std::string& name, std::int64_t rows, std::int64_t columns)
{
    return takePlain(name, {rows, columns});
}

Weight WeightLoader::made(const at::Tensor& matrix, const std::string& name)
{
    return noted(roundedAs(name, plainWeight(matrix.defined() ? matrix.contiguous() : matrix)));
}

} // namespace ep::model
