// SPDX-License-Identifier: GPL-3.0-or-later
#include "number_format.h"

#include "device.h"
#include "guarded.h"
#include "model_facts.h"
#include "quantization.h"
#include "tensor_list.h"

#include "ep/core/format.h"
#include "ep/model/format.h"
#include "ep/model/tensor_list.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace ep::model {
namespace {

DType narrowestType(at::Device device)
{
    return canCompute(device, DType::F16) ? DType::F16 : DType::F32;
}

void checkDevice(const NumberFormat& format, at::Device device)
{
    if (!canCompute(device, format.wide)) {
        throw LoadError({ErrorCode::Unsupported,
                         {"The device %1 cannot compute in %2: choose f32 or f16.",
                          deviceName(device), name(format.wide)}});
    }
}

Message dequantizedOnLoading(DType stored, DType computed, at::Device device)
{
    return {device.is_cpu()
                ? "The weights are stored in %1 and were dequantized to %2 on loading: the run "
                  "moves more bytes than one that computes from the stored type, as the processor "
                  "does with --dtype auto."
                : "The weights are stored in %1 and were dequantized to %2 on loading: with "
                  "--dtype auto they need less memory.",
            name(stored), name(computed)};
}

Message dequantizedForEachMatmul(DType stored, at::Device device)
{
    return {
        "The weights stay in %1 on the device %2 and are dequantized for each matmul, which has "
        "no kernel for them: a matmul then moves more bytes than are stored. With --dtype f16 "
        "they are dequantized once, on loading, and need more memory.",
        name(stored), deviceName(device)};
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

bool hasFewBits(DType type)
{
    return inBlocks(type) || type == DType::Int8;
}

// The matrices that are rounded on loading, and how rounding changes the size of matrices that are
// stored in few bits.
struct Rounding {
    std::map<std::string, DType> types; // by name
    std::map<DType, std::int64_t> numbers; // number of weights of each type
    std::map<DType, int> matrices; // rounded matrices, by type
    std::int64_t narrower = 0; // weights in few bits that are rounded a second time, to fewer
    std::int64_t wider = 0; // weights that are rounded to more bits than they are stored in
    std::int64_t stored_bytes = 0; // stored size of the weights in `wider`
    std::int64_t bytes = 0;
    std::int64_t all = 0; // number of all weights

    DType most() const
    {
        return std::ranges::max_element(numbers, {}, [](const auto& one) { return one.second; })
            ->first;
    }
};

Rounding roundingOf(const ModelFiles& files, const DTypePlan& plan)
{
    const TensorList list = listTensors(*files.weights, files.config);
    orThrow(checkRules(list, plan));
    const TensorTypes types = typesIn(list, plan);
    const FormatRow* const usual = formatFromName(plan.usual);
    const bool plain = usual && usual->rule == FormatRule::Plain; // the loader's own type
    Rounding rounding;
    for (std::size_t i = 0; i < types.size(); ++i) {
        const ListedTensor& tensor = list.tensors[i];
        const std::int64_t numbers = tensor.rows * tensor.columns;
        rounding.all += numbers;
        rounding.numbers[types[i].value_or(tensor.stored.value_or(DType::F32))] += numbers;
        if (!types[i])
            continue;
        if (!plain || *types[i] != usual->dtype) {
            rounding.types.emplace(tensor.name, *types[i]);
            ++rounding.matrices[*types[i]];
        }
        if (!tensor.stored)
            continue;
        const std::int64_t bytes = bytesIn(tensor, types[i]);
        if (bytes > tensor.bytes) {
            rounding.wider += numbers;
            rounding.stored_bytes += tensor.bytes;
            rounding.bytes += bytes;
        } else if (hasFewBits(*tensor.stored)) {
            rounding.narrower += numbers;
        }
    }
    return rounding;
}

// Notes on rounding weights that are already stored in few bits.
std::vector<Message> notesOn(const Rounding& rounding, const std::string& stored,
                             const std::string& asked)
{
    const auto percent = [&](std::int64_t part) {
        return formatSignificant(
                   100.0 * static_cast<double>(part) / static_cast<double>(rounding.all), 2)
            + " %";
    };
    std::vector<Message> notes;
    if (rounding.wider > 0) {
        notes.emplace_back("%1 of the weights are stored in fewer bits (%2) than they get with "
                           "--dtype %3: they take %4 instead of %5, which costs what such a file "
                           "costs, and are no more accurate than stored.",
                           percent(rounding.wider), stored, asked, formatBytes(rounding.bytes),
                           formatBytes(rounding.stored_bytes));
    }
    if (rounding.narrower > 0) {
        notes.emplace_back("%1 of the weights are rounded a second time, from %2 to %3: a file "
                           "made of the unrounded model is more accurate.",
                           percent(rounding.narrower), stored, asked);
    }
    return notes;
}

// "q4_k weights in blocks of 256, 4.5 bits each, as stored; activations in 16 bits .."
std::string blocksInWords(const NumberFormat& format, const Rounding& rounding, at::Device device)
{
    const DType dtype = format.computed;
    const bool rounded = rounding.matrices.contains(dtype);
    std::string others;
    for (const auto& [type, count] : rounding.matrices) {
        if (type != dtype)
            others += (others.empty() ? "" : ", ") + std::string(name(type)) + ' '
                + std::to_string(count);
    }
    return std::string(name(dtype)) + " weights in blocks of " + std::to_string(rowOf(dtype).block)
        + ", " + formatSignificant(8.0 * bytesOfNumber(dtype), 3)
        + (rounded ? " bits each, rounded on loading" : " bits each, as stored")
        + (others.empty() ? "" : "; other matrices: " + others)
        + (device.is_cpu() ? "; multiplied " + std::string(matmulInWords(dtype))
                   + "; activations in 16 bits with a scale for each 32 where a pass has up to "
                     "12 rows"
                           : std::string());
}

} // namespace

NumberFormat chooseNumberFormat(const std::string& text, const ModelFiles& files, at::Device device)
{
    const DType stored = storedDType(*files.weights);
    const DTypePlan plan = orThrow(parseDTypePlan(text, files.format));
    const FormatRow* const asked = formatFromName(plan.usual);
    const bool plain = asked && asked->rule == FormatRule::Plain;
    NumberFormat format;
    Rounding rounding = roundingOf(files, plan);
    if (plain)
        format.computed = asked->dtype;
    else if (asked)
        format.computed = rounding.most();
    else
        format.computed =
            inBlocks(stored) || canCompute(device, stored) ? stored : narrowestType(device);
    format.name = !plan.rules.empty() ? text
        : asked                       ? std::string(asked->name)
        : format.computed == stored   ? files.format
                                      : std::string(name(format.computed));
    format.rounded = std::move(rounding.types);
    const bool fewBits = hasFewBits(format.computed);
    format.kept = !plain && (asked || fewBits || holdsQuantized(*files.weights));
    format.own_types = !plain;
    const DType widest = device.is_cpu() ? DType::F32 : narrowestType(device);
    const DType unrounded = inBlocks(stored) ? widest : stored;
    format.wide = format.kept ? unrounded : format.computed;
    checkDevice(format, device);
    if (inBlocks(stored) && plain)
        format.notes.push_back(dequantizedOnLoading(stored, format.computed, device));
    else
        std::ranges::move(notesOn(rounding, files.format, format.name),
                          std::back_inserter(format.notes));
    if (fewBits && !device.is_cpu())
        format.note_if_dequantized = dequantizedForEachMatmul(format.computed, device);
    if (format.computed == DType::Int8 && asked)
        format.quantization = kQuantizationInWords;
    else if (inBlocks(format.computed))
        format.quantization = blocksInWords(format, rounding, device);
    if (!plan.rules.empty()) {
        format.quantization +=
            (format.quantization.empty() ? "" : "; ") + std::string("rounded on loading: ") + text;
    }
    return format;
}

} // namespace ep::model
