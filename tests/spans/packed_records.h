// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/spans/reader.h"

#include <cstdint>
#include <string>

namespace ep::test {

// Binary records as a sender packs them.
inline void putNumber(std::string& out, std::uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

inline std::string packed(spans::BinaryType type, const std::string& body)
{
    std::string out;
    putNumber(out, spans::kBinaryMark, 1);
    putNumber(out, static_cast<std::uint64_t>(type), 1);
    putNumber(out, body.size(), 2);
    return out + body;
}

inline std::string packedName(const std::string& name)
{
    return packed(spans::BinaryType::Name, name);
}

inline std::string packedSpan(spans::RecordKind kind, int name, Nanoseconds start,
                              Nanoseconds duration, int layer = -1, int token = -1)
{
    std::string body;
    putNumber(body, static_cast<std::uint64_t>(name), 2);
    putNumber(body, static_cast<std::uint64_t>(kind), 1);
    putNumber(body, 0, 1);
    putNumber(body, static_cast<std::uint64_t>(layer), 4);
    putNumber(body, static_cast<std::uint64_t>(token), 4);
    putNumber(body, 0, 4);
    putNumber(body, static_cast<std::uint64_t>(start), 8);
    putNumber(body, static_cast<std::uint64_t>(duration), 8);
    return packed(spans::BinaryType::Span, body);
}

} // namespace ep::test
