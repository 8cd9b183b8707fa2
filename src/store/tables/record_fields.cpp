// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/record_fields.h"

#include "ep/json/record.h"

namespace ep::store {

namespace {

template <typename List>
std::string textOfList(const List& list)
{
    return list.empty() ? "[]" : json::textOf(json::MemberWriter::valueOf(list));
}

template <typename List>
void listOfText(const std::string& text, List& list)
{
    list.clear();
    if (text != "[]")
        json::MemberReader::read(json::OrderedValue(json::parsedOrNull(text)), list);
}

} // namespace

std::string listText(const std::vector<std::string>& texts)
{
    return textOfList(texts);
}

std::string listText(const std::vector<Message>& messages)
{
    return textOfList(messages);
}

std::string listText(const std::vector<BatchSequence>& sequences)
{
    return textOfList(sequences);
}

std::string listText(const std::vector<Annotation>& annotations)
{
    return textOfList(annotations);
}

std::string listText(const Conversation& conversation)
{
    return json::conversationText(conversation);
}

void readList(const std::string& text, std::vector<std::string>& texts)
{
    listOfText(text, texts);
}

void readList(const std::string& text, std::vector<Message>& messages)
{
    listOfText(text, messages);
}

void readList(const std::string& text, std::vector<BatchSequence>& sequences)
{
    listOfText(text, sequences);
}

void readList(const std::string& text, std::vector<Annotation>& annotations)
{
    listOfText(text, annotations);
}

void readList(const std::string& text, Conversation& conversation)
{
    conversation = json::conversationFromText(text);
}

} // namespace ep::store
