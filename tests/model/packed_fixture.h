// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "kernels.h"
#include "random.h"
#include "support/safetensors_writer.h"
#include "support/temp_folder.h"

#include "ep/model/config.h"
#include "ep/model/dtype.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

// HuggingFace folders with packed weights: tests write them following the description of each
// method, and they are read back to the last bit.
namespace ep::model {

using Part = test::StoredTensor;

template <typename Number>
std::vector<std::byte> bytesOf(const std::vector<Number>& numbers)
{
    std::vector<std::byte> bytes(numbers.size() * sizeof(Number));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

// A matrix with groups: each value is scale x (number - zero).
struct PackedMatrix {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t group = 0;
    std::vector<int> numbers{}; // [rows, columns]
    std::vector<float> scales{}; // [rows, groups]
    std::vector<int> zeros{}; // likewise
    std::vector<int> groupOf{}; // group of each column

    std::int64_t groups() const { return columns / group; }
    int number(std::int64_t row, std::int64_t column) const
    {
        return numbers[static_cast<std::size_t>(row * columns + column)];
    }
    std::size_t at(std::int64_t row, std::int64_t g) const
    {
        return static_cast<std::size_t>(row * groups() + g);
    }
    float value(std::int64_t row, std::int64_t column) const
    {
        const std::size_t place = at(row, groupOf[static_cast<std::size_t>(column)]);
        return scales[place] * static_cast<float>(number(row, column) - zeros[place]);
    }
};

// Scales are multiples of 2^-10 below 1/8, which f16 and bf16 represent exactly.
inline PackedMatrix randomMatrix(std::int64_t rows, std::int64_t columns, std::int64_t group,
                                 int bits)
{
    Random random(11);
    const auto below = [&](int most) { return static_cast<int>(random.uniform() * most); };
    PackedMatrix m{.rows = rows, .columns = columns, .group = group};
    for (std::int64_t i = 0; i < rows * columns; ++i)
        m.numbers.push_back(below(1 << bits));
    for (std::int64_t i = 0; i < rows * columns / group; ++i) {
        m.scales.push_back(static_cast<float>(below(127) + 1) / 1024.0F);
        m.zeros.push_back(below(1 << bits));
    }
    for (std::int64_t i = 0; i < columns; ++i)
        m.groupOf.push_back(static_cast<int>(i / group));
    return m;
}

// 32-bit words of numbers(line, place), lowest bits first.
inline std::vector<std::uint32_t>
words(std::int64_t lines, std::int64_t places, int bits,
      const std::function<int(std::int64_t, std::int64_t)>& number)
{
    const std::int64_t inWord = 32 / bits;
    std::vector<std::uint32_t> all(static_cast<std::size_t>(lines * places / inWord));
    for (std::int64_t line = 0; line < lines; ++line) {
        for (std::int64_t i = 0; i < places; ++i) {
            const auto q = static_cast<std::uint32_t>(number(line, i)) & ((1U << bits) - 1U);
            all[static_cast<std::size_t>((line * places + i) / inWord)] |= q << i % inWord * bits;
        }
    }
    return all;
}

class PackedTest : public testing::Test {
protected:
    Result<Checkpoint> open(const std::vector<Part>& tensors, const PackedSettings& settings)
    {
        ModelConfig config;
        config.packed = settings;
        return open(tensors, config);
    }
    Result<Checkpoint> open(const std::vector<Part>& tensors, const ModelConfig& config)
    {
        test::writeText(m_folder / "config.json", "{}");
        test::writeSafetensors(m_folder / "model.safetensors", tensors);
        return Checkpoint::open(m_folder.path(), config);
    }

    // The values of a matrix as the kernels give them, and its type.
    static std::vector<float> values(const Checkpoint& checkpoint, const std::string& name,
                                     std::string& type)
    {
        const Checkpoint::Entry* const found = checkpoint.find(name);
        if (!found) {
            ADD_FAILURE() << name << " is missing";
            return {};
        }
        Checkpoint::Entry entry = *found;
        if (entry.unpack) {
            auto unpacked = entry.unpack();
            EXPECT_TRUE(unpacked) << unpacked.error().message;
            EXPECT_EQ(unpacked->tensor.dtype, entry.tensor.dtype);
            EXPECT_EQ(unpacked->tensor.shape, entry.tensor.shape);
            entry = *unpacked;
        }
        type = entry.tensor.dtype;
        const auto dtype = dtypeFromStored(type);
        EXPECT_TRUE(dtype) << type;
        const std::int64_t columns = entry.tensor.shape.back();
        std::vector<float> out(static_cast<std::size_t>(entry.tensor.elements()));
        WeightRows rows{.values = entry.tensor.bytes.data(), .columns = columns};
        std::vector<float> factors;
        if (entry.groups) {
            const auto& scales = entry.groups->scales.tensor;
            rows.groups = {.scales = scales.bytes.data(),
                           .biases = entry.groups->biases
                               ? entry.groups->biases->tensor.bytes.data()
                               : nullptr,
                           .columns = entry.groups->columns,
                           .type = scales.dtype == "E8M0" ? GroupScales::Type::E8M0
                               : scales.dtype == "E4M3"   ? GroupScales::Type::E4M3
                                                          : GroupScales::Type::F32,
                           .rows = entry.groups->rows};
        }
        if (entry.factor) {
            const auto* const first =
                reinterpret_cast<const float*>(entry.factor->tensor.bytes.data());
            factors.assign(first, first + entry.factor->tensor.elements());
            factors.resize(out.size() / static_cast<std::size_t>(columns), factors.front());
            rows.scales = factors.data();
        }
        for (std::int64_t row = 0; row < entry.tensor.elements() / columns; ++row)
            matmulsFor(kernels(), *dtype).dequantizeRow(rows, row, out.data() + row * columns);
        return out;
    }

    static void expectValues(const Checkpoint& checkpoint, const PackedMatrix& m,
                             const std::string& type)
    {
        std::string found;
        const auto all = values(checkpoint, "x.weight", found);
        EXPECT_EQ(found, type);
        ASSERT_EQ(all.size(), static_cast<std::size_t>(m.rows * m.columns));
        for (std::int64_t row = 0; row < m.rows; ++row) {
            for (std::int64_t i = 0; i < m.columns; ++i) {
                ASSERT_EQ(all[static_cast<std::size_t>(row * m.columns + i)], m.value(row, i))
                    << row << ", " << i;
            }
        }
        EXPECT_EQ(checkpoint.entries().size(), 1U); // the parts have been replaced
    }

    test::TempFolder m_folder;
};

} // namespace ep::model
