// SPDX-License-Identifier: GPL-3.0-or-later
// The input is a config.json, a line break, the header of a safetensors file, a line break and its
// data. Accepted packed weights must unpack to the announced type and shape.
#include "checkpoint.h"
#include "packed/packed_config.h"
#include "scratch_folder.h"

#include "ep/core/utf8.h"
#include "ep/json/document.h"
#include "ep/json/value.h"
#include "ep/model/dtype.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using ep::model::Checkpoint;

void require(bool holds)
{
    if (!holds)
        std::abort();
}

void requireSentence(const ep::Error& error)
{
    require(!error.message.empty() && ep::isValidUtf8(error.message.english()));
}

void checkEntry(const Checkpoint::Entry& entry)
{
    const auto dtype = ep::model::dtypeFromStored(entry.tensor.dtype);
    if (!dtype)
        return;
    require(static_cast<std::int64_t>(entry.tensor.bytes.size())
            == ep::model::bytesOf(*dtype, entry.tensor.elements()));
    if (entry.groups) {
        const auto& groups = *entry.groups;
        require(groups.columns > 0 && groups.rows > 0);
        require(!groups.biases
                || groups.biases->tensor.elements() == groups.scales.tensor.elements());
    }
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

    const auto json = ep::json::parseUniqueKeys(std::string_view(input.begin(), config));
    if (!json || !json->is_object())
        return 0;
    ep::model::ModelConfig settings;
    try {
        settings.packed =
            ep::model::readPacked(ep::json::Value(*json), folder.path(), settings.quantization);
    } catch (const ep::json::ReadError&) {
        return 0;
    }
    if (!settings.quantization.empty())
        return 0;
    const auto checkpoint = Checkpoint::open(folder.path(), settings);
    if (!checkpoint) {
        requireSentence(checkpoint.error());
        return 0;
    }
    for (const auto& [name, entry] : checkpoint->entries()) {
        if (!entry.unpack) {
            if (entry.groups)
                checkEntry(entry);
            continue;
        }
        if (entry.tensor.elements() > 1 << 20)
            continue;
        const auto unpacked = entry.unpack();
        if (!unpacked) {
            requireSentence(unpacked.error());
            continue;
        }
        require(unpacked->tensor.shape == entry.tensor.shape);
        require(unpacked->tensor.dtype == entry.tensor.dtype);
        checkEntry(*unpacked);
    }
    return 0;
}
