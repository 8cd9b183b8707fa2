// SPDX-License-Identifier: GPL-3.0-or-later
// The input is a config.json, a line break, the header of a safetensors file, a line break and
// its data. Accepted quantized tensors must have numbers, scales and biases that fit their
// shape.
#include "checkpoint.h"
#include "scratch_folder.h"

#include "ep/core/utf8.h"
#include "ep/model/config.h"
#include "ep/model/dtype.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

void requireSentence(const ep::Error& error)
{
    require(!error.message.empty() && ep::isValidUtf8(error.message.english()));
}

void checkJoined(const ep::model::Checkpoint::Entry& entry)
{
    const auto dtype = ep::model::dtypeFromStored(entry.tensor.dtype);
    require(dtype && ep::model::scalesApart(*dtype));
    const std::int64_t count = entry.tensor.elements();
    require(static_cast<std::int64_t>(entry.tensor.bytes.size())
            == ep::model::bytesOf(*dtype, count));
    const std::int64_t groups = entry.groups->columns;
    require(groups > 0 && entry.tensor.shape.back() % groups == 0);
    require(entry.groups->scales.tensor.elements() == count / groups);
    if (!entry.groups->biases)
        return;
    require(entry.groups->biases->tensor.elements() == count / groups);
    require(entry.groups->scales.tensor.dtype == entry.groups->biases->tensor.dtype);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const ep::fuzz::ScratchFolder folder;
    const auto input = ep::fuzz::asText(data, size);
    const auto config = std::find(input.begin(), input.end(), '\n');
    const auto header = config == input.end() ? config : config + 1;
    const auto headerEnd = std::find(header, input.end(), '\n');
    const auto length = static_cast<std::uint64_t>(headerEnd - header);
    std::string file(sizeof length, '\0');
    std::memcpy(file.data(), &length, sizeof length);
    file.append(header, headerEnd);
    if (headerEnd != input.end())
        file.append(headerEnd + 1, input.end());
    folder.write("config.json", {input.begin(), config});
    folder.write("model.safetensors", file);

    const auto read = ep::model::readModelConfig(folder.path());
    if (!read) {
        requireSentence(read.error());
        return 0;
    }
    if (!read->quantization.empty())
        return 0; // refused for a reason found before the weights are read (checkSupported)
    const auto checkpoint = ep::model::Checkpoint::open(folder.path(), *read);
    if (!checkpoint) {
        requireSentence(checkpoint.error());
        return 0;
    }
    for (const auto& [name, entry] : checkpoint->entries()) {
        if (entry.groups)
            checkJoined(entry);
    }
    return 0;
}
