// SPDX-License-Identifier: GPL-3.0-or-later
// The input is a header and data. The length is put in front or, if the first byte is odd, read
// from the next eight bytes. Every byte of an accepted tensor must be readable.
#include "safetensors.h"
#include "scratch_folder.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::string fileOf(std::span<const char> input)
{
    const bool raw = !input.empty() && (input.front() & 1) != 0;
    const std::span<const char> rest = input.empty() ? input : input.subspan(1);
    if (raw)
        return {rest.begin(), rest.end()};
    // The header ends at the first newline, or is the whole input.
    const auto newline = std::find(rest.begin(), rest.end(), '\n');
    const auto length = static_cast<std::uint64_t>(newline - rest.begin());
    std::string file(sizeof length, '\0');
    std::memcpy(file.data(), &length, sizeof length);
    file.append(rest.begin(), newline);
    if (newline != rest.end())
        file.append(newline + 1, rest.end());
    return file;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const ep::fuzz::ScratchFolder folder;
    folder.write("model.safetensors", fileOf(ep::fuzz::asText(data, size)));
    const auto file = ep::model::SafetensorsFile::open(folder.path() / "model.safetensors");
    if (!file) {
        if (file.error().message.empty() || !ep::isValidUtf8(file.error().message.english()))
            std::abort();
        return 0;
    }
    for (const auto& [name, tensor] : file->tensors()) {
        if (tensor.elements() < 0 || (tensor.elements() == 0) != tensor.bytes.empty())
            std::abort();
        volatile unsigned sum = 0;
        for (const std::byte byte : tensor.bytes)
            sum = sum + std::to_integer<unsigned>(byte);
    }
    return 0;
}
