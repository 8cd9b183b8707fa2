// SPDX-License-Identifier: GPL-3.0-or-later
#include "bpe.h"

#include "unicode.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace ep::text {

namespace {

std::uint64_t pairKey(TokenId left, TokenId right)
{
    return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32U)
        | static_cast<std::uint32_t>(right);
}

// A pair that could be merged when it was found; its symbols may since have changed.
struct Candidate {
    std::uint32_t rank = 0;
    std::uint32_t position = 0;
    TokenId result = 0;

    // Heaps keep the largest in front; this puts the lowest rank first, then the leftmost.
    bool operator<(const Candidate& other) const
    {
        return rank != other.rank ? rank > other.rank : position > other.position;
    }
};

struct Symbol {
    TokenId id = 0;
    std::int32_t previous = -1;
    std::int32_t next = -1;
    bool removed = false;
};

} // namespace

struct Bpe::Word final : TokenModel::Workspace {
    std::vector<TokenId> ids;
    std::vector<Symbol> symbols;
    std::vector<Candidate> heap;
};

Bpe::Bpe(const json::Value& json)
{
    readVocabulary(json.at("vocab"));
    if (const auto unknown = json.find("unk_token"))
        m_unknownToken = unknown->asString();
    m_subwordPrefix = json.string("continuing_subword_prefix", "");
    m_wordSuffix = json.string("end_of_word_suffix", "");
    m_fuseUnknown = json.boolean("fuse_unk", false);
    m_ignoreMerges = json.boolean("ignore_merges", false);
    if (json.boolean("byte_fallback", false))
        m_byteTokens = byteTokens(m_vocabulary);
    readMerges(json.at("merges"));
}

// Merges are pairs, or (in older files) strings with a space between the two tokens.
void Bpe::readMerges(const json::Value& merges)
{
    merges.requireArray();
    m_merges.reserve(merges.size());
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const json::Value merge = merges.at(i);
        if (merge.isArray()) {
            if (merge.size() != 2)
                merge.fail("must hold two tokens");
            addMerge(merge, rank++, merge.at(std::size_t{0}).asString(), merge.at(1).asString());
            continue;
        }
        const std::string line = merge.asString();
        if (line.rfind("#version", 0) == 0)
            continue;
        const std::size_t space = line.find(' ');
        if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos)
            merge.fail(Message("is %1; it must be two tokens with one space between",
                               json::inQuotes(line)));
        addMerge(merge, rank++, line.substr(0, space), line.substr(space + 1));
    }
}

void Bpe::addMerge(const json::Value& place, std::uint32_t rank, const std::string& left,
                   const std::string& right)
{
    const auto require = [&](const std::string& token) {
        const std::optional<TokenId> id = m_vocabulary.idOf(token);
        if (!id)
            place.fail(Message("needs the token %1, which model.vocab does not have",
                               json::inQuotes(token)));
        return *id;
    };
    const TokenId leftId = require(left);
    const TokenId rightId = require(right);
    if (right.size() < m_subwordPrefix.size())
        place.fail("has a second token that is shorter than continuing_subword_prefix");
    m_merges[pairKey(leftId, rightId)] = {rank,
                                          require(left + right.substr(m_subwordPrefix.size()))};
}

const Bpe::Merge* Bpe::mergeOf(TokenId left, TokenId right) const
{
    return m_merges.find(pairKey(left, right));
}

std::unique_ptr<TokenModel::Workspace> Bpe::makeWorkspace() const
{
    return std::make_unique<Word>();
}

Status Bpe::tokenize(std::string_view text, Workspace& workspace, std::vector<TokenId>& ids) const
{
    if (m_ignoreMerges) {
        if (const auto id = m_vocabulary.idOf(text)) {
            ids.push_back(*id);
            return {};
        }
    }
    auto& word = static_cast<Word&>(workspace);
    word.ids.clear();
    if (Status status = splitIntoSymbols(text, word.ids); !status)
        return status;
    if (word.ids.size() > 1)
        mergeAll(word);
    ids.insert(ids.end(), word.ids.begin(), word.ids.end());
    return {};
}

Status Bpe::splitIntoSymbols(std::string_view text, std::vector<TokenId>& symbols) const
{
    std::optional<TokenId> unknown; // found, but not written yet, since more may be fused with it
    std::string decorated;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = firstCodePoint(text.substr(at)).length;
        std::string_view symbol = text.substr(at, length);
        const bool decorate = (at > 0 && !m_subwordPrefix.empty())
            || (at + length == text.size() && !m_wordSuffix.empty());
        if (decorate) {
            decorated = at > 0 ? m_subwordPrefix : std::string();
            decorated += symbol;
            if (at + length == text.size())
                decorated += m_wordSuffix;
            symbol = decorated;
        }
        at += length;

        if (const auto id = m_vocabulary.idOf(symbol)) {
            if (unknown)
                symbols.push_back(*std::exchange(unknown, std::nullopt));
            symbols.push_back(*id);
            continue;
        }
        // Like the reference library, writes the bytes before a pending unknown token.
        if (!m_byteTokens.empty() && appendByteTokens(m_byteTokens, symbol, symbols))
            continue;
        if (!m_unknownToken)
            continue;
        if (unknown && m_fuseUnknown)
            continue;
        if (unknown)
            symbols.push_back(*unknown);
        unknown = m_vocabulary.idOf(*m_unknownToken);
        if (!unknown) {
            return Error{ErrorCode::InvalidInput,
                         {"The text has the character %1, for which the tokenizer has no token, "
                          "and its unk_token %2 is not in model.vocab.",
                          json::inQuotes(symbol), json::inQuotes(*m_unknownToken)}};
        }
    }
    if (unknown)
        symbols.push_back(*unknown);
    return {};
}

// A linked list of symbols and a heap of candidates, so that a word of n characters takes
// n log n steps.
void Bpe::mergeAll(Word& word) const
{
    std::vector<Symbol>& symbols = word.symbols;
    std::vector<Candidate>& heap = word.heap;
    symbols.clear();
    heap.clear();

    const auto count = static_cast<std::int32_t>(word.ids.size());
    for (std::int32_t i = 0; i < count; ++i) {
        symbols.push_back(
            {word.ids[static_cast<std::size_t>(i)], i - 1, i + 1 < count ? i + 1 : -1, false});
    }
    const auto at = [&](std::int32_t i) -> Symbol& { return symbols[static_cast<std::size_t>(i)]; };
    const auto candidate = [&](std::int32_t left, std::int32_t right) -> std::optional<Candidate> {
        const Merge* merge = mergeOf(at(left).id, at(right).id);
        if (!merge)
            return std::nullopt;
        return Candidate{merge->rank, static_cast<std::uint32_t>(left), merge->result};
    };
    const auto push = [&](std::int32_t left, std::int32_t right) {
        if (const auto found = candidate(left, right)) {
            heap.push_back(*found);
            std::push_heap(heap.begin(), heap.end());
        }
    };
    for (std::int32_t i = 0; i + 1 < count; ++i) {
        if (const auto found = candidate(i, i + 1))
            heap.push_back(*found);
    }
    std::make_heap(heap.begin(), heap.end());

    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end());
        const Candidate top = heap.back();
        heap.pop_back();
        const auto position = static_cast<std::int32_t>(top.position);
        Symbol& left = at(position);
        if (left.removed || left.next < 0)
            continue;
        const Symbol right = at(left.next);
        const Merge* merge = mergeOf(left.id, right.id);
        if (!merge || merge->result != top.result)
            continue; // one of the two has been merged with another symbol

        at(left.next).removed = true;
        left.id = top.result;
        left.next = right.next;
        if (right.next >= 0)
            at(right.next).previous = position;
        if (left.previous >= 0)
            push(left.previous, position);
        if (left.next >= 0)
            push(position, left.next);
    }

    word.ids.clear();
    for (const Symbol& symbol : symbols) {
        if (!symbol.removed)
            word.ids.push_back(symbol.id);
    }
}

} // namespace ep::text
