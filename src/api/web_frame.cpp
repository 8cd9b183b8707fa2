// SPDX-License-Identifier: GPL-3.0-or-later
#include "web_frame.h"

#include <QByteArray>
#include <QCryptographicHash>

namespace ep::api {

namespace {

constexpr std::uint8_t kLastBit = 0x80;
constexpr std::uint8_t kReservedBits = 0x70;
constexpr std::uint8_t kMaskBit = 0x80;
constexpr std::size_t kMaskSize = 4;
constexpr std::size_t kLongestControl = 125;
constexpr std::uint8_t kLength16 = 126;
constexpr std::uint8_t kLength64 = 127;

WebFrame refused(CloseCode code)
{
    WebFrame frame;
    frame.refusal = code;
    return frame;
}

bool isKnown(std::uint8_t opcode)
{
    return opcode <= 0x2 || (opcode >= 0x8 && opcode <= 0xA);
}

void appendNumber(std::string& bytes, std::uint64_t value, int size)
{
    for (int shift = (size - 1) * 8; shift >= 0; shift -= 8)
        bytes += static_cast<char>((value >> shift) & 0xFFU);
}

} // namespace

std::optional<WebFrame> parseFrame(std::string_view bytes, std::size_t payloadLimit)
{
    const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
    if (bytes.size() < 2)
        return std::nullopt;
    const std::uint8_t opcode = at(0) & 0x0FU;
    const bool last = (at(0) & kLastBit) != 0;
    const bool control = (opcode & 0x8U) != 0;
    std::uint64_t length = at(1) & 0x7FU;
    if ((at(0) & kReservedBits) != 0 || !isKnown(opcode) || (at(1) & kMaskBit) == 0
        || (control && (!last || length > kLongestControl)))
        return refused(CloseCode::ProtocolError);
    std::size_t head = 2;
    const std::size_t extended = length == kLength16 ? 2 : length == kLength64 ? 8 : 0;
    if (bytes.size() < head + extended)
        return std::nullopt;
    if (extended > 0) {
        length = 0;
        for (std::size_t i = 0; i < extended; ++i)
            length = (length << 8U) | at(head + i);
        head += extended;
    }
    if (length > payloadLimit)
        return refused(CloseCode::TooLarge);
    const auto size = static_cast<std::size_t>(length);
    if (bytes.size() < head + kMaskSize + size)
        return std::nullopt;
    const std::string_view mask = bytes.substr(head, kMaskSize);
    head += kMaskSize;
    WebFrame frame{.opcode = static_cast<Opcode>(opcode),
                   .last = last,
                   .payload = std::string(bytes.substr(head, size)),
                   .size = head + size,
                   .refusal = std::nullopt};
    for (std::size_t i = 0; i < size; ++i)
        frame.payload[i] = static_cast<char>(frame.payload[i] ^ mask[i % kMaskSize]);
    return frame;
}

std::string frameHead(Opcode opcode, std::size_t payload)
{
    std::string bytes;
    bytes += static_cast<char>(kLastBit | static_cast<std::uint8_t>(opcode));
    if (payload <= kLongestControl) {
        bytes += static_cast<char>(payload);
    } else if (payload <= 0xFFFF) {
        bytes += static_cast<char>(kLength16);
        appendNumber(bytes, payload, 2);
    } else {
        bytes += static_cast<char>(kLength64);
        appendNumber(bytes, payload, 8);
    }
    return bytes;
}

std::string frameOf(Opcode opcode, std::string_view payload)
{
    return frameHead(opcode, payload.size()) += payload;
}

std::string closeFrame(CloseCode code)
{
    std::string payload;
    appendNumber(payload, static_cast<std::uint16_t>(code), 2);
    return frameOf(Opcode::Close, payload);
}

std::string acceptKey(const std::string& key)
{
    constexpr const char* kMagic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // constant of RFC 6455
    const QByteArray text = QByteArray::fromStdString(key + kMagic);
    return QCryptographicHash::hash(text, QCryptographicHash::Sha1).toBase64().toStdString();
}

} // namespace ep::api
