// SPDX-License-Identifier: GPL-3.0-or-later
#include "word_piece.h"

#include "unicode.h"

namespace ep::text {

namespace {

struct NoWorkspace final : TokenModel::Workspace { };

} // namespace

WordPiece::WordPiece(const json::Value& json)
{
    readVocabulary(json.at("vocab"));
    m_unknownToken = json.string("unk_token", "[UNK]");
    m_prefix = json.string("continuing_subword_prefix", "##");
    if (const auto longest = json.find("max_input_chars_per_word"))
        m_longestWord = static_cast<std::size_t>(longest->asInteger(0, 10'000));
}

std::unique_ptr<TokenModel::Workspace> WordPiece::makeWorkspace() const
{
    return std::make_unique<NoWorkspace>();
}

Status WordPiece::tokenize(std::string_view word, Workspace&, std::vector<TokenId>& ids) const
{
    const std::size_t before = ids.size();
    std::size_t characters = 0;
    for (std::size_t at = 0; at < word.size(); ++characters)
        at += firstCodePoint(word.substr(at)).length;
    bool known = characters <= m_longestWord;
    std::string piece;
    for (std::size_t begin = 0; known && begin < word.size();) {
        std::size_t end = word.size();
        std::optional<TokenId> id;
        while (end > begin) {
            piece = begin > 0 ? m_prefix : std::string();
            piece += word.substr(begin, end - begin);
            id = m_vocabulary.idOf(piece);
            if (id)
                break;
            end -= lastCodePoint(word.substr(begin, end - begin)).length;
        }
        known = id.has_value();
        if (known)
            ids.push_back(*id);
        begin = end;
    }
    if (known)
        return {};
    ids.resize(before);
    const auto unknown = m_vocabulary.idOf(m_unknownToken);
    if (!unknown) {
        return Error{ErrorCode::InvalidInput,
                     {"The text has the word %1, for which the tokenizer has no tokens, and its "
                      "unk_token %2 is not in model.vocab.",
                      json::inQuotes(word), json::inQuotes(m_unknownToken)}};
    }
    ids.push_back(*unknown);
    return {};
}

} // namespace ep::text
