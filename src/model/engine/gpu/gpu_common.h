// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the kernels for GPUs: how they are launched, and how they are tested on the
// device before their first use.
#pragma once

#include "gpu/gpu_formats.h"
#include "torch_compat.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace ep::model {

inline GpuActivations activationsOf(at::ScalarType type)
{
    return type == at::kHalf    ? GpuActivations::F16
        : type == at::kBFloat16 ? GpuActivations::BF16
                                : GpuActivations::F32;
}

inline std::uint32_t inWord(std::int64_t number)
{
    return static_cast<std::uint32_t>(number);
}

inline std::uint64_t piecesOf(std::int64_t whole, std::uint32_t piece)
{
    return (static_cast<std::uint64_t>(whole) + piece - 1) / piece;
}

// Numbers from -1 to 1, the same in every run and on every machine.
inline at::Tensor someNumbers(std::mt19937& random, at::IntArrayRef shape)
{
    at::Tensor numbers = at::empty(shape, at::kFloat);
    for (float *at = numbers.data_ptr<float>(), *end = at + numbers.numel(); at != end; ++at)
        *at = static_cast<float>(random() >> 8) * 0x1p-23F - 1.0F;
    return numbers;
}

// The largest difference, relative to the largest expected value; NaN if a value is not a number.
inline double differenceOf(const at::Tensor& found, const at::Tensor& expected)
{
    const at::Tensor wide = expected.to(at::kFloat);
    return ((found.to(at::kFloat) - wide).abs().max() / wide.abs().max())
        .to(at::kCPU)
        .item<float>();
}

// Relative to the largest value: allows for rounded results, and for another order of sums.
inline double toleranceOf(at::ScalarType type)
{
    return type == at::kHalf ? 2e-3 : type == at::kBFloat16 ? 1e-2 : 1e-4;
}

inline std::string firstLine(std::string_view text)
{
    return std::string(text.substr(0, text.find('\n')));
}

} // namespace ep::model
