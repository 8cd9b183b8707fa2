// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text::jinja {

struct Token {
    enum class Kind {
        Text, // outside of all tags
        BeginPrint,
        EndPrint,
        BeginBlock,
        EndBlock,
        Name,
        String,
        Integer,
        Float,
        Operator, // the operator itself is in `text`
        End,
    };
    Kind kind = Kind::End;
    std::string text;
    std::int64_t integer = 0;
    double number = 0;
    int line = 1;
};
std::string described(const Token& token); // describes the token in a message: "a string"

// Splits a template into tokens, with trim_blocks and lstrip_blocks enabled and a trailing newline
// removed, as HuggingFace configures Jinja. The last token is End. Throws Failure with the line.
std::vector<Token> tokensOfTemplate(std::string_view source);

} // namespace ep::text::jinja
