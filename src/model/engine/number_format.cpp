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

DType narrowestType(at::Device device)
{
    return canCompute(device, DType::F16) ? DType::F16 : DType::F32;
}

DType chooseType(const std::string& word, DType stored, at::Device device)
{
    if (word == "auto") {
        return inBlocks(stored) || canCompute(device, stored) ? stored : narrowestType(device);
    }
    const std::optional<DType> dtype = dtypeFromName(word);
    if (!dtype || (!rowOf(*dtype).offered && *dtype != stored)) {
        throw LoadError(
            {ErrorCode::InvalidInput,
             {"The type \"%1\" is not known; known are %2.", word, dtypeChoicesText()}});
    }
    return *dtype;
}

void checkDevice(const NumberFormat& format, at::Device device)
{
    if (!canCompute(device, format.wide)) {
        throw LoadError({ErrorCode::Unsupported,
                         {"The device %1 cannot compute in %2: choose f32 or f16.",
                          deviceName(device), name(format.wide)}});
    }
}

std::string dequantizedOnLoading(DType stored, DType computed, at::Device device)
{
    return "The weights are stored in " + std::string(name(stored)) + " and were dequantized to "
        + std::string(name(computed)) + " on loading: "
        + (device.is_cpu()
               ? "the run moves more bytes than one that computes from the stored type, as the "
                 "processor does with --dtype auto."
               : "with --dtype auto they need less memory.");
}

std::string dequantizedForEachMatmul(DType stored, at::Device device)
{
    return "The weights stay in " + std::string(name(stored)) + " on the device "
        + deviceName(device)
        + " and are dequantized there for each matmul, which has no kernel for them: a matmul then "
          "moves more bytes than are stored. With --dtype f16 they are dequantized once, on "
          "loading, "
          "and need more memory.";
}

// Whether some matrices are stored in fewer bits than most.
bool holdsQuantized(const Checkpoint& checkpoint)
{
    for (const auto& [name, entry] : checkpoint.entries()) {
        const auto dtype = dtypeFromStored(entry.tensor.dtype);
        if (dtype && (inBlocks(*dtype) || *dtype == DType::Int8))
            return true;
    }
    return false;
}

// "q4_k weights in blocks of 256, 4.5 bits each, as stored; activations in 16 bits .."
std::string blocksInWords(const NumberFormat& format, at::Device device)
{
    const DType dtype = format.computed;
    return std::string(name(dtype)) + " weights in blocks of " + std::to_string(rowOf(dtype).block)
        + ", " + formatSignificant(8.0 * bytesOfNumber(dtype), 3)
        + (format.rounded ? " bits each, rounded on loading" : " bits each, as stored")
        + (device.is_cpu() ? "; multiplied " + std::string(matmulInWords(dtype))
                   + "; activations in 16 bits with a scale for each 32 where a pass has up to "
                     "12 rows"
                           : std::string());
}

} // namespace

NumberFormat chooseNumberFormat(const std::string& text, const Checkpoint& checkpoint,
                                at::Device device)
{
    const DType stored = storedDType(checkpoint);
    NumberFormat format;
    std::string word = text;
    if (text.find('=') != std::string::npos) {
        format.plan = orThrow(parseDTypePlan(text));
        word = format.plan.usual;
    }
    format.computed = chooseType(word, stored, device);
    const bool blocks = inBlocks(format.computed);
    format.rounded = (blocks || format.computed == DType::Int8) && format.computed != stored;
    format.kept = !format.rounded
        && (blocks || format.computed == DType::Int8
            || (word == "auto" && holdsQuantized(checkpoint)));
    format.own_types = format.rounded || format.kept || word == "auto";
    const DType widest = device.is_cpu() ? DType::F32 : narrowestType(device);
    const DType plain = inBlocks(stored) ? widest : stored;
    format.wide = format.rounded || format.kept ? plain : format.computed;
    checkDevice(format, device);
    if (inBlocks(stored) && !blocks && !format.rounded)
        format.note = dequantizedOnLoading(stored, format.computed, device);
    else if (format.kept && !device.is_cpu())
        format.note_if_dequantized = dequantizedForEachMatmul(stored, device);
    if (format.computed == DType::Int8 && format.rounded)
        format.quantization = kQuantizationInWords;
    else if (blocks)
        format.quantization = blocksInWords(format, device);
    if (!format.plan.rules.empty()) {
        format.quantization +=
            (format.quantization.empty() ? "" : "; ") + std::string("rounded on loading: ") + text;
    }
    return format;
}

} // namespace ep::model
