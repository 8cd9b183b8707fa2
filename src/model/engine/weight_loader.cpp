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
    if (!m_keep)
        return weightOf(take(name, {rows, columns}, m_dtype), m_dtype);
    const Checkpoint::Entry* const entry = find(name, {rows, columns});
    if (!entry)
        return weightOf({}, m_dtype);
    const DType stored = *dtypeFromStored(entry->tensor.dtype);
    if (!m_device.is_cpu() && !inBlocks(stored))
        return weightOf(taken(name, *entry, m_dtype), m_dtype);
    const at::Tensor tensor = wrap(*entry, stored).to(m_device);
    count(name, *entry, tensor);
    Weight weight = weightOf(tensor, stored);
    if (entry->groups) {
        const DType type = *dtypeFromStored(entry->groups->scales.tensor.dtype);
        weight.scales = wrap(entry->groups->scales, type).to(m_device);
        weight.biases = wrap(entry->groups->biases, type).to(m_device);
        weight.groups = m_device.is_cpu() ? groupsOf(*entry) : GroupScales{};
    }
    return weight;
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
        const Weight weight = weightOf(tensor.defined() ? tensor.select(0, i) : tensor, m_dtype);
        weights.push_back(noted(m_quantize ? quantize(weight) : weight));
    }
    return weights;
}

Weight WeightLoader::quantize(const Weight& weight)
{
    if (!weight.tensor.defined())
        return weight;
    Weight narrow = *m_quantize == DType::Int8 ? quantized(weight)
                                               : quantizedInBlocks(weight, *m_quantize, m_pool);
    const auto bytes = [](const at::Tensor& tensor) {
        return tensor.defined() ? static_cast<std::int64_t>(tensor.nbytes()) : 0;
    };
    m_bytes +=
        bytes(narrow.tensor) + bytes(narrow.scales) + bytes(narrow.biases) - bytes(weight.tensor);
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
    const Checkpoint::Entry* const known = m_checkpoint.find(name);
    const bool transposed = layout.transposed && !(known && known->form.rows_of_outputs);
    Linear linear;
    if (transposed) {
        const at::Tensor stored = take(name, {in, out}, m_dtype);
        linear.weight = weightOf(stored.defined() ? stored.t().contiguous() : stored, m_dtype);
    } else if (layout.interleaved_heads != 0) {
        linear.weight = weightOf(sorted(take(name, {out, in}, m_dtype)), m_dtype);
    } else {
        linear.weight = takeMatrix(name, out, in);
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
    const std::string name = prefix + ".weight";
    const at::Tensor stored = take(name, {width}, DType::F32);
    const Checkpoint::Entry* const known = m_checkpoint.find(name);
    const bool added = known && known->form.plus_one;
    Norm norm;
    norm.weight = vectorOf(stored.defined() && !added ? stored + 1.0 : stored);
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

const Checkpoint::Entry* WeightLoader::find(const std::string& name,
                                            const std::vector<std::int64_t>& shape)
{
    if (m_cancel.cancelled())
        throw LoadError({ErrorCode::Cancelled, "Loading was cancelled."});
    const Checkpoint::Entry* const entry = m_checkpoint.find(name);
    if (!entry) {
        m_missing.push_back(name);
        return nullptr;
    }
    const std::string where =
        "The tensor " + name + " in " + (m_checkpoint.folder() / entry->file).string();
    if (!dtypeFromStored(entry->tensor.dtype)) {
        throw LoadError({ErrorCode::Unsupported,
                         where + " is stored as " + entry->tensor.dtype
                             + ", which is not supported: use a copy of the model in f32, f16 or "
                               "bf16, or a GGUF file in Q8_0, Q4_0, Q4_K, Q5_K or Q6_K."});
    }
    if (entry->tensor.shape != shape) {
        throw LoadError({ErrorCode::InvalidInput,
                         where + " has the shape " + text(entry->tensor.shape)
                             + ", but config.json asks for " + text(shape)
                             + ": the two do not belong together."});
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
    const DType stored = *dtypeFromStored(entry.tensor.dtype);
    const at::Tensor values = inBlocks(stored) ? widened(entry, stored) : wrap(entry, stored);
    at::Tensor tensor = values.to(m_device, scalarType(target));
    count(name, entry, tensor);
    return tensor;
}

// Values in blocks as f32.
at::Tensor WeightLoader::widened(const Checkpoint::Entry& entry, DType stored)
{
    const at::Tensor blocks = wrap(entry, stored);
    at::Tensor values = at::empty(entry.tensor.shape, at::kFloat);
    const std::int64_t columns = entry.tensor.shape.back();
    auto* const to = values.data_ptr<float>();
    const auto widen = productsFor(kernels(), stored).widenRow;
    const WeightRows rows{
        .values = blocks.data_ptr(), .columns = columns, .groups = groupsOf(entry)};
    m_pool.runRanges(values.numel() / columns, 16, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            widen(rows, row, to + row * columns);
    });
    return values;
}

void WeightLoader::count(const std::string& name, const Checkpoint::Entry& entry,
                         const at::Tensor& tensor)
{
    if (m_taken.insert(name).second) {
        m_parameters += entry.tensor.elements();
        m_bytes += tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
        if (entry.groups && tensor.scalar_type() == at::kByte)
            m_bytes += entry.groups->scales.bytes() + entry.groups->biases.bytes();
        m_doneBytes += entry.bytes();
    }
    if (m_progress) {
        const double fraction = static_cast<double>(m_doneBytes)
            / static_cast<double>(std::max<std::int64_t>(1, m_totalBytes));
        m_progress(fraction, "Loading weights");
    }
}

// Reading every weight once also brings the file into memory, so that this is not charged to the
// first tokens of a run.
void WeightLoader::checkFinite(const std::string& name, const Checkpoint::Entry& entry)
{
    if (entry.groups) { // only they can be no numbers, but the others are read as well
        checkFinite(name, entry.groups->scales);
        checkFinite(name, entry.groups->biases);
        volatile unsigned sum = 0;
        constexpr std::size_t kPage = 4096;
        for (std::size_t i = 0; i < entry.tensor.bytes.size(); i += kPage)
            sum = sum + std::to_integer<unsigned>(entry.tensor.bytes[i]);
        return;
    }
    const Kernels& k = kernels();
    const DType stored = *dtypeFromStored(entry.tensor.dtype);
    const auto finite = inBlocks(stored) ? productsFor(k, stored).finite
        : stored == DType::F32           ? k.finiteF32
        : stored == DType::BF16          ? k.finiteBF16
                                         : k.finiteF16;
    const std::int64_t unit = rowOf(stored).bytes;
    constexpr std::int64_t kGrainBytes = 1 << 20;
    std::atomic<bool> allFinite{true};
    const std::int64_t units = entry.tensor.elements() / rowOf(stored).block;
    m_pool.runRanges(units, kGrainBytes / unit, 1, [&](std::int64_t begin, std::int64_t end) {
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
