// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/conversation.h"
#include "ep/json/value.h"

#include <string>
#include <string_view>

// Shared by the readers of conversations. Problems are thrown as ReadError.
namespace ep::json {

[[noreturn]] inline void refuse(const Message& problem)
{
    throw ReadError(ErrorCode::InvalidInput, problem);
}

inline std::string compact(const OrderedJson& json)
{
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

inline std::string kindOf(const OrderedJson& json)
{
    return described(Json(json));
}

// Null if the member is absent or null.
inline const OrderedJson* memberOf(const OrderedJson& object, std::string_view key)
{
    const auto found = object.find(std::string(key));
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

// Tools and variables may be null.
Conversation readParts(const OrderedJson& messages, const OrderedJson& tools,
                       const OrderedJson& variables);

template <typename Read>
auto phrased(Read&& read) -> Result<decltype(read())>
{
    try {
        return read();
    } catch (const ReadError& problem) {
        return Error{problem.code(), problem.message()};
    }
}

} // namespace ep::json
