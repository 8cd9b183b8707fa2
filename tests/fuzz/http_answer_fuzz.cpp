// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a server's HTTP answer, whole and in two parts: the cut changes neither the body
// nor its end.
#include "ep/attach/content_coding.h"
#include "ep/attach/http_answer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace ep::attach;

void require(bool holds)
{
    if (!holds)
        std::abort();
}

struct Read {
    std::string body;
    std::size_t used = 0;
    bool failed = false;
    bool complete = false;
};

Read read(const BodyFraming& framing, std::string_view bytes, std::size_t cut)
{
    Read result;
    BodyReader reader(framing);
    std::string waiting;
    for (const std::string_view part : {bytes.substr(0, cut), bytes.substr(cut)}) {
        waiting += part;
        const auto used = reader.read(waiting, result.body);
        if (!used) {
            result.failed = true;
            return result;
        }
        waiting.erase(0, *used);
        result.used += *used;
    }
    result.complete = reader.endWithConnection();
    return result;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto head = readAnswerHead(bytes);
    if (!head || !*head)
        return 0;
    require((*head)->size <= size && (*head)->status >= 100 && (*head)->status <= 999);
    for (const auto& [name, value] : (*head)->fields)
        require(!name.empty() && (name + value).find_first_of("\r\n") == std::string::npos);
    const auto framing = bodyFramingOf(**head, false);
    if (!framing)
        return 0;
    const std::string_view rest = bytes.substr((*head)->size);
    const Read whole = read(*framing, rest, 0);
    const Read halves = read(*framing, rest, rest.empty() ? 0 : data[size - 1] % rest.size());
    require(whole.failed == halves.failed);
    if (!whole.failed) {
        require(whole.body == halves.body && whole.used == halves.used
                && whole.complete == halves.complete);
        require(whole.body.size() <= rest.size());
    }
    if (const auto coding = contentCodingOf((**head).fields)) {
        std::size_t most = 1 << 20;
        ContentDecoder decoder(*coding);
        static_cast<void>(decoder.decode(whole.body, [&](std::string_view text) {
            require(!text.empty() && text.size() <= 64 * 1024);
            most -= std::min(most, text.size());
            return most > 0 ? ep::Status() : ep::Error{};
        }));
    }
    return 0;
}
