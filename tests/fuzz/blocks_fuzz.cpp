// SPDX-License-Identifier: GPL-3.0-or-later
// The first byte chooses a format, the others are blocks of one row. Every variant of the kernels
// must give the same values for any bytes, and finite values where the factors are finite.
#include "kernel_tables.h"
#include "kernels.h"

#include "ep/model/dtype.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ep::model;
    if (size < 2)
        return 0;
    const DTypeRow& row = kDTypes[data[0] % kDTypes.size()];
    const auto count = static_cast<std::int64_t>(size - 1) / row.bytes;
    if (row.block == 1 || count == 0)
        return 0;
    // Exactly the size of the blocks, so that a read beyond them is detected.
    const std::vector<std::uint8_t> blocks(data + 1, data + 1 + count * row.bytes);
    const std::int64_t columns = count * row.block;
    const std::vector<float> scales(static_cast<std::size_t>(columns / 16 + 1), 0.5F);
    const WeightRows weights{.values = blocks.data(),
                             .columns = columns,
                             .groups = {.scales = scales.data(),
                                        .biases = scales.data(),
                                        .columns = row.dtype == DType::MlxNvfp4 ? 16 : 32}};
    std::vector<float> expected;
    for (const Kernels* const table : kernelTables()) {
        const MatmulKernels& products = matmulsFor(*table, row.dtype);
        std::vector<float> values(static_cast<std::size_t>(columns));
        products.dequantizeRow(weights, 0, values.data());
        if (products.finite && products.finite(blocks.data(), count)) {
            for (const float value : values) {
                if (!std::isfinite(value))
                    std::abort();
            }
            if (!expected.empty()
                && std::memcmp(values.data(), expected.data(), 4 * values.size()) != 0)
                std::abort();
            expected = values;
        }
        std::vector<std::int16_t> x(static_cast<std::size_t>(columns + 256), 1);
        std::vector<float> factors(x.size() / 16, 1.0F);
        const std::vector<std::int8_t> bytes(2 * x.size(), 1);
        float out = 0.0F;
        products.blockRow(weights,
                          {.values = x.data(),
                           .scales = factors.data(),
                           .sums = factors.data(),
                           .half_sums = factors.data(),
                           .bytes = bytes.data()},
                          &out, 0, 1);
    }
    return 0;
}
