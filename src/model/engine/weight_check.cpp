// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of a tensor's values by WeightLoader.
#include "load_error.h"
#include "stored_tensor.h"
#include "thread_pool.h"
#include "weight_files.h"
#include "weight_loader.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

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
