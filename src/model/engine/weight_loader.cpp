// SPDX-License-Identifier: GPL-3.0-or-later
#include "weight_loader.h"

#include "kernels.h"
#include "load_error.h"
#include "thread_pool.h"

#include <atomic>
#include <optional>
#include <utility>

namespace ep::model {
namespace {

std::optional<DType> storedType(const std::string& word)
{
    if (word == "F32")
        return DType::F32;
    if (word == "F16")
        return DType::F16;
    if (word == "BF16")
        return DType::BF16;
    return std::nullopt;
}

at::ScalarType scalarType(DType dtype)
{
    switch (dtype) {
    case DType::F16:
        return at::kHalf;
    case DType::BF16:
        return at::kBFloat16;
    case DType::F32:
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
    const std::uintptr_t unit = dtype == DType::F32 ? 4 : 2;
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
                           ThreadPool& pool, const ProgressFn& progress, CancelToken cancel)
    : m_checkpoint(checkpoint)
    , m_device(device)
    , m_dtype(dtype)
    , m_pool(pool)
    , m_progress(progress)
    , m_cancel(std::move(cancel))
{
    for (const auto& [name, entry] : checkpoint.entries())
        m_totalBytes += static_cast<std::int64_t>(entry.tensor.bytes.size());
}

Weight WeightLoader::matrix(const std::string& name, std::int64_t rows, std::int64_t columns)
{
    Weight weight;
    weight.tensor = take(name, {rows, columns}, m_dtype);
    weight.dtype = m_dtype;
    weight.rows = rows;
    weight.columns = columns;
    if (m_device.is_cpu() && weight.tensor.defined())
        weight.data = weight.tensor.data_ptr();
    return weight;
}

WeightVector WeightLoader::vector(const std::string& name, std::int64_t size)
{
    WeightVector vector;
    vector.tensor = take(name, {size}, m_device.is_cpu() ? DType::F32 : m_dtype);
    if (m_device.is_cpu() && vector.tensor.defined())
        vector.data = vector.tensor.data_ptr<float>();
    return vector;
}

Linear WeightLoader::linear(const std::string& prefix, std::int64_t in, std::int64_t out, bool bias)
{
    Linear linear;
    linear.weight = matrix(prefix + ".weight", out, in);
    if (bias)
        linear.bias = vector(prefix + ".bias", out);
    return linear;
}

Norm WeightLoader::rmsNorm(const std::string& prefix, std::int64_t width, double epsilon)
{
    Norm norm;
    norm.weight = vector(prefix + ".weight", width);
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
    const std::optional<DType> stored = storedType(entry->tensor.dtype);
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

// Reading every weight once also brings the file into memory, so that the first tokens of a run are
// not charged with it.
void WeightLoader::checkFinite(const std::string& name, const Checkpoint::Entry& entry)
{
    const Kernels& k = kernels();
    const DType stored = *storedType(entry.tensor.dtype);
    const auto finite = stored == DType::F32 ? k.finiteF32
        : stored == DType::BF16              ? k.finiteBF16
                                             : k.finiteF16;
    const std::int64_t unit = stored == DType::F32 ? 4 : 2;
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
