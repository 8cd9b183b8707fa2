// SPDX-License-Identifier: GPL-3.0-or-later
#include "metal/metal_products.h"

#include "block_factors.h"
#include "dequantization.h"
#include "device.h"
#include "metal/metal_common.h"

#include "ep/core/format.h"
#include "ep/core/joined.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <random>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

constexpr std::int64_t kUnitColumns = 16; // as in numbers.metal

bool fitsKernels(const at::Tensor& x, at::ScalarType type, const MetalFormat& format,
                 const Weight& weight)
{
    if (x.dim() != 2 || x.size(0) == 0 || x.scalar_type() != type || weight.rows == 0
        || weight.columns % kMetalColumns != 0 || !weight.tensor.is_contiguous())
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

// --- The test ------------------------------------------------------------------------------------

// Sizes that no threadgroup divides evenly, and that span several groups and blocks.
constexpr std::int64_t kTestRows = 70;
constexpr std::int64_t kTestColumns = 512;
constexpr std::int64_t kTestInputs[] = {1, 3, 37};

// Columns of a group with a common scale in the format, and the type of the scales.
struct MetalTestGroups {
    std::int64_t columns = 0; // 0: scales are in the blocks
    GroupScales::Type type = GroupScales::Type::F32;
};

std::vector<MetalTestGroups> testGroupsOf(const MetalFormat& format)
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

Linear someLayer(const MetalFormat& format, const MetalTestGroups& groups, std::mt19937& random)
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

Linear onDevice(Linear layer, at::Device device)
{
    for (at::Tensor* const tensor :
         {&layer.weight.tensor, &layer.weight.scales, &layer.weight.biases,
          &layer.weight.row_scales, &layer.bias.tensor}) {
        if (tensor->defined())
            *tensor = tensor->to(device);
    }
    return layer;
}

} // namespace

MetalProducts::MetalProducts(CompileMetal compile, at::Device device, at::ScalarType activations)
    : m_compile(std::move(compile))
    , m_device(device)
    , m_type(activations)
{
}

bool MetalProducts::prepare(DType dtype)
{
    return !isPlain(dtype) && kernelsOf(dtype).library;
}

const MetalProducts::Kernels& MetalProducts::kernelsOf(DType dtype)
{
    auto found = m_kernels.find(dtype);
    if (found == m_kernels.end()) {
        const MetalFormat* const format = metalFormatOf(dtype);
        found = m_kernels.emplace(dtype, format ? tested(*format) : Kernels{}).first;
    }
    return found->second;
}

MetalProducts::Kernels MetalProducts::tested(const MetalFormat& format) const
{
    Kernels kernels;
    try {
        kernels.library = m_compile(metalSource(format, activationsOf(m_type)));
        kernels.failure = kernels.library ? whyItFails(*kernels.library, format)
                                          : "this LibTorch compiles no kernels";
    } catch (const std::exception& exception) {
        kernels.failure = firstLine(exception.what());
    }
    if (!kernels.failure.empty())
        kernels.library.reset();
    return kernels;
}

std::optional<at::Tensor> MetalProducts::linear(const at::Tensor& x, const Linear& layer)
{
    const MetalFormat* const format = metalFormatOf(layer.weight.dtype);
    if (!format || !fitsKernels(x, m_type, *format, layer.weight))
        return std::nullopt;
    const Kernels& kernels = kernelsOf(format->dtype);
    if (!kernels.library)
        return std::nullopt;
    return multiply(*kernels.library, *format, x, layer);
}

at::Tensor MetalProducts::multiply(MetalLibrary& library, const MetalFormat& format,
                                   const at::Tensor& x, const Linear& layer) const
{
    const Weight& weight = layer.weight;
    const at::Tensor input = x.contiguous();
    at::Tensor out = at::empty({input.size(0), weight.rows}, input.options());
    const bool grouped = weight.scales.defined();
    const MetalShape shape{
        .rows = inWord(weight.rows),
        .columns = inWord(weight.columns),
        .inputs = inWord(input.size(0)),
        .row_bytes = inWord(bytesOf(weight.dtype, weight.columns)),
        .row_scales = grouped ? inWord(weight.scales.size(1)) : 0,
        .units_of_scale = grouped ? inWord(weight.groups.columns / kUnitColumns) : 1,
        .scale_type = static_cast<std::uint32_t>(weight.groups.type),
        .has_scales = grouped ? 1U : 0U,
        .has_factors = weight.row_scales.defined() ? 1U : 0U,
        .has_bias = layer.bias.tensor.defined() ? 1U : 0U,
    };
    // Every buffer must be bound; the kernel does not read those that stand in for absent ones.
    const auto or_input = [&](const at::Tensor& tensor) {
        return tensor.defined() ? tensor : input;
    };
    const bool tile = input.size(0) > kMaxVectorInputs;
    const MetalTiling& tiling = tile ? kMetalTile : kMetalVector;
    library.run(
        {.kernel = metalKernelName(tile, format, activationsOf(m_type)),
         .tensors = {weight.tensor, or_input(weight.scales), or_input(weight.biases),
                     or_input(weight.row_scales), input,
                     layer.bias.tensor.defined() ? layer.bias.tensor.to(m_type) : input, out},
         .constants = &shape,
         .constant_bytes = sizeof shape,
         .threads = {piecesOf(input.size(0), tiling.inputs) * tiling.threads,
                     piecesOf(weight.rows, tiling.rows), 1},
         .group = {tiling.threads, 1, 1}});
    return out;
}

std::string MetalProducts::whyItFails(MetalLibrary& library, const MetalFormat& format) const
{
    std::mt19937 random(11);
    for (const MetalTestGroups& groups : testGroupsOf(format)) {
        const Linear layer = onDevice(someLayer(format, groups, random), m_device);
        for (const std::int64_t inputs : kTestInputs) {
            const at::Tensor x =
                someNumbers(random, {inputs, kTestColumns}).to(m_device).to(m_type);
            const at::Tensor expected = linearOfDequantized(x.to(at::kFloat), layer);
            const double difference = differenceOf(multiply(library, format, x, layer), expected);
            if (!(difference <= toleranceOf(m_type))) {
                return "products with " + std::to_string(inputs) + " rows differ by "
                    + formatPercent(difference) + " from LibTorch's";
            }
        }
    }
    return {};
}

std::string MetalProducts::failureOf(DType dtype) const
{
    const auto found = m_kernels.find(dtype);
    return found == m_kernels.end() ? std::string() : found->second.failure;
}

std::vector<std::string> MetalProducts::used() const
{
    std::vector<std::string> names;
    for (const auto& [dtype, kernels] : m_kernels) {
        if (kernels.library)
            names.emplace_back(name(dtype));
    }
    return names;
}

std::vector<std::string> MetalProducts::dequantized() const
{
    std::vector<std::string> names;
    for (const auto& [dtype, kernels] : m_kernels) {
        if (!kernels.library)
            names.emplace_back(name(dtype));
    }
    return names;
}

std::string MetalProducts::computation() const
{
    std::string text = "LibTorch";
    if (const auto names = used(); !names.empty())
        text += "; as they are stored, by kernels for Metal: " + joined(names);
    if (const auto names = dequantized(); !names.empty())
        text += "; dequantized first: " + joined(names);
    return text;
}

std::string MetalProducts::kernels() const
{
    const auto names = used();
    return names.empty() ? std::string() : "Metal: " + joined(names);
}

std::vector<std::string> MetalProducts::notes() const
{
    std::vector<std::string> notes;
    for (const auto& [dtype, kernels] : m_kernels) {
        if (!kernels.failure.empty()) {
            notes.push_back("Weights of the type " + std::string(name(dtype))
                            + " are dequantized before each product, because the kernels for "
                              "Apple's GPUs cannot be used: "
                            + kernels.failure + ".");
        }
    }
    return notes;
}

std::vector<DeviceKernelCheck> checkMetalProducts(const CompileMetal& compile, at::Device device)
{
    std::vector<DeviceKernelCheck> checks;
    for (const MetalFormat& format : kMetalFormats) {
        DeviceKernelCheck check{.device = deviceName(device),
                                .dtype = std::string(name(format.dtype)),
                                .operation = {},
                                .problem = {}};
        for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
            if (!check.problem.empty())
                break;
            MetalProducts products(compile, device, type);
            products.prepare(format.dtype);
            check.problem = products.failureOf(format.dtype);
        }
        checks.push_back(std::move(check));
    }
    return checks;
}

} // namespace ep::model
