// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the output of a model, in tokens of any size, under every rule for answer ends.
#include "ep/text/answer_end.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const char* const kRules[] = {"fence", "json", "repetition", "regex:\\bEND\\b|\\n\\n",
                                         "regex:(a|aa)+$"};
    if (size == 0)
        return 0;
    const auto rule = ep::text::parseAnswerRule(kRules[data[0] % std::size(kRules)]);
    auto watch = ep::text::AnswerEnd::watch(*rule);
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    std::size_t tokens = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = 1 + static_cast<unsigned char>(text[at]) % 7U;
        const std::string_view piece = text.substr(at, length);
        if (!watch->push(static_cast<ep::text::TokenId>(piece.size()), piece))
            return 0; // the pattern takes too long
        at += piece.size();
        ++tokens;
    }
    if (const auto onset = watch->onset(); onset && (!watch->complete() || *onset >= tokens))
        std::abort();
    return 0;
}
