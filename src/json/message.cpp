// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/message.h"

#include <string>
#include <utility>
#include <vector>

namespace ep::json {

namespace {

constexpr const char* kPattern = "pattern";
constexpr const char* kArguments = "arguments";

} // namespace

OrderedJson messageObject(const Message& message)
{
    OrderedJson arguments = OrderedJson::array();
    for (const Message& argument : message.arguments())
        arguments.push_back(messageJson(argument));
    OrderedJson json = OrderedJson::object();
    json[kPattern] = message.pattern();
    json[kArguments] = std::move(arguments);
    return json;
}

OrderedJson messageJson(const Message& message)
{
    return message.arguments().empty() ? OrderedJson(message.pattern()) : messageObject(message);
}

bool readMessage(const OrderedJson& value, Message& message)
{
    if (value.is_string()) {
        message = value.get_ref<const std::string&>();
        return true;
    }
    if (!value.is_object() || value.size() != 2)
        return false;
    const auto pattern = value.find(kPattern);
    const auto arguments = value.find(kArguments);
    if (pattern == value.end() || !pattern->is_string() || arguments == value.end()
        || !arguments->is_array())
        return false;
    std::vector<Message> read(arguments->size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        if (!readMessage((*arguments)[i], read[i]))
            return false;
    }
    message = Message(pattern->get<std::string>(), std::move(read));
    return true;
}

} // namespace ep::json
