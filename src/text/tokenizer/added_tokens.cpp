// SPDX-License-Identifier: GPL-3.0-or-later
#include "added_tokens.h"

#include "unicode.h"

#include <algorithm>
#include <utility>

namespace ep::text {
namespace {

bool endsWithWord(std::string_view text)
{
    return !text.empty() && isWord(lastCodePoint(text).value);
}

bool beginsWithWord(std::string_view text)
{
    return !text.empty() && isWord(firstCodePoint(text).value);
}

std::size_t trailingSpace(std::string_view text)
{
    const std::size_t size = text.size();
    while (!text.empty() && isWhiteSpace(lastCodePoint(text).value))
        text.remove_suffix(lastCodePoint(text).length);
    return size - text.size();
}

std::size_t leadingSpace(std::string_view text)
{
    const std::size_t size = text.size();
    while (!text.empty() && isWhiteSpace(firstCodePoint(text).value))
        text.remove_prefix(firstCodePoint(text).length);
    return size - text.size();
}

} // namespace

AddedTokens::Token AddedTokens::readToken(const json::Value& json)
{
    Token token;
    token.content = json.string("content");
    token.special = json.boolean("special", false);
    token.singleWord = json.boolean("single_word", false);
    token.stripLeft = json.boolean("lstrip", false);
    token.stripRight = json.boolean("rstrip", false);
    token.normalized = json.boolean("normalized", !token.special);
    return token;
}

void AddedTokens::read(const json::Value& list, const TokenModel& model,
                       const Normalizer* normalizer)
{
    list.requireArray();
    std::map<TokenId, std::string> declared;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const json::Value json = list.at(i);
        const json::Value idJson = json.at("id");
        const auto id = static_cast<TokenId>(idJson.asInteger(0, highestTokenId));
        const Token token = readToken(json);
        const auto [other, isNew] = declared.emplace(id, token.content);
        if (!isNew && other->second != token.content) {
            idJson.fail(Message("is %1, which %2 has too", id, json::inQuotes(other->second)));
        }
        const Vocabulary& vocabulary = model.vocabulary();
        if (vocabulary.hasId(id) && !vocabulary.idOf(token.content)) {
            idJson.fail(Message("is %1, which %2 has in model.vocab", id,
                                json::inQuotes(vocabulary.tokenOf(id))));
        }
        add(token, model);
    }
    buildMatchers(normalizer);
}

void AddedTokens::add(const Token& token, const TokenModel& model)
{
    if (token.content.empty())
        return;
    if (token.special && m_special.insert(token.content).second)
        m_specialInOrder.push_back(token);

    TokenId id = noToken;
    if (const auto own = m_ids.find(token.content); own != m_ids.end()) {
        id = own->second;
        if (m_tokens.at(id) == token)
            return;
    } else {
        id = model.vocabulary().idOf(token.content).value_or(noToken);
    }
    if (id == noToken)
        id = nextId(model);
    m_ids[token.content] = id;
    m_tokens[id] = token;
    if (m_special.count(token.content) == 0)
        m_othersInOrder.push_back(token);
}

TokenId AddedTokens::nextId(const TokenModel& model) const
{
    const auto afterModel = static_cast<TokenId>(model.tokenCount());
    if (m_tokens.empty())
        return afterModel;
    const TokenId highest = m_tokens.rbegin()->first;
    return highest >= afterModel ? highest + 1 : afterModel;
}

// The token's form in the text to be searched.
std::string AddedTokens::searchedText(const Token& token, const Normalizer* normalizer)
{
    TextBudget budget(token.content.size());
    NormalizedText text{token.content, true, &budget};
    if (token.normalized && normalizer && !normalizer->normalize(text))
        return token.content;
    return std::move(text.text);
}

void AddedTokens::buildMatchers(const Normalizer* normalizer)
{
    const auto addTo = [&](const Token& token) {
        Matcher& matcher = token.normalized ? m_normalized : m_original;
        matcher.finder.add(searchedText(token, normalizer));
        matcher.ids.push_back(m_ids.at(token.content));
    };
    std::for_each(m_specialInOrder.begin(), m_specialInOrder.end(), addTo);
    std::for_each(m_othersInOrder.begin(), m_othersInOrder.end(), addTo);
    for (const auto& [id, token] : m_tokens)
        m_decoded.emplace(id, searchedText(token, normalizer));
}

std::size_t AddedTokens::longestToken() const
{
    std::size_t longest = 0;
    for (const auto& [id, token] : m_tokens)
        longest = std::max(longest, token.content.size());
    return longest;
}

Status AddedTokens::extract(Pieces& pieces, const Normalizer* normalizer) const
{
    std::vector<Piece> originals;
    for (const Piece& piece : pieces.list)
        split(piece, m_original, originals);

    std::vector<Piece> result;
    result.reserve(originals.size());
    for (Piece& piece : originals) {
        if (piece.token != noToken) {
            result.push_back(piece);
            continue;
        }
        if (normalizer) {
            NormalizedText normalized{std::string(piece.text), true, &pieces.budget};
            if (Status status = normalizer->normalize(normalized); !status)
                return status;
            if (Status status = pieces.budget.keep(normalized.text.size(), "its normalizers");
                !status)
                return status;
            piece.text = pieces.keep(std::move(normalized.text));
            piece.beginsText = piece.beginsText && normalized.keepsFirst;
        }
        split(piece, m_normalized, result);
    }
    pieces.list = std::move(result);
    return {};
}

// Follows the reference library in the order of its steps, and in allowing the next match to use a
// stripped space again.
void AddedTokens::split(const Piece& piece, const Matcher& matcher,
                        std::vector<Piece>& result) const
{
    const std::string_view text = piece.text;
    const auto push = [&](std::size_t begin, std::size_t end, TokenId token) {
        if (begin >= end)
            return;
        Piece part = partOf(piece, begin, end);
        part.token = token;
        result.push_back(part);
    };
    std::size_t done = 0;
    std::optional<PhraseFinder::Match> match;
    if (!matcher.finder.isEmpty())
        match = matcher.finder.find(text, 0);
    for (; match; match = matcher.finder.find(text, match->end)) {
        std::size_t begin = match->begin;
        std::size_t end = match->end;
        const TokenId id = matcher.ids[match->phrase];
        const Token& token = m_tokens.at(id);
        if (token.singleWord
            && (endsWithWord(text.substr(0, begin)) || beginsWithWord(text.substr(end))))
            continue;
        if (token.stripLeft)
            begin = std::max(begin - trailingSpace(text.substr(0, begin)), done);
        if (token.stripRight)
            end += leadingSpace(text.substr(end));
        push(done, begin, noToken);
        push(begin, end, id);
        done = end;
    }
    push(done, text.size(), noToken);
}

std::optional<TokenId> AddedTokens::idOf(std::string_view token) const
{
    const auto found = m_ids.find(std::string(token));
    return found == m_ids.end() ? std::nullopt : std::optional(found->second);
}

const std::string* AddedTokens::tokenOf(TokenId id) const
{
    const auto found = m_tokens.find(id);
    return found == m_tokens.end() ? nullptr : &found->second.content;
}

const std::string* AddedTokens::decodedTokenOf(TokenId id) const
{
    const auto found = m_decoded.find(id);
    return found == m_decoded.end() ? nullptr : &found->second;
}

std::size_t AddedTokens::countBeside(const Vocabulary& vocabulary) const
{
    return static_cast<std::size_t>(
        std::count_if(m_ids.begin(), m_ids.end(),
                      [&](const auto& entry) { return !vocabulary.idOf(entry.first); }));
}

void PhraseFinder::add(std::string_view phrase)
{
    const std::uint32_t number = m_phrases++;
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < phrase.size(); ++i) {
        Edge& edge = m_trie[key(node, phrase[i])];
        if (edge.child == 0)
            edge.child = m_nodes++;
        if (i + 1 == phrase.size() && edge.phrase == noPhrase)
            edge.phrase = number;
        node = edge.child;
    }
    if (!phrase.empty())
        m_begins[static_cast<unsigned char>(phrase[0])] = true;
}

std::optional<PhraseFinder::Match> PhraseFinder::find(std::string_view text, std::size_t from) const
{
    for (std::size_t begin = from; begin < text.size(); ++begin) {
        if (!m_begins[static_cast<unsigned char>(text[begin])])
            continue;
        std::optional<Match> longest;
        std::uint32_t node = 0;
        for (std::size_t at = begin; at < text.size();) {
            const Edge* edge = m_trie.find(key(node, text[at]));
            if (!edge)
                break;
            node = edge->child;
            ++at;
            if (edge->phrase != noPhrase)
                longest = Match{begin, at, edge->phrase};
        }
        if (longest)
            return longest;
    }
    return std::nullopt;
}

} // namespace ep::text
