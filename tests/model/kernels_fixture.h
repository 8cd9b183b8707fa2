// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kernel_tables.h"
#include "kernels.h"
#include "random.h"
#include "support/plain_kernels.h"
#include "support/safetensors_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// Every variant that this machine can run, compared with plain double arithmetic.
namespace ep::model {

// Lengths around multiples of the register width.
inline const std::vector<std::int64_t> kLengths{1,  2,  3,  7,  8,   15,  16,
                                                17, 31, 33, 64, 100, 257, 1000};

inline std::vector<float> randomValues(std::int64_t count, std::uint64_t seed, float scale = 1.0F,
                                       float shift = 0.0F)
{
    Random random(seed);
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(2.0 * random.uniform() - 1.0) * scale + shift);
    return values;
}

inline std::vector<std::uint16_t> halves(const std::vector<float>& values, const char* dtype)
{
    const auto tensor = test::makeTensor("", {}, values, dtype);
    std::vector<std::uint16_t> bits(values.size());
    std::memcpy(bits.data(), tensor.bytes.data(), tensor.bytes.size());
    return bits;
}

inline double f16Value(std::uint16_t bits)
{
    const int exponent = (bits >> 10) & 0x1F;
    const double fraction = (bits & 0x3FF) / 1024.0;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1.0 + fraction, exponent - 15);
    return bits & 0x8000 ? -magnitude : magnitude;
}

class KernelsTest : public testing::TestWithParam<const Kernels*> {
protected:
    const Kernels& k = *GetParam();
};

inline std::string variantName(const testing::TestParamInfo<const Kernels*>& variant)
{
    std::string name = variant.param->name;
    std::erase_if(name, [](char c) { return c == '-' || c == ' '; });
    return name;
}

inline std::vector<const Kernels*> testedTables()
{
    std::vector<const Kernels*> tables = kernelTables();
    tables.push_back(test::plainPairKernels());
    tables.push_back(test::plainTileKernels());
    return tables;
}

} // namespace ep::model
