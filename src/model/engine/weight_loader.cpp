// SPDX-License-Identifier: GPL-3.0-or-later
#include "weight_loader.h"

#include "kernels.h"
#include "load_error.h"
#include "quantization.h"
#include "stored_tensor.h"
#include "thread_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

std::string text(const std::vector<std::int64_t>& shape)
{
    std::string joined;
    for (const std::int64_t extent : shape)
        joined += (joined.empty() ? "" : " x ") + std::to_string(extent);
    return joined.empty() ? "a single number" : joined;
}

} // namespace

WeightLoader::WeightLoader(const Checkpoint& checkpoint, at::Device device, DType dtype,
                           ThreadPool& pool, ProgressFn progress, CancelToken cancel)
    : m_checkpoint(checkpoint)
    , m_device(device)
    , m_dtype(dtype)
    , m_pool(pool)
    , m_progress(std::move(progress))
    , m_cancel(std::move(cancel))
{
    for (const auto& [name, entry] : checkpoint.entries())
        m_totalBytes += entry.bytes();
}

Weight WeightLoader::weightOf(const at::Tensor& tensor, DType dtype) const
{
    Weight weight;
    weight.tensor = tensor;
    weight.dtype = dtype;
    if (!tensor.defined())
        return weight;
    weight.rows = tensor.size(0);
    weight.columns =
        inBlocks(dtype) ? tensor.size(1) / rowOf(dtype).bytes * rowOf(dtype).block : tensor.size(1);
    if (m_device.is_cpu())
        weight.data = tensor.data_ptr();
    return weight;
}

WeightVector WeightLoader::vectorOf(const at::Tensor& tensor) const
{
    WeightVector vector;
    vector.tensor = tensor;
    if (m_device.is_cpu() && tensor.defined())
        vector.data = tensor.data_ptr<float>();
    return vector;
}

Weight WeightLoader::matrix(const std::string& name, std::int64_t rows, std::int64_t columns)
{
    return noted(takeMatrix(name, rows, columns));
}

Weight WeightLoader::takeMatrix(const std::string& name, std::int64_t rows, std::int64_t columns)
{
    const Checkpoint::Entry* const entry = find(name, {rows, columns});
    if (!entry)
        return weightOf({}, m_dtype);
    if (const auto type = roundedTypeOf(name))
        return roundedFrom(name, *entry, *type);
    return m_keep ? keptMatrix(name, *entry)
                  : plainWeight(taken(name, *entry, plainTypeOf(*entry)));
}

Weight WeightLoader::keptMatrix(const std::string& name, const Checkpoint::Entry& entry)
{
    const std::optional<DType> stored = dtypeFromStored(entry.tensor.dtype);
    const bool quantized = stored && (inBlocks(*stored) || *stored == DType::Int8);
    if (!stored || (!quantized && (!m_device.is_cpu() || entry.factor)))
        return plainWeight(taken(name, entry, plainTypeOf(entry)));
    const at::Tensor tensor = wrap(entry, *stored);
    count(name, entry, tensor);
    Weight weight = weightOf(tensor, *stored);
    addScales(entry, weight);
    return m_device.is_cpu() ? weight : onDevice(std::move(weight), m_device);
}

void WeightLoader::addScales(const Checkpoint::Entry& entry, Weight& weight) const
{
    if (entry.groups) {
        const Checkpoint::Entry::Groups& groups = *entry.groups;
        weight.groups = groupsOf(entry);
        weight.scales = wrapStored(groups.scales);
        if (groups.biases)
            weight.biases = wrapStored(*groups.biases);
    }
    if (entry.factor) {
        at::Tensor& scales = weight.dtype == DType::Int8 ? weight.scales : weight.row_scales;
        scales = rowScalesOf(entry, weight.rows);
        weight.scale_data = scales.data_ptr<float>();
    }
}

Weight WeightLoader::noted(Weight weight)
{
    const WeightKind kind{.dtype = weight.dtype, .columns = weight.columns};
    if (weight.tensor.defined() && std::find(m_kinds.begin(), m_kinds.end(), kind) == m_kinds.end())
        m_kinds.push_back(kind);
    return weight;
}

std::vector<Weight> WeightLoader::matrices(const std::string& name, std::int64_t count,
                                           std::int64_t rows, std::int64_t columns)
{
    std::vector<Weight> weights;
    const auto type = roundedTypeOf(name);
    if (m_keep || type) {
        const Checkpoint::Entry* const entry = find(name, {count, rows, columns});
        m_taken.insert(name);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::string own = name + "[" + std::to_string(i) + "]";
            weights.push_back(noted(!entry     ? weightOf({}, m_dtype)
                                        : type ? roundedFrom(own, entry->slice(i), *type)
                                               : keptMatrix(own, entry->slice(i))));
        }
        return weights;
    }
    const at::Tensor tensor = takePlain(name, {count, rows, columns});
    for (std::int64_t i = 0; i < count; ++i)
        weights.push_back(noted(plainWeight(tensor.defined() ? tensor.select(0, i) : tensor)));
    return weights;
}

WeightVector WeightLoader::vector(const std::string& name, std::int64_t size)
{
    return vectorOf(take(name, {size}, vectorType()));
}

WeightVector WeightLoader::wideVector(const std::string& name, std::int64_t size)
{
    return vectorOf(take(name, {size}, DType::F32));
}

WeightVector WeightLoader::negativeExponential(const std::string& name, std::int64_t size)
{
    const Checkpoint::Entry* const known = m_checkpoint.find(name);
    const at::Tensor stored = take(name, {size}, DType::F32);
    const bool done = known && known->form.negative_exponential;
    return vectorOf(stored.defined() && !done ? -at::exp(stored) : stored);
}

WeightVector WeightLoader::taps(const std::string& name, std::int64_t channels, std::int64_t taps)
{
    const Checkpoint::Entry* const known = m_checkpoint.find(name);
    std::vector<std::int64_t> shape{channels, 1, taps};
    if (known && known->tensor.shape.size() == 2)
        shape = {channels, taps}; // as in GGUF
    else if (known && known->tensor.shape.size() == 3 && known->tensor.shape[1] == taps)
        shape = {channels, taps, 1}; // as in MLX
    const at::Tensor stored = take(name, shape, vectorType());
    return vectorOf(stored.defined()
                        ? stored.reshape({channels, taps}).t().clone(at::MemoryFormat::Contiguous)
                        : stored);
}

WeightVector WeightLoader::constant(std::int64_t size, float value) const
{
    return vectorOf(at::full({size}, value, at::TensorOptions(at::kFloat).device(m_device)));
}

std::vector<WeightVector> WeightLoader::vectors(const std::string& name, std::int64_t count,
                                                std::int64_t size)
{
    const at::Tensor tensor = take(name, {count, size}, vectorType());
    std::vector<WeightVector> vectors;
    for (std::int64_t i = 0; i < count; ++i)
        vectors.push_back(vectorOf(tensor.defined() ? tensor.select(0, i).contiguous() : tensor));
    return vectors;
}

Linear WeightLoader::linear(const std::string& prefix, std::int64_t in, std::int64_t out, bool bias,
                            const LinearLayout& layout)
{
    // Reorders [heads, (q, k, v), dim, ..] to [(q, k, v), heads, dim, ..].
    const auto sorted = [&](const at::Tensor& tensor) {
        if (layout.interleaved_heads == 0 || !tensor.defined())
            return tensor;
        const std::int64_t heads = layout.interleaved_heads;
        return tensor.view({heads, 3, out / (3 * heads), -1})
            .transpose(0, 1)
            .reshape(tensor.sizes())
            .contiguous();
    };
    const std::string name = prefix + ".weight";
    const Checkpoint::Entry* const known = m_checkpoint.find(name);
    const bool transposed = layout.transposed && !(known && known->form.rows_of_outputs);
    Linear linear;
    if (transposed) {
        const at::Tensor stored = takePlain(name, {in, out});
        linear.weight = made(stored.defined() ? stored.t() : stored, name);
    } else if (layout.interleaved_heads != 0) {
        linear.weight = made(sorted(takePlain(name, {out, in})), name);
    } else {
        linear.weight = noted(takeMatrix(name, out, in));
    }
    if (bias)
        linear.bias = vectorOf(sorted(take(prefix + ".bias", {out}, vectorType())));
    return linear;
}

const Checkpoint::Entry* WeightLoader::find(const std::string& name,
                                            const std::vector<std::int64_t>& shape)
{
    if (m_cancel.cancelled())
        throw LoadError({ErrorCode::Cancelled, "Loading was cancelled."});
    const Checkpoint::Entry* entry = m_checkpoint.find(name);
    if (!entry) {
        m_missing.push_back(name);
        return nullptr;
    }
    if (entry->unpack && entry->tensor.shape == shape) {
        auto& unpacked = m_unpacked[name];
        unpacked = orThrow(entry->unpack());
        entry = &unpacked;
    }
    const Message where = placeOf(name, *entry);
    if (!dtypeFromStored(entry->tensor.dtype) && !becomesF32(*entry)) {
        throw LoadError({ErrorCode::Unsupported,
                         {"%1 has a type that is not supported: use a copy of the model in f32, "
                          "f16 or bf16, or a GGUF file.",
                          where}});
    }
    if (entry->tensor.shape != shape) {
        throw LoadError(
            {ErrorCode::InvalidInput,
             {"%1 has the shape %2, but config.json asks for %3: the two do not belong together.",
              where, text(entry->tensor.shape), text(shape)}});
    }
    checkFinite(name, *entry);
    return entry;
}

at::Tensor WeightLoader::take(const std::string& name, const std::vector<std::int64_t>& shape,
                              DType target)
{
    const Checkpoint::Entry* const entry = find(name, shape);
    return entry ? taken(name, *entry, target) : at::Tensor();
}

at::Tensor WeightLoader::taken(const std::string& name, const Checkpoint::Entry& entry,
                               DType target)
{
    const std::optional<DType> stored = dtypeFromStored(entry.tensor.dtype);
    at::Tensor values = !stored ? wrapStored(entry)
        : inBlocks(*stored)     ? dequantized(entry, *stored)
                                : wrap(entry, *stored);
    if (entry.factor && !(stored && inBlocks(*stored))) {
        const at::Tensor factors = rowScalesOf(entry, values.size(0));
        values = values.to(at::kFloat) * factors.unsqueeze(1);
    }
    at::Tensor tensor = values.to(m_device, scalarType(target));
    count(name, entry, tensor);
    return tensor;
}

// Block-quantized values as f32.
at::Tensor WeightLoader::dequantized(const Checkpoint::Entry& entry, DType stored)
{
    const at::Tensor blocks = wrap(entry, stored);
    at::Tensor values = at::empty(entry.tensor.shape, at::kFloat);
    const std::int64_t columns = entry.tensor.shape.back();
    auto* const to = values.data_ptr<float>();
    const auto dequantize = matmulsFor(kernels(), stored).dequantizeRow;
    const at::Tensor factors = rowScalesOf(entry, values.numel() / columns);
    const WeightRows rows{.values = blocks.data_ptr(),
                          .columns = columns,
                          .scales = factors.defined() ? factors.data_ptr<float>() : nullptr,
                          .groups = groupsOf(entry)};
    m_pool.runRanges(values.numel() / columns, 16, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            dequantize(rows, row, to + row * columns);
    });
    return values;
}

void WeightLoader::count(const std::string& name, const Checkpoint::Entry& entry,
                         const at::Tensor& tensor)
{
    const bool withScales = tensor.scalar_type() == at::kByte;
    count(name, entry,
          static_cast<std::int64_t>(tensor.nbytes())
              + (withScales ? entry.bytes() - static_cast<std::int64_t>(entry.tensor.bytes.size())
                            : 0));
}

void WeightLoader::count(const std::string& name, const Checkpoint::Entry& entry,
                         std::int64_t bytes)
{
    if (m_taken.insert(name).second) {
        m_parameters += entry.tensor.elements();
        m_bytes += bytes;
        m_doneBytes += entry.bytes();
    }
    if (m_progress) {
        const double fraction = static_cast<double>(m_doneBytes)
            / static_cast<double>(std::max<std::int64_t>(1, m_totalBytes));
        m_progress(fraction, "Loading weights");
    }
}

// Ignores buffers that older versions saved along with the weights.
std::vector<std::string> WeightLoader::unknown() const
{
    constexpr std::array<std::string_view, 4> kBuffers{".rotary_emb.inv_freq", ".attn.bias",
                                                       ".attn.masked_bias", ".attention.bias"};
    std::vector<std::string> names;
    for (const auto& [name, entry] : m_checkpoint.entries()) {
        const bool buffer = name.ends_with(".attention.masked_bias")
            || std::any_of(kBuffers.begin(), kBuffers.end(),
                           [&](std::string_view end) { return name.ends_with(end); });
        if (!buffer && !m_taken.contains(name))
            names.push_back(name);
    }
    return names;
}

void WeightLoader::finish() const
{
    if (m_missing.empty())
        return;
    constexpr std::size_t kNamed = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, m_missing.size()); ++i)
        names += (i ? ", " : "") + m_checkpoint.ownName(m_missing[i]);
    if (m_missing.size() > kNamed)
        names += " and " + std::to_string(m_missing.size() - kNamed) + " more";
    throw LoadError({ErrorCode::InvalidInput,
                     {"The weights in %1 lack what config.json asks for: %2; use a copy of the "
                      "model whose files are all of one version.",
                      m_checkpoint.folder().string(), names}});
}

} // namespace ep::model
