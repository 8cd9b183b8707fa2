// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/record_members.h"

namespace ep::store {

std::string listText(const std::vector<std::string>& texts)
{
    return texts.empty() ? "[]" : dumped(MemberWriter::valueOf(texts));
}

std::string listText(const std::vector<BatchSequence>& sequences)
{
    return dumped(MemberWriter::valueOf(sequences));
}

void readList(const std::string& text, std::vector<std::string>& texts)
{
    texts.clear();
    if (text != "[]")
        MemberReader::read(parsed(text), texts);
}

void readList(const std::string& text, std::vector<BatchSequence>& sequences)
{
    sequences.clear();
    if (text != "[]")
        MemberReader::read(parsed(text), sequences);
}

} // namespace ep::store
