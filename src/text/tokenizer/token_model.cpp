// SPDX-License-Identifier: GPL-3.0-or-later
#include "token_model.h"

#include "flat_map.h"
#include "pieces.h"
#include "unicode.h"

#include "ep/json/document.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace ep::text {
namespace {

// Splits a word greedily into the longest matching tokens; a word that cannot be split this way
// becomes one unknown token.
class WordPiece final : public TokenModel {
public:
    explicit WordPiece(const json::Value& json); // throws json::ReadError

    Status tokenize(std::string_view word, Workspace& workspace,
                    std::vector<TokenId>& ids) const override;

private:
    std::string m_unknownToken;
    std::string m_prefix; // prefix of tokens inside a word
    std::size_t m_longestWord = 100; // in code points; longer ones are unknown
};

WordPiece::WordPiece(const json::Value& json)
{
    readVocabulary(json.at("vocab"));
    m_unknownToken = json.string("unk_token", "[UNK]");
    m_prefix = json.string("continuing_subword_prefix", "##");
    if (const auto longest = json.find("max_input_chars_per_word"))
        m_longestWord = static_cast<std::size_t>(longest->asInteger(0, 10'000));
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

// A word is either a token or becomes the unknown token.
class WordLevel final : public TokenModel {
public:
    explicit WordLevel(const json::Value& json); // throws json::ReadError

    Status tokenize(std::string_view word, Workspace& workspace,
                    std::vector<TokenId>& ids) const override;

private:
    std::string m_unknownToken;
};

WordLevel::WordLevel(const json::Value& json)
{
    readVocabulary(json.at("vocab"));
    m_unknownToken = json.string("unk_token", "<unk>");
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

// A vocabulary of pieces with scores (log probabilities): a word becomes the sequence of pieces
// with the highest sum, found with the Viterbi algorithm.
class Unigram final : public TokenModel {
public:
    explicit Unigram(const json::Value& json); // throws json::ReadError

    std::unique_ptr<Workspace> makeWorkspace() const override;
    Status tokenize(std::string_view word, Workspace& workspace,
                    std::vector<TokenId>& ids) const override;
    std::size_t tokenCount() const override { return m_scores.size(); } // duplicates count twice

private:
    struct Lattice;
    struct TrieNode {
        std::uint32_t child = 0;
        TokenId token = -1; // token that ends at the child
    };

    void addToTrie(std::string_view token, TokenId id);
    Status findBestPath(std::string_view word, Lattice& lattice) const;
    Status appendPiece(std::string_view piece, std::vector<TokenId>& ids) const;

    std::vector<double> m_scores; // by token id
    double m_unknownScore = 0;
    std::optional<TokenId> m_unknownId;
    std::vector<TokenId> m_byteTokens; // empty without byte_fallback
    FlatMap<TrieNode> m_trie; // by parent node and byte
    std::uint32_t m_trieNodes = 1;
};

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

// Byte-pair encoding: the characters of a word are merged pair by pair, the pair of the lowest rank
// first. Supports byte-level and SentencePiece-style vocabularies.
class Bpe final : public TokenModel {
public:
    explicit Bpe(const json::Value& json); // throws json::ReadError

    std::unique_ptr<Workspace> makeWorkspace() const override;
    Status tokenize(std::string_view word, Workspace& workspace,
                    std::vector<TokenId>& ids) const override;

private:
    struct Merge {
        std::uint32_t rank = 0;
        TokenId result = 0;
    };
    struct Word;

    void readMerges(const json::Value& merges);
    const Merge* mergeOf(TokenId left, TokenId right) const;
    Status splitIntoSymbols(std::string_view text, std::vector<TokenId>& symbols) const;
    void mergeAll(Word& word) const;

    FlatMap<Merge> m_merges;
    std::optional<std::string> m_unknownToken;
    std::string m_subwordPrefix;
    std::string m_wordSuffix;
    std::vector<TokenId> m_byteTokens; // empty without byte_fallback
    bool m_fuseUnknown = false;
    bool m_ignoreMerges = false;
};

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

struct Bpe::Word final : TokenModel::Workspace {
    std::vector<TokenId> ids;
    std::vector<Symbol> symbols;
    std::vector<Candidate> heap;
};

Bpe::Bpe(const json::Value& json)
{
    if (const auto tokens = json.find("tokens"))
        readTokens(*tokens);
    else
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
    std::string merged;
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const auto require = [&](std::string_view token) {
            const std::optional<TokenId> id = m_vocabulary.idOf(token);
            if (!id)
                merges.at(i).fail(Message("needs the token %1, which model.vocab does not have",
                                          json::inQuotes(token)));
            return *id;
        };
        const auto add = [&](std::string_view left, std::string_view right) {
            const TokenId leftId = require(left);
            const TokenId rightId = require(right);
            if (right.size() < m_subwordPrefix.size())
                merges.at(i).fail(
                    "has a second token that is shorter than continuing_subword_prefix");
            merged.assign(left);
            merged += right.substr(m_subwordPrefix.size());
            m_merges[pairKey(leftId, rightId)] = {rank++, require(merged)};
        };
        // Avoids a json::Value for each of the half million merges of a large tokenizer.
        const json::Json& merge = merges.json()[i];
        if (merge.is_array()) {
            if (merge.size() != 2)
                merges.at(i).fail("must hold two tokens");
            add(merges.at(i).at(std::size_t{0}).asString(), merges.at(i).at(1).asString());
            continue;
        }
        if (!merge.is_string())
            (void)merges.at(i).asString(); // throws
        const std::string_view line = merge.get_ref<const std::string&>();
        if (line.starts_with("#version"))
            continue;
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
            merges.at(i).fail(Message("is %1; it must be two tokens with one space between",
                                      json::inQuotes(line)));
        add(line.substr(0, space), line.substr(space + 1));
    }
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

void TokenModel::readTokens(const json::Value& tokens)
{
    tokens.requireArray();
    m_vocabulary.reserve(tokens.size());
    for (std::size_t id = 0; id < tokens.size(); ++id) {
        const auto* const token = tokens.json()[id].get_ptr<const std::string*>();
        if (token && !m_vocabulary.idOf(*token))
            m_vocabulary.add(*token, static_cast<TokenId>(id));
    }
}

void TokenModel::readVocabulary(const json::Value& vocabulary)
{
    vocabulary.requireObject();
    m_vocabulary.reserve(vocabulary.size());
    for (const auto& [token, value] : vocabulary.json().items()) {
        const json::Value entry = vocabulary.part(value);
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
