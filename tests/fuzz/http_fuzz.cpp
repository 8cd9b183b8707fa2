// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes from a client: as the head of a request, as escaped text, and as WebSocket frames. A
// head is understood the same way however much of the following data has arrived.
#include "http_message.h"
#include "web_frame.h"

#include "ep/core/utf8.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace ep::api;

constexpr std::size_t kHeadLimit = 1024;
constexpr std::size_t kBodyLimit = 4096;

void require(bool holds)
{
    if (!holds)
        std::abort();
}

void checkHead(std::string_view text)
{
    const auto head = parseHead(text, kHeadLimit, kBodyLimit);
    if (!head)
        return;
    if (head->refusal) {
        require(head->refusal.status >= 400 && head->refusal.status < 600);
        require(ep::isValidUtf8(errorResponse(400, head->refusal.message).body));
        return;
    }
    require(head->size <= text.size() && head->size <= kHeadLimit);
    require(head->body_size <= kBodyLimit);
    require(!head->request.method.empty());
    for (const std::string& segment : head->request.path)
        require(ep::isValidUtf8(segment));
    const auto alone = parseHead(text.substr(0, head->size), kHeadLimit, kBodyLimit);
    require(alone && !alone->refusal && alone->size == head->size);
}

void checkFrames(std::string_view bytes)
{
    while (const auto frame = parseFrame(bytes, kBodyLimit)) {
        if (frame->refusal)
            return;
        require(frame->size > 0 && frame->size <= bytes.size());
        require(frame->payload.size() <= kBodyLimit);
        bytes.remove_prefix(frame->size);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    checkHead(text);
    checkFrames(text);
    for (const bool blank : {false, true}) {
        if (const auto decoded = percentDecoded(text, blank))
            require(ep::isValidUtf8(*decoded) && decoded->find('\0') == std::string::npos);
    }
    return 0;
}
