// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/gpu_matmul.h"

#include "block_factors.h"
#include "dequantization.h"
#include "device.h"
#include "gpu/gpu_common.h"
#include "quantization.h"

#include "ep/core/format.h"
#include "ep/core/joined.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <random>
#include <utility>

namespace ep::model {
namespace {

constexpr std::int64_t kUnitColumns = 16; // as in numbers.metal

bool fitsKernels(const GpuFormat& format, const Weight& weight)
{
    if (weight.rows == 0 || weight.columns % kGpuColumns != 0 || !weight.tensor.is_contiguous())
        return false;
    if (!scalesApart(weight.dtype))
        return true;
    if (weight.biases.defined() != format.biases)
        return false;
    if (!weight.scales.defined())
        return !format.biases;
    return weight.groups.columns >= kUnitColumns && weight.groups.columns % kUnitColumns == 0
        && weight.scales.is_contiguous() && (!format.biases || weight.biases.is_contiguous())
        && weight.scales.numel() <= std::numeric_limits<std::uint32_t>::max();
}

GpuShape shapeOf(const Weight& weight)
{
    const bool grouped = weight.scales.defined();
    return {.rows = inWord(weight.rows),
            .columns = inWord(weight.columns),
            .row_bytes = inWord(bytesOf(weight.dtype, weight.columns)),
            .row_scales = grouped ? inWord(weight.scales.size(1)) : 0,
            .units_of_scale = grouped ? inWord(weight.groups.columns / kUnitColumns) : 1,
            .scale_type = static_cast<std::uint32_t>(weight.groups.type),
            .has_scales = grouped ? 1U : 0U,
            .has_factors = weight.row_scales.defined() ? 1U : 0U};
}

// The buffers of a weight. Every buffer must be bound; the kernel does not read those that stand in
// for absent ones.
std::vector<at::Tensor> buffersOf(const Weight& weight)
{
    const auto or_weight = [&](const at::Tensor& tensor) {
        return tensor.defined() ? tensor : weight.tensor;
    };
    return {weight.tensor, or_weight(weight.scales), or_weight(weight.biases),
            or_weight(weight.row_scales)};
}

// --- The test ------------------------------------------------------------------------------------

// Sizes that no threadgroup divides evenly, and that span several groups and blocks.
constexpr std::int64_t kTestRows = 70;
constexpr std::int64_t kTestColumns = 512;
constexpr std::int64_t kTestInputs[] = {1, 3, 37};

// Columns of a group with a common scale in the format, and the type of the scales.
struct GpuTestGroups {
    std::int64_t columns = 0; // 0: scales are in the blocks
    GroupScales::Type type = GroupScales::Type::F32;
};

std::vector<GpuTestGroups> testGroupsOf(const GpuFormat& format)
{
    using enum GroupScales::Type;
    if (!scalesApart(format.dtype))
        return {{}};
    if (format.biases)
        return {{32, F32}, {64, F16}, {128, BF16}};
    switch (format.dtype) {
    case DType::MlxMxfp4:
        return {{32, E8M0}};
    case DType::MlxNvfp4:
        return {{16, E4M3}};
    default: // FP8
        return {{32, E8M0}, {128, F32}, {128, BF16}};
    }
}

// Scales of about 2^-6 in each type.
at::Tensor someScales(std::mt19937& random, GroupScales::Type type, at::IntArrayRef shape)
{
    const at::Tensor numbers = someNumbers(random, shape);
    switch (type) {
    case GroupScales::Type::E8M0:
        return (numbers * 3.0 + 121.0).to(at::kByte);
    case GroupScales::Type::E4M3:
        return (numbers * 8.0 + 16.0).to(at::kByte);
    case GroupScales::Type::BF16:
        return (numbers / 64.0).to(at::kBFloat16);
    case GroupScales::Type::F16:
        return (numbers / 64.0).to(at::kHalf);
    case GroupScales::Type::F32:
        break;
    }
    return numbers / 64.0;
}

Linear someLayer(const GpuFormat& format, const GpuTestGroups& groups, std::mt19937& random)
{
    const DType dtype = format.dtype;
    Linear layer;
    Weight& weight = layer.weight;
    weight.dtype = dtype;
    weight.rows = kTestRows;
    weight.columns = kTestColumns;
    weight.tensor = at::empty({kTestRows, bytesOf(dtype, kTestColumns)}, at::kByte);
    auto* const bytes = weight.tensor.data_ptr<std::uint8_t>();
    // FP8 has no infinities, and a single magnitude that is not a number: 0x7F.
    const std::uint32_t mask = dtype == DType::Fp8 ? 0xF7 : 0xFF;
    std::generate_n(bytes, weight.tensor.numel(),
                    [&] { return static_cast<std::uint8_t>(random() >> 24 & mask); });
    if (groups.columns > 0) {
        const std::int64_t ofRow = kTestColumns / groups.columns;
        weight.scales = someScales(random, groups.type, {kTestRows, ofRow});
        if (format.biases)
            weight.biases = someNumbers(random, {kTestRows, ofRow}).to(weight.scales.scalar_type());
        weight.groups = {.columns = groups.columns, .type = groups.type};
    } else {
        for (std::int64_t i = 0; i < weight.tensor.numel(); i += rowOf(dtype).bytes) {
            // An f16 from 2^-9 to 2^-8.
            const auto factor = static_cast<std::uint16_t>(0x1800 | random() >> 22);
            setFactors(dtype, reinterpret_cast<std::byte*>(bytes + i), factor);
        }
        weight.row_scales = someNumbers(random, {kTestRows});
    }
    layer.bias.tensor = someNumbers(random, {kTestRows});
    return layer;
}

} // namespace

GpuMatmul::GpuMatmul(const GpuLanguage& language, at::Device device, at::ScalarType activations)
    : m_language(language)
    , m_device(device)
    , m_type(activations)
{
}

bool GpuMatmul::prepare(DType dtype)
{
    return !isPlain(dtype) && kernelsOf(dtype).library;
}

const GpuMatmul::Kernels& GpuMatmul::kernelsOf(DType dtype)
{
    auto found = m_kernels.find(dtype);
    if (found == m_kernels.end()) {
        const GpuFormat* const format = gpuFormatOf(dtype);
        found = m_kernels.emplace(dtype, format ? tested(*format) : Kernels{}).first;
    }
    return found->second;
}

GpuMatmul::Kernels GpuMatmul::tested(const GpuFormat& format) const
{
    Kernels kernels;
    try {
        kernels.library = m_language.compile(
            gpuSource(format, activationsOf(m_type),
                      m_language.tiles ? GpuKernelKind::Tile : GpuKernelKind::Dequantize));
        kernels.failure = kernels.library ? whyItFails(*kernels.library, format)
                                          : "this LibTorch compiles no kernels";
    } catch (const std::exception& exception) {
        kernels.failure = firstLine(exception.what());
    }
    if (!kernels.failure.empty())
        kernels.library.reset();
    return kernels;
}

std::optional<at::Tensor> GpuMatmul::linear(const at::Tensor& x, const Linear& layer)
{
    const GpuFormat* const format = gpuFormatOf(layer.weight.dtype);
    if (!format || !fitsKernels(*format, layer.weight) || x.dim() != 2 || x.size(0) == 0
        || x.scalar_type() != m_type)
        return std::nullopt;
    const Kernels& kernels = kernelsOf(format->dtype);
    if (!kernels.library)
        return std::nullopt;
    return multiply(*kernels.library, *format, x, layer);
}

std::optional<at::Tensor> GpuMatmul::dequantized(const Weight& weight)
{
    const GpuFormat* const format = gpuFormatOf(weight.dtype);
    if (m_language.tiles || !format || !fitsKernels(*format, weight))
        return std::nullopt;
    const Kernels& kernels = kernelsOf(format->dtype);
    if (!kernels.library)
        return std::nullopt;
    return dequantize(*kernels.library, *format, weight);
}

at::Tensor GpuMatmul::multiply(GpuLibrary& library, const GpuFormat& format, const at::Tensor& x,
                               const Linear& layer) const
{
    const Weight& weight = layer.weight;
    const bool many = x.size(0) > kMaxVectorInputs;
    if (many && !m_language.tiles) {
        return linearOfDequantized(x, layer, kDequantizedAtOnce, [&](const Weight& rows) {
            return dequantize(library, format, rows);
        });
    }
    const at::Tensor input = x.contiguous();
    at::Tensor out = at::empty({input.size(0), weight.rows}, input.options());
    GpuShape shape = shapeOf(weight);
    shape.inputs = inWord(input.size(0));
    shape.has_bias = layer.bias.tensor.defined() ? 1U : 0U;
    std::vector<at::Tensor> buffers = buffersOf(weight);
    buffers.push_back(input);
    buffers.push_back(layer.bias.tensor.defined() ? layer.bias.tensor.to(m_type) : input);
    buffers.push_back(out);
    const GpuTiling& tiling = many ? kGpuTile : kGpuVector;
    library.run({.kernel = gpuKernelName(many ? GpuKernelKind::Tile : GpuKernelKind::Vector, format,
                                         activationsOf(m_type)),
                 .tensors = std::move(buffers),
                 .constants = &shape,
                 .constant_bytes = sizeof shape,
                 .threads = {piecesOf(input.size(0), tiling.inputs) * tiling.threads,
                             piecesOf(weight.rows, tiling.rows), 1},
                 .group = {tiling.threads, 1, 1}});
    return out;
}

at::Tensor GpuMatmul::dequantize(GpuLibrary& library, const GpuFormat& format,
                                 const Weight& weight) const
{
    at::Tensor out =
        at::empty({weight.rows, weight.columns}, at::TensorOptions(m_type).device(m_device));
    const GpuShape shape = shapeOf(weight);
    std::vector<at::Tensor> buffers = buffersOf(weight);
    buffers.push_back(out);
    library.run({.kernel = gpuKernelName(GpuKernelKind::Dequantize, format, activationsOf(m_type)),
                 .tensors = std::move(buffers),
                 .constants = &shape,
                 .constant_bytes = sizeof shape,
                 .threads = {static_cast<std::uint64_t>(weight.rows) * kGpuDequantizeThreads,
                             piecesOf(weight.columns / kUnitColumns, kGpuDequantizeThreads), 1},
                 .group = {kGpuDequantizeThreads, 1, 1}});
    return out;
}

std::string GpuMatmul::whyItFails(GpuLibrary& library, const GpuFormat& format) const
{
    std::mt19937 random(11);
    for (const GpuTestGroups& groups : testGroupsOf(format)) {
        Linear layer = someLayer(format, groups, random);
        layer = {onDevice(layer.weight, m_device), {.tensor = layer.bias.tensor.to(m_device)}};
        for (const std::int64_t inputs : kTestInputs) {
            const at::Tensor x =
                someNumbers(random, {inputs, kTestColumns}).to(m_device).to(m_type);
            const at::Tensor expected = linearOfDequantized(x.to(at::kFloat), layer);
            const double difference = differenceOf(multiply(library, format, x, layer), expected);
            if (!(difference <= toleranceOf(m_type))) {
                return "matmuls with " + std::to_string(inputs) + " rows differ by "
                    + formatPercent(difference) + " from LibTorch's";
            }
        }
    }
    return {};
}

std::string GpuMatmul::failureOf(DType dtype) const
{
    const auto found = m_kernels.find(dtype);
    return found == m_kernels.end() ? std::string() : found->second.failure;
}

std::vector<std::string> GpuMatmul::used() const
{
    std::vector<std::string> names;
    for (const auto& [dtype, kernels] : m_kernels) {
        if (kernels.library)
            names.emplace_back(name(dtype));
    }
    return names;
}

std::vector<std::string> GpuMatmul::dequantizedFirst() const
{
    std::vector<std::string> names;
    for (const auto& [dtype, kernels] : m_kernels) {
        if (!kernels.library)
            names.emplace_back(name(dtype));
    }
    return names;
}

std::string GpuMatmul::computation() const
{
    std::string text = "LibTorch";
    if (const auto names = used(); !names.empty())
        text += "; as they are stored, by kernels for " + std::string(m_language.name) + ": "
            + joined(names);
    if (const auto names = dequantizedFirst(); !names.empty())
        text += "; dequantized first: " + joined(names);
    return text;
}

std::string GpuMatmul::kernels() const
{
    const auto names = used();
    return names.empty() ? std::string() : std::string(m_language.name) + ": " + joined(names);
}

std::vector<Message> GpuMatmul::notes() const
{
    std::vector<Message> notes;
    for (const auto& [dtype, kernels] : m_kernels) {
        if (!kernels.failure.empty()) {
            notes.emplace_back("Weights of the type %1 are dequantized before each matmul, because "
                               "the kernels for %2 cannot be used: %3.",
                               name(dtype), m_language.gpus, kernels.failure);
        }
    }
    return notes;
}

std::vector<DeviceKernelCheck> checkGpuMatmul(const GpuLanguage& language, at::Device device)
{
    std::vector<DeviceKernelCheck> checks;
    for (const GpuFormat& format : kGpuFormats) {
        DeviceKernelCheck check{.device = deviceName(device),
                                .dtype = std::string(name(format.dtype)),
                                .operation = {},
                                .problem = {}};
        for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
            if (!check.problem.empty())
                break;
            GpuMatmul matmul(language, device, type);
            matmul.prepare(format.dtype);
            check.problem = matmul.failureOf(format.dtype);
        }
        checks.push_back(std::move(check));
    }
    return checks;
}

} // namespace ep::model
