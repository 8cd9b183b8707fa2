// SPDX-License-Identifier: GPL-3.0-or-later
#include "weight_loader.h"

#include "dequantization.h"
#include "guarded.h"
#include "kernels.h"
#include "packed/unpacking.h"
#include "quantization.h"
#include "stored_tensor.h"
#include "thread_pool.h"
#include "weight_files.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

namespace ep::model {
namespace {

DType plainType(at::ScalarType type)
{
    return type == at::kHalf ? DType::F16 : type == at::kBFloat16 ? DType::BF16 : DType::F32;
}

std::int64_t sizeOf(const Weight& weight)
{
    std::int64_t bytes = 0;
    for (const at::Tensor* const tensor : {&weight.tensor, &weight.scales, &weight.biases})
        bytes += tensor->defined() ? static_cast<std::int64_t>(tensor->nbytes()) : 0;
    return bytes;
}

// Whether all units are finite numbers.
using Finite = bool (*)(const void* units, std::int64_t count);

struct Units {
    Finite finite = nullptr; // null: every bit pattern is a number
    std::int64_t bytes = 1; // size of a unit
    std::int64_t numbers = 1; // numbers per unit
};

template <int kMask>
bool noneHasAll(const void* units, std::int64_t count)
{
    const auto* const bytes = static_cast<const unsigned char*>(units);
    bool finite = true;
    for (std::int64_t i = 0; i < count; ++i)
        finite &= (bytes[i] & kMask) != kMask;
    return finite;
}

bool finiteF64(const void* units, std::int64_t count)
{
    const auto* const bytes = static_cast<const unsigned char*>(units);
    bool finite = true;
    for (std::int64_t i = 0; i < count; ++i)
        finite &= (bytes[8 * i + 7] & 0x7F) != 0x7F || (bytes[8 * i + 6] & 0xF0) != 0xF0;
    return finite;
}

Units unitsOf(std::string_view type)
{
    const Kernels& k = kernels();
    if (const auto dtype = dtypeFromStored(type)) {
        switch (*dtype) {
        case DType::F32:
            return {.finite = k.finiteF32, .bytes = 4};
        case DType::BF16:
            return {.finite = k.finiteBF16, .bytes = 2};
        case DType::F16:
            return {.finite = k.finiteF16, .bytes = 2};
        case DType::Fp8:
            return {.finite = noneHasAll<0x7F>};
        default:
            return {.finite = matmulsFor(k, *dtype).finite,
                    .bytes = rowOf(*dtype).bytes,
                    .numbers = rowOf(*dtype).block};
        }
    }
    if (type == "E8M0")
        return {.finite = noneHasAll<0xFF>};
    if (type == "E4M3" || type == "F8_E4M3")
        return {.finite = noneHasAll<0x7F>};
    if (type == "F64")
        return {.finite = finiteF64, .bytes = 8};
    return {};
}

// Reads a byte of each page, which brings the file into memory.
void touch(std::span<const std::byte> bytes)
{
    constexpr std::size_t kPage = 4096;
    volatile unsigned sum = 0;
    for (std::size_t i = 0; i < bytes.size(); i += kPage)
        sum = sum + std::to_integer<unsigned>(bytes[i]);
}

// "block 17 of row 3"
std::string unitInWords(std::int64_t unit, const StoredTensor& tensor, const Units& units)
{
    const std::int64_t columns = tensor.shape.empty() ? 1 : tensor.shape.back();
    const std::int64_t ofRow = std::max<std::int64_t>(1, columns / units.numbers);
    const std::string what = units.numbers > 1 ? "block " : "column ";
    return what + std::to_string(unit % ofRow) + " of row " + std::to_string(unit / ofRow);
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
              where, shapeText(entry->tensor.shape), shapeText(shape)}});
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

// Loads the weights of norms in the forms that families store them in.

at::Tensor WeightLoader::takeNorm(const std::string& name, std::int64_t size)
{
    const Checkpoint::Entry* const entry = find(name, {size});
    if (!entry)
        return {};
    const bool wide = plainTypeOf(*entry) == DType::F32;
    return taken(name, *entry, wide ? DType::F32 : vectorType());
}

Norm WeightLoader::rmsNorm(const std::string& prefix, std::int64_t width, double epsilon)
{
    Norm norm;
    norm.weight = vectorOf(takeNorm(prefix + ".weight", width));
    norm.epsilon = static_cast<float>(epsilon);
    return norm;
}

Norm WeightLoader::plainRmsNorm(std::int64_t width, double epsilon) const
{
    Norm norm;
    norm.weight =
        vectorOf(at::ones({width}, at::TensorOptions(scalarType(vectorType())).device(m_device)));
    norm.epsilon = static_cast<float>(epsilon);
    return norm;
}

Norm WeightLoader::scaledRmsNorm(const std::string& name, std::int64_t width, double epsilon,
                                 double factor)
{
    const at::Tensor stored = takeNorm(name, width);
    Norm norm;
    norm.weight = vectorOf(stored.defined() ? stored * factor : stored);
    norm.epsilon = static_cast<float>(epsilon);
    return norm;
}

// Adds in f32 on every device, so that the sum is not rounded.
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
    Norm norm = layerNormWithoutBias(prefix, width, epsilon);
    norm.bias = vectorOf(takeNorm(prefix + ".bias", width));
    return norm;
}

Norm WeightLoader::layerNormWithoutBias(const std::string& prefix, std::int64_t width,
                                        double epsilon)
{
    Norm norm = rmsNorm(prefix, width, epsilon);
    norm.kind = NormKind::Layer;
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

// Loads plain weights. Most of a checkpoint have one type, but some may keep a wider one: routers
// and norms in f32 in a bf16 model.

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

// Loads matrices that are rounded to another type: row by row from the file, so that no matrix is
// ever in memory as a whole in f32.

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

// Checks of a tensor's values by WeightLoader.

Message WeightLoader::placeOf(const std::string& name, const Checkpoint::Entry& entry) const
{
    return {"The tensor %1 (%2) in %3", m_checkpoint.ownName(name), entry.tensor.dtype,
            (m_checkpoint.folder() / entry.file).string()};
}

// Reading every weight once also brings the file into memory, so that the first tokens of a run
// are not charged for it.
void WeightLoader::checkFinite(const std::string& name, const Checkpoint::Entry& entry)
{
    if (entry.groups) {
        checkFinite(name + ", scales", entry.groups->scales);
        if (entry.groups->biases)
            checkFinite(name + ", biases", *entry.groups->biases);
    }
    if (entry.factor)
        checkFinite(name + ", factor", *entry.factor);
    const StoredTensor& tensor = entry.tensor;
    const Units units = unitsOf(tensor.dtype);
    if (!units.finite)
        return touch(tensor.bytes);
    const auto finite = [&](std::int64_t begin, std::int64_t end) {
        return units.finite(tensor.bytes.data() + begin * units.bytes, end - begin);
    };
    constexpr std::int64_t kGrainBytes = 1 << 17;
    constexpr std::int64_t kNone = -1;
    std::atomic<std::int64_t> found{kNone};
    m_pool.runRanges(tensor.elements() / units.numbers, kGrainBytes / units.bytes, 1,
                     [&](std::int64_t begin, std::int64_t end) {
                         if (finite(begin, end))
                             return;
                         while (begin + 1 < end && finite(begin, begin + 1))
                             ++begin;
                         found.store(begin, std::memory_order_relaxed);
                     });
    if (const std::int64_t unit = found.load(std::memory_order_relaxed); unit != kNone) {
        if (const Status unchanged = WeightFiles(m_checkpoint).unchanged(); !unchanged)
            throw LoadError(unchanged.error());
        throw LoadError({ErrorCode::InvalidInput,
                         {"%1 holds values that are not numbers (NaN or infinity), in %2: nothing "
                          "can be computed with them, use another version of the model.",
                          placeOf(name, entry), unitInWords(unit, tensor, units)}});
    }
}

} // namespace ep::model
