// SPDX-License-Identifier: GPL-3.0-or-later
#include "byte_level.h"

#include "unicode.h"

#include <array>

namespace ep::text {

namespace {

constexpr char32_t firstStandIn = 0x100; // first character for a non-printable byte
constexpr std::size_t standIns = 68;

constexpr bool isPrintable(unsigned byte)
{
    return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

struct Tables {
    std::array<std::string, 256> characterOf;
    std::array<int, firstStandIn + standIns> byteOf{}; // -1: none
};

const Tables& tables()
{
    static const Tables made = [] {
        Tables t;
        t.byteOf.fill(-1);
        char32_t next = firstStandIn;
        for (unsigned byte = 0; byte < 256; ++byte) {
            const char32_t c = isPrintable(byte) ? byte : next++;
            t.characterOf[byte] = toUtf8(c);
            t.byteOf[c] = static_cast<int>(byte);
        }
        return t;
    }();
    return made;
}

} // namespace

void appendByteLevel(std::string& text, std::string_view bytes)
{
    const Tables& t = tables();
    for (const char byte : bytes)
        text += t.characterOf[static_cast<unsigned char>(byte)];
}

std::optional<std::string> fromByteLevel(std::string_view text)
{
    const Tables& t = tables();
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = firstCodePoint(text.substr(at));
        const int byte = c.value < t.byteOf.size() ? t.byteOf[c.value] : -1;
        if (byte < 0)
            return std::nullopt;
        bytes.push_back(static_cast<char>(byte));
        at += c.length;
    }
    return bytes;
}

} // namespace ep::text
