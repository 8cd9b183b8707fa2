// SPDX-License-Identifier: GPL-3.0-or-later
#include "number_format.h"

#include "device.h"
#include "load_error.h"
#include "model_facts.h"
#include "quantization.h"

#include "ep/core/format.h"

#include <optional>

namespace ep::model {
namespace {

DType chooseType(const std::string& word, DType stored, at::Device device)
{
    if (word == "auto") {
        if (inBlocks(stored) ? device.is_cpu() : canCompute(device, stored))
            return stored;
        return canCompute(device, DType::F16) ? DType::F16 : DType::F32;
    }
    const std::optional<DType> dtype = dtypeFromName(word);
    if (!dtype || (!rowOf(*dtype).offered && *dtype != stored)) {
        throw LoadError(
            {ErrorCode::InvalidInput,
             "The type \"" + word + "\" is not known; known are " + dtypeChoicesText() + "."});
    }
    return *dtype;
}

void checkDevice(const NumberFormat& format, at::Device device)
{
    if (inBlocks(format.computed) && !device.is_cpu()) {
        throw LoadError({ErrorCode::Unsupported,
                         "The device " + deviceName(device) + " cannot compute in "
                             + std::string(name(format.computed))
                             + ", which only the processor does: choose the device cpu, or f16."});
    }
    if (!canCompute(device, format.wide)) {
        throw LoadError({ErrorCode::Unsupported,
                         "The device " + deviceName(device) + " cannot compute in "
                             + std::string(name(format.wide)) + ": choose f32 or f16."});
    }
}

std::string widenedOnLoading(DType stored, DType computed)
{
    return "The weights are stored in " + std::string(name(stored)) + " and were widened to "
        + std::string(name(computed))
        + " on loading: the run moves more bytes than one that computes from the stored type, as "
          "the processor does with --dtype auto.";
}

// "q4_k weights in blocks of 256, 4.5 bits each, as stored; activations in 8 bits .."
std::string blocksInWords(DType dtype, bool rounded)
{
    return std::string(name(dtype)) + " weights in blocks of " + std::to_string(rowOf(dtype).block)
        + ", " + formatSignificant(8.0 * bytesOfNumber(dtype), 3)
        + (rounded ? " bits each, rounded on loading" : " bits each, as stored")
        + "; activations in 8 bits with a scale for each 32 where a pass has up to 12 rows";
}

} // namespace

NumberFormat chooseNumberFormat(const std::string& word, const Checkpoint& checkpoint,
                                at::Device device)
{
    const DType stored = storedDType(checkpoint);
    NumberFormat format;
    format.computed = chooseType(word, stored, device);
    const bool blocks = inBlocks(format.computed);
    format.rounded = format.computed == DType::Int8 || (blocks && format.computed != stored);
    format.kept = blocks && !format.rounded;
    const DType plain = inBlocks(stored) ? DType::F32 : stored;
    format.wide = format.rounded || format.kept ? plain : format.computed;
    checkDevice(format, device);
    if (inBlocks(stored) && !blocks && !format.rounded)
        format.note = widenedOnLoading(stored, format.computed);
    if (format.computed == DType::Int8)
        format.quantization = kQuantizationInWords;
    else if (blocks)
        format.quantization = blocksInWords(format.computed, format.rounded);
    return format;
}

} // namespace ep::model
