// SPDX-License-Identifier: GPL-3.0-or-later
#include "word_level.h"

namespace ep::text {

namespace {

struct Nothing final : TokenModel::Workspace { };

} // namespace

WordLevel::WordLevel(const json::Value& json)
{
    readVocabulary(json.at("vocab"));
    m_unknownToken = json.string("unk_token", "<unk>");
}

std::unique_ptr<TokenModel::Workspace> WordLevel::makeWorkspace() const
{
    return std::make_unique<Nothing>();
}

Status WordLevel::tokenize(std::string_view word, Workspace&, std::vector<TokenId>& ids) const
{
    auto id = m_vocabulary.idOf(word);
    if (!id)
        id = m_vocabulary.idOf(m_unknownToken);
    if (!id) {
        return Error{ErrorCode::InvalidInput,
                     {"The text has the word %1, for which the tokenizer has no token, and its "
                      "unk_token %2 is not in model.vocab.",
                      json::inQuotes(word), json::inQuotes(m_unknownToken)}};
    }
    ids.push_back(*id);
    return {};
}

} // namespace ep::text
