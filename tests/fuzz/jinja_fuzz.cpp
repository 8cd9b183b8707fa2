// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a chat template. It must always end soon, with valid text or with a sentence.
#include "template.h"

#include "ep/core/utf8.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

const nlohmann::ordered_json& conversation()
{
    static const auto json = nlohmann::ordered_json::parse(R"({
        "messages": [{"role": "system", "content": "Be brief."},
                     {"role": "user", "content": "Grüße, 'x'\n"},
                     {"role": "assistant", "content": "<think>a</think>b", "tool_calls": [
                         {"function": {"name": "f", "arguments": {"a": [1, 2.5, null]}}}]}],
        "tools": null, "add_generation_prompt": true, "bos_token": "<s>", "eos_token": "</s>",
        "n": [3, 1, 2], "d": {"b": 1, "a": true}})");
    return json;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view source(reinterpret_cast<const char*>(data), size);
    const auto parsed = ep::text::jinja::Template::parse(source);
    if (!parsed) {
        if (parsed.error().message.empty())
            std::abort();
        return 0;
    }
    const ep::text::jinja::Limits limits{.steps = 50'000, .outputBytes = 1U << 18U};
    const auto text = parsed->render(conversation(), {}, limits);
    if (text ? !ep::isValidUtf8(*text)
             : text.error().message.empty() || text.error().code == ep::ErrorCode::Internal)
        std::abort();
    return 0;
}
