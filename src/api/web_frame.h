// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Frames of WebSockets (RFC 6455) on the server side, without I/O.
namespace ep::api {

enum class Opcode : std::uint8_t {
    Continuation = 0x0,
    Text = 0x1,
    Binary = 0x2,
    Close = 0x8,
    Ping = 0x9,
    Pong = 0xA,
};

enum class CloseCode : std::uint16_t {
    Normal = 1000,
    ProtocolError = 1002,
    TooLarge = 1009,
};

struct WebFrame {
    Opcode opcode = Opcode::Text;
    bool last = true; // last frame of its message
    std::string payload{}; // unmasked
    std::size_t size = 0; // bytes of the complete frame
    std::optional<CloseCode> refusal{}; // why the connection must be closed; the rest is then empty
};

// The first frame in a client's data; absent while it is incomplete. Clients must mask their
// frames; a payload longer than the limit is refused as soon as possible.
std::optional<WebFrame> parseFrame(std::string_view bytes, std::size_t payloadLimit);

// The header of a complete message of a server, and the whole message.
std::string frameHead(Opcode opcode, std::size_t payload);
std::string frameOf(Opcode opcode, std::string_view payload);
std::string closeFrame(CloseCode code);

// Sec-WebSocket-Accept for a Sec-WebSocket-Key.
std::string acceptKey(const std::string& key);

} // namespace ep::api
