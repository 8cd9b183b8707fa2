// SPDX-License-Identifier: GPL-3.0-or-later
#include "half_characters.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace ep::attach {

namespace {

// Private-use characters of the last plane, which no tokenizer uses.
constexpr unsigned kMarkedByte = 0x10FF00; // plus the byte
constexpr unsigned kMarkedSurrogate = 0x10F000; // plus the surrogate's low bits
constexpr unsigned kFirstSurrogate = 0xD800;
constexpr unsigned kFirstLow = 0xDC00;
constexpr unsigned kLastSurrogate = 0xDFFF;
constexpr std::size_t kMarkSize = 4; // bytes of a placeholder in UTF-8
constexpr std::string_view kUnknown = "\xEF\xBF\xBD"; // U+FFFD

void appendUtf8(unsigned code, std::string& text)
{
    constexpr unsigned kMore = 0x80;
    constexpr unsigned kBits = 0x3F;
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0 | (code >> 6));
        text += static_cast<char>(kMore | (code & kBits));
    } else if (code < 0x10000) {
        text += static_cast<char>(0xE0 | (code >> 12));
        text += static_cast<char>(kMore | ((code >> 6) & kBits));
        text += static_cast<char>(kMore | (code & kBits));
    } else {
        text += static_cast<char>(0xF0 | (code >> 18));
        text += static_cast<char>(kMore | ((code >> 12) & kBits));
        text += static_cast<char>(kMore | ((code >> 6) & kBits));
        text += static_cast<char>(kMore | (code & kBits));
    }
}

// Size of the complete, valid character that begins here; 0: there is none.
std::size_t characterSize(std::string_view text)
{
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t size = first < 0x80 ? 1
        : first < 0xC2                    ? 0
        : first < 0xE0                    ? 2
        : first < 0xF0                    ? 3
        : first < 0xF5                    ? 4
                                          : 0;
    if (size == 0 || size > text.size())
        return 0;
    const std::string_view one = text.substr(0, size);
    return size == 1 || replaceInvalidUtf8(std::string(one)) == one ? size : 0;
}

// The surrogate escaped here: "\uD83D".
std::optional<unsigned> surrogateAt(std::string_view text)
{
    constexpr std::size_t kEscape = 6;
    constexpr int kHexadecimal = 16;
    if (text.size() < kEscape || text[0] != '\\' || text[1] != 'u')
        return std::nullopt;
    unsigned unit = 0;
    const char* end = text.data() + kEscape;
    const auto read = std::from_chars(text.data() + 2, end, unit, kHexadecimal);
    if (read.ptr != end || unit < kFirstSurrogate || unit > kLastSurrogate)
        return std::nullopt;
    return unit;
}

// The placeholder at the front of `text`.
std::optional<unsigned> markAt(std::string_view text)
{
    if (text.size() < kMarkSize || static_cast<unsigned char>(text[0]) != 0xF4
        || static_cast<unsigned char>(text[1]) != 0x8F)
        return std::nullopt;
    constexpr unsigned kBits = 0x3F;
    const unsigned code = 0x10F000U | ((static_cast<unsigned char>(text[2]) & kBits) << 6)
        | (static_cast<unsigned char>(text[3]) & kBits);
    const bool surrogate = code - kMarkedSurrogate <= kLastSurrogate - kFirstSurrogate;
    return surrogate || code >= kMarkedByte ? std::optional(code) : std::nullopt;
}

} // namespace

std::string withHalvesMarked(std::string_view json)
{
    std::string marked;
    for (std::size_t i = 0; i < json.size();) {
        const std::string_view rest = json.substr(i);
        if (const auto unit = surrogateAt(rest)) {
            const bool pair =
                *unit < kFirstLow && surrogateAt(rest.substr(6)).value_or(0) >= kFirstLow;
            if (pair)
                marked += rest.substr(0, 12);
            else
                appendUtf8(kMarkedSurrogate + (*unit - kFirstSurrogate), marked);
            i += pair ? 12 : 6;
            continue;
        }
        // "\\uD83D" is a backslash and five characters.
        const std::size_t size =
            rest.front() == '\\' && rest.size() > 1 && rest[1] == '\\' ? 2 : characterSize(rest);
        if (size == 0)
            appendUtf8(kMarkedByte + static_cast<unsigned char>(rest.front()), marked);
        else
            marked += rest.substr(0, size);
        i += size == 0 ? 1 : size;
    }
    return marked;
}

std::string HalfJoiner::finish()
{
    const bool waits = !std::exchange(m_bytes, {}).empty() || std::exchange(m_high, 0) != 0;
    return waits ? std::string(kUnknown) : std::string();
}

std::string HalfJoiner::join(std::string_view part)
{
    std::string joined;
    const auto drop = [&] { joined += finish(); }; // the other half did not arrive
    while (!part.empty()) {
        const auto mark = markAt(part);
        if (!mark) {
            const std::size_t next = part.find('\xF4', 1);
            drop();
            joined += part.substr(0, next);
            part.remove_prefix(std::min(next, part.size()));
            continue;
        }
        part.remove_prefix(kMarkSize);
        if (*mark >= kMarkedByte) {
            const char byte = static_cast<char>(*mark - kMarkedByte);
            const bool begins = static_cast<unsigned char>(byte) >= 0xC0;
            if (begins || m_high != 0)
                drop();
            m_bytes += byte;
            if (characterSize(m_bytes) == m_bytes.size())
                joined += std::exchange(m_bytes, {});
            else if (m_bytes.size() >= kMarkSize || static_cast<unsigned char>(m_bytes[0]) < 0xC0)
                drop();
            continue;
        }
        const unsigned unit = *mark - kMarkedSurrogate + kFirstSurrogate;
        if (unit >= kFirstLow && m_high != 0) {
            appendUtf8(0x10000 + ((m_high - kFirstSurrogate) << 10) + (unit - kFirstLow), joined);
            m_high = 0;
            continue;
        }
        drop();
        if (unit < kFirstLow)
            m_high = unit;
        else
            joined += kUnknown;
    }
    return joined;
}

} // namespace ep::attach
