// SPDX-License-Identifier: GPL-3.0-or-later
// The input is a tokenizer.json, a NUL, and a text. Reading, encoding and decoding
// must never crash, and streaming must give the same text as decoding everything at
// once.
#include "ep/core/utf8.h"
#include "ep/text/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t end = input.find('\0');
    const auto loaded = ep::text::Tokenizer::fromJson(input.substr(0, end));
    if (!loaded)
        return 0;
    const std::string_view text =
        end == std::string_view::npos ? "Hi there, 42\xc3\xa9 \xff x" : input.substr(end + 1);
    const auto ids = (*loaded)->tryEncode(text);
    if (!ids)
        return 0;
    for (const bool skipSpecialTokens : {false, true}) {
        ep::text::StreamDecoder decoder(*loaded, skipSpecialTokens);
        std::string streamed;
        for (const ep::text::TokenId id : *ids) {
            const std::string part = decoder.push(id);
            if (!ep::isValidUtf8(part))
                std::abort();
            streamed += part;
        }
        streamed += decoder.flush();
        if (streamed != (*loaded)->decode(*ids, skipSpecialTokens))
            std::abort();
    }
    return 0;
}
