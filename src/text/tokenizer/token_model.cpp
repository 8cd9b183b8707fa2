// SPDX-License-Identifier: GPL-3.0-or-later
#include "token_model.h"

#include "bpe.h"
#include "pieces.h"
#include "unigram.h"
#include "word_level.h"
#include "word_piece.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace ep::text {

namespace {

// Old files do not name the type of their model; it is inferred from the fields.
std::string typeOf(const json::Value& json)
{
    if (const auto type = json.find("type"))
        return type->asString();
    const auto vocabulary = json.find("vocab");
    if (vocabulary && vocabulary->isArray())
        return "Unigram";
    if (json.find("merges"))
        return "BPE";
    return json.find("max_input_chars_per_word") ? "WordPiece" : "WordLevel";
}

} // namespace

void TokenModel::readVocabulary(const json::Value& vocabulary)
{
    vocabulary.requireObject();
    m_vocabulary.reserve(vocabulary.size());
    for (const auto& [token, value] : vocabulary.json().items()) {
        const json::Value entry = vocabulary.member(token, value);
        const auto id = static_cast<TokenId>(entry.asInteger(0, highestTokenId));
        if (m_vocabulary.hasId(id)) {
            entry.fail(Message("has the id %1, which %2 has too", id,
                               json::inQuotes(m_vocabulary.tokenOf(id))));
        }
        m_vocabulary.add(token, id);
    }
}

std::unique_ptr<TokenModel> readTokenModel(const json::Value& json)
{
    const std::string type = typeOf(json);
    if (type == "BPE")
        return std::make_unique<Bpe>(json);
    if (type == "Unigram")
        return std::make_unique<Unigram>(json);
    if (type == "WordPiece")
        return std::make_unique<WordPiece>(json);
    if (type == "WordLevel")
        return std::make_unique<WordLevel>(json);
    json.unsupported(
        Message("is of type %1; only BPE, Unigram, WordPiece and WordLevel are supported",
                json::inQuotes(type)));
}

std::vector<TokenId> byteTokens(const Vocabulary& vocabulary)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::vector<TokenId> tokens;
    for (std::size_t byte = 0; byte < 256; ++byte) {
        const std::string token = std::string("<0x") + digits[byte / 16] + digits[byte % 16] + ">";
        tokens.push_back(vocabulary.idOf(token).value_or(noToken));
    }
    return tokens;
}

bool appendByteTokens(const std::vector<TokenId>& tokens, std::string_view text,
                      std::vector<TokenId>& ids)
{
    const auto tokenOf = [&](char byte) {
        return tokens[static_cast<std::size_t>(static_cast<unsigned char>(byte))];
    };
    if (std::any_of(text.begin(), text.end(), [&](char byte) { return tokenOf(byte) == noToken; }))
        return false;
    std::transform(text.begin(), text.end(), std::back_inserter(ids), tokenOf);
    return true;
}

} // namespace ep::text
