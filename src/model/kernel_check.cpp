// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/kernel_check.h"

#include "block_factors.h"
#include "engine/kernels/kernel_tables.h"
#include "random.h"

#include "ep/model/dtype.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

namespace ep::model {

namespace {

static_assert(kDTypes.size() == kWeightTypes);
static_assert(static_cast<int>(DType::BF16) == kBf16Weights);

constexpr std::int64_t kCheckedLength = 1003; // no multiple of any register
constexpr double kAgreement = 1e-4;

std::vector<float> checkedValues(std::int64_t count, std::uint64_t seed)
{
    Random random(seed);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values)
        value = static_cast<float>(2.0 * random.uniform() - 1.0);
    return values;
}

// 16-bit numbers that are neither infinite nor NaN.
std::vector<std::uint16_t> checkedBits(std::int64_t count, std::uint64_t seed, std::uint16_t mask)
{
    Random random(seed);
    std::vector<std::uint16_t> bits(static_cast<std::size_t>(count));
    for (std::uint16_t& one : bits)
        one = static_cast<std::uint16_t>(random.next() & mask);
    return bits;
}

// Blocks of that type, with random bytes and factors between 2^-8 and 2^-6; scales and minima of
// MLX's formats are factors of the same size.
std::vector<std::byte> checkedBlocks(DType dtype, std::int64_t values)
{
    const auto count = static_cast<std::size_t>(bytesOf(dtype, values));
    std::vector<std::byte> blocks(count);
    for (std::size_t i = 0;
         const std::uint16_t bits : checkedBits(static_cast<std::int64_t>(count), 6, 0xFF))
        blocks[i++] = static_cast<std::byte>(bits);
    if (scalesApart(dtype)) {
        for (std::byte& number : blocks) // 8-bit numbers below 2
            number &= dtype == DType::Fp8 ? std::byte{0xBF} : std::byte{0xFF};
        return blocks;
    }
    const auto factors = checkedBits(values, 7, 0x7FF);
    const auto unit = static_cast<std::size_t>(rowOf(dtype).bytes);
    for (std::size_t block = 0; block < count / unit; ++block) {
        setFactors(dtype, blocks.data() + block * unit,
                   static_cast<std::uint16_t>(0x1C00 + factors[block]));
    }
    return blocks;
}

using KernelResult = std::vector<float>;
using NamedKernel = std::pair<std::string, std::function<KernelResult(const Kernels&)>>;

// Multiplies block-quantized weights by one row.
KernelResult timesRoundedRow(const Kernels& k, const MatmulKernels& matmul, const WeightRows& w,
                             const float* x, std::int64_t outputs)
{
    const auto columns = static_cast<std::size_t>(w.columns);
    std::vector<std::int16_t> values(columns);
    std::vector<float> factors(columns / 32);
    std::vector<float> sums(columns / 32);
    std::vector<float> halfSums(columns / 16);
    std::vector<std::int8_t> halves(2 * columns);
    k.quantizeRow(x, w.columns, values.data(), factors.data(), sums.data(), halfSums.data(),
                  halves.data());
    const BlockedRow row{.values = values.data(),
                         .scales = factors.data(),
                         .sums = sums.data(),
                         .half_sums = halfSums.data(),
                         .bytes = halves.data()};
    KernelResult out(static_cast<std::size_t>(outputs));
    matmul.blockRow(w, row, out.data(), 0, outputs);
    return out;
}

// Multiplies block-quantized weights by a row that is packed as if there were many, in pairs if the
// kernels can.
KernelResult timesPackedRow(const Kernels& k, const MatmulKernels& matmul, const WeightRows& w,
                            const float* x, std::int64_t outputs)
{
    const bool paired = matmul.pairs.multiply != nullptr;
    std::vector<float> panels(static_cast<std::size_t>(k.panel_rows * w.columns));
    std::vector<float> scratch(static_cast<std::size_t>(k.panelScratch(1)));
    const auto pack = paired ? matmul.pairs.pack : k.packPanel;
    const auto multiply = paired ? matmul.pairs.multiply : matmul.manyRows;
    pack(x, w.columns, 1, w.columns, 0, panels.data());
    KernelResult out(static_cast<std::size_t>(outputs));
    multiply(w, panels.data(), 1, scratch.data(), out.data(), outputs, 0, outputs);
    return out;
}

constexpr std::int64_t kCheckedRows = 3;
constexpr std::array<float, kCheckedRows> kScales{0.01F, 0.02F, 0.03F};

// Matmuls in pairs round activations to bf16, so these are bf16 numbers.
std::vector<float> checkedActivations()
{
    auto activations = checkedValues(kCheckedRows * kCheckedLength, 5);
    for (float& value : activations)
        value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFF'0000U);
    return activations;
}

// Multiplies with each kernel in turn, with as many rows of activations as of weights.
template <typename Stored>
KernelResult allMatmuls(const Kernels& k, DType dtype, const Stored& stored,
                        const std::vector<float>& activations)
{
    const std::int64_t n = kCheckedLength;
    const MatmulKernels& matmul = matmulsFor(k, dtype);
    const WeightRows w{.values = stored.data(),
                       .columns = n,
                       .scales = dtype == DType::Int8 ? kScales.data() : nullptr};
    KernelResult all(static_cast<std::size_t>(n));
    matmul.dequantize(stored.data(), all.data(), n);
    KernelResult out(kCheckedRows * kCheckedRows);
    const auto keep = [&] { all.insert(all.end(), out.begin(), out.end()); };
    for (const auto one : matmul.row) {
        for (std::int64_t row = 0; row < kCheckedRows; ++row)
            one(w, activations.data() + row * n, out.data() + row * kCheckedRows, 0, kCheckedRows);
        keep();
    }
    std::vector<float> rounded(static_cast<std::size_t>(n + kMinPairColumns));
    for (std::int64_t row = 0; matmul.pairs.row && row < kCheckedRows; ++row) {
        matmul.pairs.roundRow(activations.data() + row * n, n, rounded.data());
        matmul.pairs.row(w, rounded.data(), out.data() + row * kCheckedRows, 0, kCheckedRows);
    }
    keep(); // keeps the previous result again if there are no kernels for pairs
    matmul.fewRows(w, activations.data(), n, kCheckedRows, out.data(), kCheckedRows, 0,
                   kCheckedRows);
    keep();
    std::vector<float> panels(static_cast<std::size_t>(k.panel_rows * n));
    std::vector<float> scratch(static_cast<std::size_t>(k.panelScratch(kCheckedRows)));
    const auto multiplyMany = [&](const auto& pack, const auto& multiply) {
        pack(activations.data(), n, kCheckedRows, n, 0, panels.data());
        multiply(w, panels.data(), kCheckedRows, scratch.data(), out.data(), kCheckedRows, 0,
                 kCheckedRows);
        keep();
    };
    multiplyMany(k.packPanel, matmul.manyRows);
    if (matmul.pairs.multiply)
        multiplyMany(matmul.pairs.pack, matmul.pairs.multiply);
    else
        keep(); // keeps the previous result again if there are no kernels for pairs
    return all;
}

template <typename Stored>
NamedKernel checkedMatmuls(const char* name, DType dtype, Stored stored)
{
    return {name,
            [dtype, stored = std::move(stored), activations = checkedActivations()](
                const Kernels& k) { return allMatmuls(k, dtype, stored, activations); }};
}

std::vector<NamedKernel> plainMatmuls()
{
    constexpr std::int64_t kValues = kCheckedRows * kCheckedLength;
    // At most 2^-1 as bf16 and at most 1 as f16; with both signs.
    const auto narrow = checkedBits(kValues, 4, 0xBF7F);
    std::vector<std::int8_t> bytes;
    for (const std::uint16_t bits : narrow)
        bytes.push_back(static_cast<std::int8_t>(static_cast<int>(bits & 0xFFU) - 128));
    return {checkedMatmuls("matmul of f32", DType::F32, checkedValues(kValues, 3)),
            checkedMatmuls("matmul of bf16", DType::BF16, narrow),
            checkedMatmuls("matmul of f16", DType::F16, narrow),
            checkedMatmuls("matmul of int8", DType::Int8, bytes)};
}

// Dequantizes rows of block-quantized weights, and multiplies them by one row of activations and
// by many.
std::function<KernelResult(const Kernels&)> blockMatmuls(DType dtype)
{
    constexpr std::int64_t kColumns = 4 * 256;
    constexpr std::int64_t kGroups = kColumns / 16;
    const std::int64_t group = dtype == DType::MlxNvfp4 ? 16 : 64;
    return [=, activations = checkedActivations(),
            blocks = checkedBlocks(dtype, kCheckedRows * kColumns),
            scales = checkedValues(kCheckedRows * kGroups, 8),
            minima = checkedValues(kCheckedRows * kGroups, 9)](const Kernels& k) {
        const MatmulKernels& matmul = matmulsFor(k, dtype);
        const WeightRows w{
            .values = blocks.data(),
            .columns = kColumns,
            .groups = {.scales = scales.data(), .biases = minima.data(), .columns = group}};
        KernelResult all = timesRoundedRow(k, matmul, w, activations.data(), kCheckedRows);
        const KernelResult many = timesPackedRow(k, matmul, w, activations.data(), kCheckedRows);
        all.insert(all.end(), many.begin(), many.end());
        for (std::int64_t i = 0; i < kCheckedRows; ++i) {
            all.resize(all.size() + kColumns);
            matmul.dequantizeRow(w, i, all.data() + 2 * kCheckedRows + i * kColumns);
        }
        return all;
    };
}

// Kernels for the values of one row: norms, softmax, sums and statistics.
std::vector<NamedKernel> rowKernels()
{
    constexpr std::int64_t n = kCheckedLength;
    constexpr auto size = static_cast<std::size_t>(n);
    const auto x = checkedValues(n, 1);
    const auto y = checkedValues(n, 2);
    std::vector<NamedKernel> kernels{
        {"rmsNorm",
         [=](const Kernels& k) {
             KernelResult out(size);
             k.rmsNorm(x.data(), y.data(), 1e-5F, out.data(), n);
             return out;
         }},
        {"layerNorm",
         [=](const Kernels& k) {
             KernelResult out(size);
             k.layerNorm(x.data(), y.data(), x.data(), 1e-5F, out.data(), n);
             return out;
         }},
        {"softmax",
         [=](const Kernels& k) {
             KernelResult out = x;
             k.softmax(out.data(), n, 3.0F);
             return out;
         }},
        {"softCap",
         [=](const Kernels& k) {
             KernelResult out = x;
             k.softCap(out.data(), n, 40.0F, 30.0F);
             return out;
         }},
        {"rotate",
         [=](const Kernels& k) {
             constexpr std::int64_t kHeads = 4;
             constexpr std::int64_t kHalf = 32;
             KernelResult out = x;
             k.rotate(out.data(), kHeads, 2 * kHalf + 3, y.data(), y.data() + kHalf, kHalf);
             return out;
         }},
        {"weightedSums",
         [=](const Kernels& k) {
             constexpr std::int64_t kDimension = 67;
             constexpr std::int64_t kCount = kCheckedLength / kDimension;
             KernelResult out(4 * kDimension);
             k.weightedSums(y.data(), kCount, 4, x.data(), kCount, kDimension, out.data(),
                            kDimension);
             return out;
         }},
        {"softmaxFigures",
         [=](const Kernels& k) {
             KernelResult out = x;
             const WeightFigures figures = k.softmaxFigures(out.data(), n, 1e-3F);
             return KernelResult{figures.entropy, figures.largest, figures.square_sum};
         }},
        {"accumulate",
         [=](const Kernels& k) {
             ValueSums sums;
             k.accumulate(x.data(), n, 0.01F, 0.1F, sums);
             return KernelResult{static_cast<float>(sums.abs_sum),
                                 static_cast<float>(sums.shifted_sum),
                                 static_cast<float>(sums.shifted_square_sum), sums.max_abs,
                                 static_cast<float>(sums.below)};
         }},
        {"mean, meanSquare, maximum, sumOfExp", [=](const Kernels& k) {
             return KernelResult{k.mean(x.data(), n), k.meanSquare(x.data(), 0.1F, n),
                                 k.maximum(x.data(), n),
                                 static_cast<float>(k.sumOfExp(x.data(), n, 1.0F) / 1000.0)};
         }}};
    for (const auto& [name, activation] :
         {std::pair("silu", Activation::Silu), std::pair("geluTanh", Activation::GeluTanh),
          std::pair("geluErf", Activation::GeluErf), std::pair("quickGelu", Activation::QuickGelu),
          std::pair("relu", Activation::Relu)}) {
        kernels.emplace_back(name, [=, kind = activation](const Kernels& k) {
            KernelResult out(size);
            k.activate(kind, x.data(), y.data(), out.data(), n);
            return out;
        });
    }
    return kernels;
}

// All kernels whose results may differ from one table to another.
std::vector<NamedKernel> checkedKernels()
{
    std::vector<NamedKernel> kernels = plainMatmuls();
    for (NamedKernel& kernel : rowKernels())
        kernels.push_back(std::move(kernel));
    for (const DTypeRow& row : kDTypes) {
        if (inBlocks(row.dtype))
            kernels.emplace_back("matmul of " + std::string(row.name), blockMatmuls(row.dtype));
    }
    return kernels;
}

double kernelDifference(const KernelResult& a, const KernelResult& b)
{
    double largest = 0.0;
    double scale = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        if (!std::isfinite(difference))
            return HUGE_VAL;
        largest = std::max(largest, difference);
        scale = std::max(scale, std::abs(static_cast<double>(b[i])));
    }
    return scale > 0.0 ? largest / scale : largest;
}

// The portable kernels that all others are measured by: a matmul and a softmax in doubles.
KernelTableCheck checkPortable(const Kernels& portable)
{
    const auto x = checkedValues(kCheckedLength, 1);
    const auto weights = checkedValues(kCheckedLength, 3);
    double dot = 0.0;
    double total = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        dot += static_cast<double>(x[i]) * static_cast<double>(weights[i]);
        total += std::exp(static_cast<double>(x[i]));
    }
    KernelResult expected{static_cast<float>(dot)};
    for (const float value : x)
        expected.push_back(static_cast<float>(std::exp(static_cast<double>(value)) / total));
    KernelResult found(1);
    const WeightRows rows{.values = weights.data(), .columns = kCheckedLength};
    matmulsFor(portable, DType::F32).row[0](rows, x.data(), found.data(), 0, 1);
    KernelResult softmax = x;
    portable.softmax(softmax.data(), kCheckedLength, 1.0F);
    found.insert(found.end(), softmax.begin(), softmax.end());

    KernelTableCheck check{.table = portable.name, .used = &kernels() == &portable};
    check.kernel = "matmul of f32, softmax";
    check.largest_difference = kernelDifference(found, expected);
    check.agrees = check.largest_difference <= kAgreement;
    return check;
}

} // namespace

std::vector<KernelTableCheck> checkKernelTables()
{
    const Kernels& portable = *portableKernels();
    std::vector<KernelTableCheck> checks{checkPortable(portable)};
    for (const Kernels* table : kernelTables()) {
        if (table == &portable)
            continue;
        KernelTableCheck check{.table = table->name, .used = &kernels() == table};
        for (const auto& [name, compute] : checkedKernels()) {
            const double difference = kernelDifference(compute(*table), compute(portable));
            if (difference >= check.largest_difference) {
                check.largest_difference = difference;
                check.kernel = name;
            }
        }
        check.agrees = check.largest_difference <= kAgreement;
        checks.push_back(check);
    }
    return checks;
}

} // namespace ep::model
