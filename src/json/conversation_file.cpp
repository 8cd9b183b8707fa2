// SPDX-License-Identifier: GPL-3.0-or-later
#include "conversation_parts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ep::json {

namespace {

// Reads a file, or one line of it.
class FileReader {
public:
    // Reads a value that may be one conversation or a list of them.
    void read(const OrderedJson& root)
    {
        const bool several = root.is_array() && !root.empty()
            && std::ranges::all_of(root,
                                   [](const OrderedJson& one) { return isConversation(one); });
        if (!several)
            return readOne(root);
        for (const OrderedJson& one : root)
            readOne(one);
    }

    ReadConversations take() { return std::move(m_read); }

private:
    static bool isConversation(const OrderedJson& json)
    {
        return json.is_array()
            || (json.is_object() && !json.contains("role")
                && (json.contains("messages") || json.contains("body")));
    }

    void readOne(const OrderedJson& json)
    {
        if (json.is_array()) {
            m_read.conversations.push_back(readParts(json, nullptr, nullptr));
            return;
        }
        if (!json.is_object())
            refuse(Message("is %1; a conversation is a list of messages, or an object with one",
                           kindOf(json)));
        const OrderedJson* const body = memberOf(json, "body"); // a line of OpenAI's Batch API
        if (body != nullptr && body->is_object() && !json.contains("messages"))
            return readObject(*body);
        readObject(json);
    }

    void readObject(const OrderedJson& json)
    {
        if (json.contains("conversations"))
            refuse("has \"conversations\", which is another form; write \"messages\" with \"role\" "
                   "and \"content\"");
        if (json.contains("functions"))
            refuse("has \"functions\", the older form of tools; write \"tools\"");
        if (!json.contains("messages"))
            refuse("has no \"messages\"");
        OrderedJson tools;
        OrderedJson variables = OrderedJson::object();
        for (const auto& [key, value] : json.items()) {
            if (key == "messages")
                continue;
            if (key == "tools")
                tools = value;
            else if (key == "template_variables" || key == "chat_template_kwargs")
                addVariables(variables, value);
            else if (key == "reasoning_effort" && !value.is_null())
                variables[key] = value;
            else if (!value.is_null() && std::ranges::count(m_read.unused, key) == 0)
                m_read.unused.push_back(key);
        }
        m_read.conversations.push_back(readParts(json.at("messages"), tools, variables));
    }

    static void addVariables(OrderedJson& all, const OrderedJson& some)
    {
        if (some.is_null())
            return;
        if (!some.is_object())
            refuse(
                Message("the template's variables are %1; they must be an object", kindOf(some)));
        all.update(some);
    }

    ReadConversations m_read;
};

// The next line that is not blank; advances `rest` and the line number.
std::optional<std::string_view> nextLine(std::string_view& rest, std::size_t& number)
{
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        if (line.find_first_not_of(" \t\r") != std::string_view::npos)
            return line;
    }
    return std::nullopt;
}

// Whether the text has one value per line: the first line is a complete value and is not the last.
bool hasLines(std::string_view text)
{
    std::size_t number = 0;
    const auto first = nextLine(text, number);
    return first && parseOrdered(*first) && nextLine(text, number);
}

// "messages.json: message 2 has no role."
Error wrong(const std::string& where, ErrorCode code, const Message& problem)
{
    const std::string& begin = problem.pattern();
    const bool ofParser = begin.starts_with("not valid") || begin.starts_with("nested")
        || begin.starts_with("too large");
    const bool saysOfFile = begin.starts_with("is ") || begin.starts_with("has ");
    return {code, {saysOfFile ? "%1 %2." : ofParser ? "%1 is %2." : "%1: %2.", where, problem}};
}

Status readInto(FileReader& reader, std::string_view text, const std::string& where)
{
    const auto json = parseOrdered(text);
    if (!json)
        return wrong(where, json.error().code, json.error().message);
    const auto done = phrased([&] {
        reader.read(*json);
        return true;
    });
    return done ? Status() : wrong(where, done.error().code, done.error().message);
}

} // namespace

Result<ReadConversations> readConversations(std::string_view text, const std::string& name)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    FileReader reader;
    if (!hasLines(text)) {
        if (const Status read = readInto(reader, text, name); !read)
            return read.error();
        return reader.take();
    }
    std::size_t number = 0;
    while (const auto line = nextLine(text, number)) {
        const std::string where = name + ", line " + std::to_string(number);
        if (const Status read = readInto(reader, *line, where); !read)
            return read.error();
    }
    return reader.take();
}

Result<ReadConversations> readConversationFile(const std::filesystem::path& file)
{
    const auto text = readTextFile(file, kMaxConversationBytes);
    if (!text)
        return text.error();
    return readConversations(*text, file.string());
}

} // namespace ep::json
