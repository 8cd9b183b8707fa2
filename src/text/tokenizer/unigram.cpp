// SPDX-License-Identifier: GPL-3.0-or-later
#include "unigram.h"

#include "unicode.h"

#include <algorithm>
#include <limits>

namespace ep::text {

namespace {

constexpr double unknownPenalty = 10.0; // relative to the lowest score of the vocabulary

std::uint64_t edgeKey(std::uint32_t node, char byte)
{
    return (std::uint64_t{node} << 8U) | static_cast<unsigned char>(byte);
}

// The best path to a position in the word.
struct BestEnd {
    double score = 0;
    std::size_t begin = 0; // where its last piece begins
    TokenId token = -1; // -1: no path yet
};

Error unknownCharacter(std::string_view character)
{
    return {ErrorCode::InvalidInput,
            {"The text has the character %1, for which the tokenizer has neither a token nor an "
             "unk_id.",
             json::inQuotes(character)}};
}

} // namespace

struct Unigram::Lattice final : TokenModel::Workspace {
    std::vector<BestEnd> ends;
    std::vector<std::string_view> pieces;
};

Unigram::Unigram(const json::Value& json)
{
    const json::Value vocabulary = json.at("vocab");
    vocabulary.requireArray();
    if (vocabulary.size() > static_cast<std::size_t>(highestTokenId) + 1)
        vocabulary.fail("has too many tokens");
    m_vocabulary.reserve(vocabulary.size());
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
        const json::Value entry = vocabulary.at(i);
        if (!entry.isArray() || entry.size() != 2)
            entry.fail("must be a list of a token and its score");
        const std::string token = entry.at(std::size_t{0}).asString();
        const auto id = static_cast<TokenId>(i);
        m_vocabulary.add(token, id);
        m_scores.push_back(entry.at(1).asNumber());
        lowest = std::min(lowest, m_scores.back());
        addToTrie(token, id);
    }
    m_unknownScore = lowest - unknownPenalty;
    if (const auto unknown = json.find("unk_id")) {
        if (vocabulary.size() == 0)
            vocabulary.fail("is empty");
        m_unknownId = static_cast<TokenId>(
            unknown->asInteger(0, static_cast<std::int64_t>(vocabulary.size()) - 1));
    }
    if (json.boolean("byte_fallback", false))
        m_byteTokens = byteTokens(m_vocabulary);
}

void Unigram::addToTrie(std::string_view token, TokenId id)
{
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < token.size(); ++i) {
        TrieNode& edge = m_trie[edgeKey(node, token[i])];
        if (edge.child == 0)
            edge.child = m_trieNodes++;
        if (i + 1 == token.size())
            edge.token = id;
        node = edge.child;
    }
}

std::unique_ptr<TokenModel::Workspace> Unigram::makeWorkspace() const
{
    return std::make_unique<Lattice>();
}

Status Unigram::tokenize(std::string_view word, Workspace& workspace,
                         std::vector<TokenId>& ids) const
{
    auto& lattice = static_cast<Lattice&>(workspace);
    if (Status status = findBestPath(word, lattice); !status)
        return status;

    // Backwards from the end; a run of unknown characters becomes one piece.
    lattice.pieces.clear();
    bool afterUnknown = false;
    for (std::size_t end = word.size(); end > 0;) {
        const BestEnd& best = lattice.ends[end];
        const bool unknown = m_unknownId && best.token == *m_unknownId;
        const std::string_view piece = word.substr(best.begin, end - best.begin);
        if (unknown && afterUnknown) {
            std::string_view& last = lattice.pieces.back();
            last = word.substr(best.begin, piece.size() + last.size());
        } else {
            lattice.pieces.push_back(piece);
        }
        afterUnknown = unknown;
        end = best.begin;
    }
    for (auto piece = lattice.pieces.rbegin(); piece != lattice.pieces.rend(); ++piece) {
        if (Status status = appendPiece(*piece, ids); !status)
            return status;
    }
    return {};
}

Status Unigram::findBestPath(std::string_view word, Lattice& lattice) const
{
    std::vector<BestEnd>& ends = lattice.ends;
    ends.assign(word.size() + 1, {});
    const auto offer = [&](std::size_t begin, std::size_t end, double score, TokenId token) {
        BestEnd& best = ends[end];
        if (best.token < 0 || score > best.score)
            best = {score, begin, token};
    };
    for (std::size_t begin = 0; begin < word.size();) {
        const double before = ends[begin].score;
        const std::size_t length = firstCodePoint(word.substr(begin)).length;
        bool hasCharacter = false;
        std::uint32_t node = 0;
        for (std::size_t at = begin; at < word.size();) {
            const TrieNode* edge = m_trie.find(edgeKey(node, word[at]));
            if (!edge)
                break;
            node = edge->child;
            ++at;
            if (edge->token < 0)
                continue;
            offer(begin, at, before + m_scores[static_cast<std::size_t>(edge->token)], edge->token);
            hasCharacter = hasCharacter || at == begin + length;
        }
        if (!hasCharacter) {
            if (!m_unknownId
                && (ends[begin + length].token < 0
                    || before + m_unknownScore > ends[begin + length].score))
                return unknownCharacter(word.substr(begin, length));
            offer(begin, begin + length, before + m_unknownScore, m_unknownId.value_or(-1));
        }
        begin += length;
    }
    return {};
}

Status Unigram::appendPiece(std::string_view piece, std::vector<TokenId>& ids) const
{
    if (const auto id = m_vocabulary.idOf(piece)) {
        ids.push_back(*id);
        return {};
    }
    if (!m_byteTokens.empty() && appendByteTokens(m_byteTokens, piece, ids))
        return {};
    if (!m_unknownId)
        return unknownCharacter(piece);
    ids.push_back(*m_unknownId);
    return {};
}

} // namespace ep::text
