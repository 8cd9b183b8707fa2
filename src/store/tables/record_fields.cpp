// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/record_fields.h"

#include "ep/json/record.h"

namespace ep::store {

template <typename Element>
std::string listText(const std::vector<Element>& list)
{
    return list.empty() ? "[]" : json::textOf(json::MemberWriter::valueOf(list));
}

template <typename Element>
void readList(const std::string& text, std::vector<Element>& list)
{
    list.clear();
    if (text != "[]")
        json::MemberReader::read(json::OrderedValue(json::parsedOrNull(text)), list);
}

std::string listText(const Conversation& conversation)
{
    return json::conversationText(conversation);
}

void readList(const std::string& text, Conversation& conversation)
{
    conversation = json::conversationFromText(text);
}

template std::string listText(const std::vector<std::string>&);
template void readList(const std::string&, std::vector<std::string>&);
template std::string listText(const std::vector<Message>&);
template void readList(const std::string&, std::vector<Message>&);
template std::string listText(const std::vector<BatchSequence>&);
template void readList(const std::string&, std::vector<BatchSequence>&);
template std::string listText(const std::vector<Annotation>&);
template void readList(const std::string&, std::vector<Annotation>&);

} // namespace ep::store
