// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/gpu_fused.h"

#include "aten_functions.h"
#include "device.h"
#include "gpu/gpu_common.h"

#include "ep/core/format.h"

#include <exception>
#include <limits>
#include <random>
#include <utility>

namespace ep::model {
namespace {

// Must equal the constants in fused.metal.
constexpr std::uint32_t kFusedThreads = 128;
constexpr std::uint32_t kStatisticsThreads = 256;

// Must match the layout in fused.metal.
struct GpuNormShape {
    std::uint32_t width;
    std::uint32_t weight_rows;
    std::uint32_t centred;
    std::uint32_t rounds;
    std::uint32_t has_bias;
    float epsilon;
};

struct GpuRotationShape {
    std::uint32_t count;
    std::uint32_t heads;
    std::uint32_t dim;
    std::uint32_t pairs;
    std::uint32_t interleaved;
};

struct GpuGateShape {
    std::uint32_t count;
    std::uint32_t gelu;
};

struct GpuStatisticsShape {
    std::uint32_t count;
    float threshold;
};

// Deliberately not a multiple of what a threadgroup computes.
constexpr std::int64_t kFusedRows = 5;
constexpr std::int64_t kFusedHeads = 3;
constexpr std::int64_t kFusedDim = 70;
constexpr std::int64_t kFusedPairs = 32;

// LibTorch's functions round after each step.
constexpr double kRoundings = 3.0;

Norm someNorm(std::mt19937& random, NormKind kind, at::ScalarType weights, at::Device device)
{
    Norm norm{.kind = kind, .weight = {}, .bias = {}, .epsilon = 1e-5F, .per_head = true};
    norm.weight.tensor =
        (someNumbers(random, {kFusedHeads * kFusedDim}) + 1.5).to(device).to(weights);
    if (kind == NormKind::Layer)
        norm.bias.tensor = someNumbers(random, {kFusedHeads * kFusedDim}).to(device).to(weights);
    return norm;
}

} // namespace

std::string_view name(GpuFused::Operation operation)
{
    static constexpr std::string_view kNames[] = {"norms", "rotations", "gates", "statistics"};
    return kNames[static_cast<std::size_t>(operation)];
}

GpuFused::GpuFused(const GpuLanguage& language, at::Device device, at::ScalarType activations)
    : m_gpus(language.gpus)
    , m_device(device)
    , m_type(activations)
{
    try {
        m_library = language.compile(gpuFusedSource(activationsOf(m_type)));
        if (!m_library)
            m_failures.fill("this LibTorch compiles no kernels");
    } catch (const std::exception& exception) {
        m_failures.fill(firstLine(exception.what()));
    }
    for (const Operation operation : kOperations) {
        if (!m_library)
            break;
        std::string& failure = m_failures[static_cast<std::size_t>(operation)];
        try {
            failure = whyItFails(operation);
        } catch (const std::exception& exception) {
            failure = firstLine(exception.what());
        }
    }
}

bool GpuFused::takes(Operation operation, const at::Tensor& x) const
{
    return m_library && failureOf(operation).empty() && x.dim() == 2 && x.numel() > 0
        && x.scalar_type() == m_type && x.numel() <= std::numeric_limits<std::uint32_t>::max();
}

void GpuFused::launch(const char* kernel, std::vector<at::Tensor> tensors, const void* constants,
                      std::size_t bytes, std::uint64_t groups, std::uint64_t threads)
{
    m_library->run({.kernel = kernel,
                    .tensors = std::move(tensors),
                    .constants = constants,
                    .constant_bytes = bytes,
                    .threads = {groups * threads, 1, 1},
                    .group = {threads, 1, 1}});
}

std::optional<at::Tensor> GpuFused::norm(const at::Tensor& x, const Norm& norm, std::int64_t heads)
{
    const at::Tensor& weights = norm.weight.tensor;
    const bool same = weights.scalar_type() == m_type;
    if (!takes(Operation::Norm, x) || !(same || weights.scalar_type() == at::kFloat)
        || !weights.is_contiguous())
        return std::nullopt;
    const at::Tensor input = x.contiguous();
    const at::Tensor bias = norm.bias.tensor.defined()
        ? norm.bias.tensor.to(weights.scalar_type()).contiguous()
        : weights; // not read, but every buffer must be bound
    at::Tensor out = at::empty_like(input);
    const GpuNormShape shape{
        .width = inWord(input.size(1) / heads),
        .weight_rows = inWord(norm.per_head ? heads : 1),
        .centred = norm.kind == NormKind::Layer ? 1U : 0U,
        .rounds = norm.kind == NormKind::Rms && weights.scalar_type() != at::kFloat ? 1U : 0U,
        .has_bias = norm.bias.tensor.defined() ? 1U : 0U,
        .epsilon = norm.epsilon};
    launch(same ? kGpuNorm : kGpuNormF32, {input, weights, bias, out}, &shape, sizeof shape,
           static_cast<std::uint64_t>(input.size(0) * heads), kFusedThreads);
    return out;
}

std::optional<at::Tensor> GpuFused::rotate(const at::Tensor& x, std::int64_t heads,
                                           const at::Tensor& cosines, const at::Tensor& sines,
                                           bool interleaved)
{
    if (!takes(Operation::Rotation, x) || cosines.scalar_type() != m_type
        || sines.scalar_type() != m_type)
        return std::nullopt;
    const at::Tensor input = x.contiguous();
    at::Tensor out = at::empty_like(input);
    const GpuRotationShape shape{.count = inWord(input.numel()),
                                 .heads = inWord(heads),
                                 .dim = inWord(input.size(1) / heads),
                                 .pairs = inWord(cosines.size(1)),
                                 .interleaved = interleaved ? 1U : 0U};
    launch(kGpuRotation, {input, cosines.contiguous(), sines.contiguous(), out}, &shape,
           sizeof shape, piecesOf(input.numel(), kFusedThreads), kFusedThreads);
    return out;
}

std::optional<at::Tensor> GpuFused::gate(Activation kind, const at::Tensor& x,
                                         const at::Tensor& multiplier)
{
    if (!takes(Operation::Gate, x) || multiplier.scalar_type() != m_type
        || multiplier.sizes() != x.sizes()
        || (kind != Activation::Silu && kind != Activation::GeluTanh))
        return std::nullopt;
    const at::Tensor input = x.contiguous();
    at::Tensor out = at::empty_like(input);
    const GpuGateShape shape{.count = inWord(input.numel()),
                             .gelu = kind == Activation::GeluTanh ? 1U : 0U};
    launch(kGpuGate, {input, multiplier.contiguous(), out}, &shape, sizeof shape,
           piecesOf(input.numel(), kFusedThreads), kFusedThreads);
    return out;
}

bool GpuFused::statistics(const at::Tensor& x, float threshold, const at::Tensor& out)
{
    const bool same = x.scalar_type() == m_type;
    if (!m_library || !failureOf(Operation::Statistics).empty() || x.numel() == 0
        || !(same || x.scalar_type() == at::kFloat))
        return false;
    const GpuStatisticsShape shape{.count = inWord(x.numel()), .threshold = threshold};
    launch(same ? kGpuStatistics : kGpuStatisticsF32, {x.contiguous(), out}, &shape, sizeof shape,
           1, kStatisticsThreads);
    return true;
}

std::string GpuFused::whyItFails(Operation operation)
{
    std::mt19937 random(12);
    const auto input = [&](std::int64_t columns) {
        return (someNumbers(random, {kFusedRows, columns}) * 4.0).to(m_device).to(m_type);
    };
    const at::Tensor x = input(kFusedHeads * kFusedDim);
    double worst = 0.0;
    const auto compare = [&](const std::optional<at::Tensor>& found, const at::Tensor& expected) {
        const double difference = differenceOf(*found, expected);
        if (!(difference <= worst))
            worst = difference;
    };
    switch (operation) {
    case Operation::Norm:
        for (const NormKind kind : {NormKind::Rms, NormKind::Layer}) {
            for (const at::ScalarType weights : {m_type, at::kFloat}) {
                const Norm norm = someNorm(random, kind, weights, m_device);
                compare(this->norm(x, norm, kFusedHeads),
                        normOfHeads(x, norm, kFusedHeads, m_type));
            }
        }
        break;
    case Operation::Rotation:
        for (const bool interleaved : {false, true}) {
            const at::Tensor cosines = input(kFusedPairs) / 4.0;
            const at::Tensor sines = input(kFusedPairs) / 4.0;
            compare(rotate(x, kFusedHeads, cosines, sines, interleaved),
                    rotated(x, kFusedHeads, cosines, sines, interleaved));
        }
        break;
    case Operation::Gate:
        for (const Activation kind : {Activation::Silu, Activation::GeluTanh}) {
            const at::Tensor multiplier = input(x.size(1));
            // The reference is computed in f32, for which every device has these functions.
            compare(gate(kind, x, multiplier),
                    activationOf(kind, x.to(at::kFloat)) * multiplier.to(at::kFloat));
        }
        break;
    case Operation::Statistics: {
        constexpr float kThreshold = 1.0F;
        for (const at::Tensor& values : {x, x.to(at::kFloat)}) {
            const at::Tensor out = at::zeros({4}, at::TensorOptions(at::kFloat).device(m_device));
            statistics(values, kThreshold, out);
            compare(out, statisticsOf(values, kThreshold));
        }
        break;
    }
    }
    if (worst <= kRoundings * toleranceOf(m_type))
        return {};
    return "its results differ by " + formatPercent(worst) + " from LibTorch's";
}

std::vector<Message> GpuFused::notes() const
{
    std::vector<Message> notes;
    for (const Operation operation : kOperations) {
        if (!failureOf(operation).empty()) {
            notes.emplace_back("LibTorch's functions compute the %1, because the kernel for %2 "
                               "cannot be used: %3.",
                               name(operation), m_gpus, failureOf(operation));
        }
    }
    return notes;
}

std::vector<DeviceKernelCheck> checkGpuFused(const GpuLanguage& language, at::Device device)
{
    std::vector<DeviceKernelCheck> checks;
    for (const GpuFused::Operation operation : GpuFused::kOperations) {
        checks.push_back({.device = deviceName(device),
                          .dtype = {},
                          .operation = std::string(name(operation)),
                          .problem = {}});
    }
    for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
        const GpuFused fused(language, device, type);
        for (std::size_t i = 0; i < checks.size(); ++i) {
            if (checks[i].problem.empty())
                checks[i].problem = fused.failureOf(GpuFused::kOperations[i]);
        }
    }
    return checks;
}

} // namespace ep::model
