// SPDX-License-Identifier: GPL-3.0-or-later
#include "weight_loader.h"

#include "kernels.h"
#include "load_error.h"
#include "quantization.h"
#include "thread_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

at::ScalarType scalarType(DType dtype)
{
    switch (dtype) {
    case DType::F16:
        return at::kHalf;
    case DType::BF16:
        return at::kBFloat16;
    case DType::F32:
    case DType::Int8: // never stored
        break;
    }
    return at::kFloat;
}

std::string text(const std::vector<std::int64_t>& shape)
{
    std::string joined;
    for (const std::int64_t extent : shape)
        joined += (joined.empty() ? "" : " x ") + std::to_string(extent);
    return joined.empty() ? "a single number" : joined;
}

bool aligned(const std::byte* data, DType dtype)
{
    const auto unit = static_cast<std::uintptr_t>(rowOf(dtype).bytes);
    return reinterpret_cast<std::uintptr_t>(data) % unit == 0;
}

// The stored values as a tensor on the processor, in place if their address allows it.
at::Tensor wrap(const Checkpoint::Entry& entry, DType dtype)
{
    const auto options = at::TensorOptions().dtype(scalarType(dtype));
    auto* const data = const_cast<std::byte*>(entry.tensor.bytes.data());
    if (!aligned(data, dtype)) {
        at::Tensor copy = at::empty(entry.tensor.shape, options);
        std::memcpy(copy.data_ptr(), data, entry.tensor.bytes.size());
        return copy;
    }
    return at::from_blob(
        data, entry.tensor.shape, [mapping = entry.mapping](void*) {}, options);
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
        m_totalBytes += static_cast<std::int64_t>(entry.tensor.bytes.size());
}

Weight WeightLoader::weightOf(const at::Tensor& tensor) const
{
    Weight weight;
    weight.tensor = tensor;
    weight.dtype = m_dtype;
    if (!tensor.defined())
        return weight;
    weight.rows = tensor.size(0);
    weight.columns = tensor.size(1);
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
    return noted(weightOf(take(name, {rows, columns}, m_dtype)));
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
    const at::Tensor tensor = take(name, {count, rows, columns}, m_dtype);
    std::vector<Weight> weights;
    for (std::int64_t i = 0; i < count; ++i) {
        const Weight weight = weightOf(tensor.defined() ? tensor.select(0, i) : tensor);
        weights.push_back(noted(m_quantize ? quantize(weight) : weight));
    }
    return weights;
}

Weight WeightLoader::quantize(const Weight& weight)
{
    if (!weight.tensor.defined())
        return weight;
    Weight narrow = quantized(weight);
    m_bytes += static_cast<std::int64_t>(narrow.tensor.nbytes() + narrow.scales.nbytes())
        - static_cast<std::int64_t>(weight.tensor.nbytes());
    return narrow;
}

WeightVector WeightLoader::vector(const std::string& name, std::int64_t size)
{
    return vectorOf(take(name, {size}, vectorType()));
}

Linear WeightLoader::linear(const std::string& prefix, std::int64_t in, std::int64_t out, bool bias,
                            const LinearLayout& layout)
{
    // [heads, (q, k, v), dim, ..] to [(q, k, v), heads, dim, ..]
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
    Linear linear;
    if (layout.transposed) {
        const at::Tensor stored = take(name, {in, out}, m_dtype);
        linear.weight = weightOf(stored.defined() ? stored.t().contiguous() : stored);
    } else {
        linear.weight = weightOf(sorted(take(name, {out, in}, m_dtype)));
    }
    if (m_quantize)
        linear.weight = quantize(linear.weight);
    linear.weight = noted(std::move(linear.weight));
    if (bias)
        linear.bias = vectorOf(sorted(take(prefix + ".bias", {out}, vectorType())));
    return linear;
}

Norm WeightLoader::rmsNorm(const std::string& prefix, std::int64_t width, double epsilon)
{
    Norm norm;
    norm.weight = vector(prefix + ".weight", width);
    norm.epsilon = static_cast<float>(epsilon);
    return norm;
}

// In f32 on every device, so that the sum is not rounded.
Norm WeightLoader::rmsNormPlusOne(const std::string& prefix, std::int64_t width, double epsilon)
{
    const at::Tensor stored = take(prefix + ".weight", {width}, DType::F32);
    Norm norm;
    norm.weight = vectorOf(stored.defined() ? stored + 1.0 : stored);
    norm.epsilon = static_cast<float>(epsilon);
    return norm;
}

Norm WeightLoader::layerNorm(const std::string& prefix, std::int64_t width, double epsilon)
{
    Norm norm = rmsNorm(prefix, width, epsilon);
    norm.kind = NormKind::Layer;
    norm.bias = vector(prefix + ".bias", width);
    return norm;
}

Norm WeightLoader::layerNormOfHeads(const std::string& prefix, int heads, std::int64_t dim,
                                    double epsilon)
{
    std::vector<at::Tensor> parts;
    for (int head = 0; head < heads; ++head) {
        const std::string name = prefix + std::to_string(head) + ".weight";
        if (const at::Tensor part = take(name, {dim}, vectorType()); part.defined())
            parts.push_back(part);
    }
    Norm norm;
    norm.kind = NormKind::Layer;
    norm.per_head = true;
    norm.epsilon = static_cast<float>(epsilon);
    if (!parts.empty())
        norm.weight = vectorOf(at::cat(parts, 0));
    return norm;
}

at::Tensor WeightLoader::take(const std::string& name, const std::vector<std::int64_t>& shape,
                              DType target)
{
    if (m_cancel.cancelled())
        throw LoadError({ErrorCode::Cancelled, "Loading was cancelled."});
    const Checkpoint::Entry* const entry = m_checkpoint.find(name);
    if (!entry) {
        m_missing.push_back(name);
        return {};
    }
    const std::string where =
        "The tensor " + name + " in " + (m_checkpoint.folder() / entry->file).string();
    const std::optional<DType> stored = dtypeFromStored(entry->tensor.dtype);
    if (!stored) {
        throw LoadError({ErrorCode::Unsupported,
                         where + " is stored as " + entry->tensor.dtype
                             + ", which is not supported: use a copy of the model in f32, f16 or "
                               "bf16."});
    }
    if (entry->tensor.shape != shape) {
        throw LoadError({ErrorCode::InvalidInput,
                         where + " has the shape " + text(entry->tensor.shape)
                             + ", but config.json asks for " + text(shape)
                             + ": the two do not belong together."});
    }
    checkFinite(name, *entry);

    at::Tensor tensor = wrap(*entry, *stored).to(m_device, scalarType(target));
    if (m_taken.insert(name).second) {
        m_parameters += tensor.numel();
        m_bytes += tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
        m_doneBytes += static_cast<std::int64_t>(entry->tensor.bytes.size());
    }
    if (m_progress) {
        const double fraction = static_cast<double>(m_doneBytes)
            / static_cast<double>(std::max<std::int64_t>(1, m_totalBytes));
        m_progress(fraction, "Loading weights");
    }
    return tensor;
}

// Reading every weight once also brings the file into memory, so that this is not charged to the
// first tokens of a run.
void WeightLoader::checkFinite(const std::string& name, const Checkpoint::Entry& entry)
{
    const Kernels& k = kernels();
    const DType stored = *dtypeFromStored(entry.tensor.dtype);
    const auto finite = stored == DType::F32 ? k.finiteF32
        : stored == DType::BF16              ? k.finiteBF16
                                             : k.finiteF16;
    const std::int64_t unit = rowOf(stored).bytes;
    constexpr std::int64_t kGrain = 1 << 18;
    std::atomic<bool> allFinite{true};
    m_pool.runRanges(entry.tensor.elements(), kGrain, 1, [&](std::int64_t begin, std::int64_t end) {
        if (!finite(entry.tensor.bytes.data() + begin * unit, end - begin))
            allFinite.store(false, std::memory_order_relaxed);
    });
    if (!allFinite.load(std::memory_order_relaxed)) {
        throw LoadError({ErrorCode::InvalidInput,
                         "The tensor " + name + " in "
                             + (m_checkpoint.folder() / entry.file).string()
                             + " holds values that are not numbers (NaN or infinity): the model is "
                               "damaged, download it again."});
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
        names += (i ? ", " : "") + m_missing[i];
    if (m_missing.size() > kNamed)
        names += " and " + std::to_string(m_missing.size() - kNamed) + " more";
    throw LoadError({ErrorCode::InvalidInput,
                     "The weights in " + m_checkpoint.folder().string()
                         + " lack what config.json asks for: " + names
                         + "; download the model again, all its files."});
}

} // namespace ep::model
