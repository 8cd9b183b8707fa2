// SPDX-License-Identifier: GPL-3.0-or-later
#include "pre_tokenizer.h"

#include "nesting.h"
#include "pattern.h"
#include "rewriting_pre_tokenizers.h"
#include "split_pieces.h"
#include "unicode.h"
#include "unicode_scripts.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ep::text {

namespace {

constexpr int kLongestPart = 1 << 30;

class Split final : public PreTokenizer {
public:
    Split(Pattern pattern, SplitBehavior behavior, bool invert)
        : m_pattern(std::move(pattern))
        , m_behavior(behavior)
        , m_invert(invert)
    {
    }
    Status apply(Pieces& pieces) const override
    {
        PatternSearch search(m_pattern);
        std::vector<Span> spans;
        return splitEach(pieces, [&](const Piece& piece, std::vector<Piece>& result) -> Status {
            if (Status status = search.findSpans(piece.text, spans); !status)
                return status;
            if (Status status = pieces.budget.spend(piece.text.size(), "the pre-tokenizer Split");
                !status)
                return status;
            for (Span& span : spans)
                span.isMatch = span.isMatch != m_invert;
            if (m_behavior == SplitBehavior::Isolated)
                appendParts(result, piece, spans);
            else
                appendParts(result, piece, applySplit(spans, m_behavior));
            return {};
        });
    }

private:
    Pattern m_pattern;
    SplitBehavior m_behavior;
    bool m_invert;
};

// Splits at the characters of a class.
class AtCharacters final : public PreTokenizer {
public:
    AtCharacters(bool (*predicate)(char32_t), SplitBehavior behavior)
        : m_predicate(predicate)
        , m_behavior(behavior)
    {
    }
    Status apply(Pieces& pieces) const override
    {
        return splitEach(pieces, [&](const Piece& piece, std::vector<Piece>& result) -> Status {
            appendParts(result, piece, applySplit(spansOf(piece.text, m_predicate), m_behavior));
            return {};
        });
    }

private:
    bool (*m_predicate)(char32_t);
    SplitBehavior m_behavior;
};

// Splits at one character, which is removed.
class AtDelimiter final : public PreTokenizer {
public:
    explicit AtDelimiter(std::string delimiter)
        : m_delimiter(std::move(delimiter))
    {
    }
    Status apply(Pieces& pieces) const override
    {
        return splitEach(pieces, [&](const Piece& piece, std::vector<Piece>& result) -> Status {
            for (std::size_t begin = 0; begin <= piece.text.size();) {
                const std::size_t end =
                    std::min(piece.text.find(m_delimiter, begin), piece.text.size());
                if (begin != end)
                    result.push_back(partOf(piece, begin, end));
                begin = end + m_delimiter.size();
            }
            return {};
        });
    }

private:
    std::string m_delimiter;
};

class FixedLength final : public PreTokenizer {
public:
    explicit FixedLength(int length)
        : m_length(length)
    {
    }
    Status apply(Pieces& pieces) const override
    {
        return splitEach(pieces, [&](const Piece& piece, std::vector<Piece>& result) -> Status {
            std::size_t begin = 0;
            int count = 0;
            for (std::size_t at = 0; at < piece.text.size();) {
                at += firstCodePoint(piece.text.substr(at)).length;
                if (++count == m_length || at >= piece.text.size()) {
                    result.push_back(partOf(piece, begin, at));
                    begin = at;
                    count = 0;
                }
            }
            return {};
        });
    }

private:
    int m_length;
};

// Runs of one script; leading characters without a script are dropped, as in the library.
class AtScripts final : public PreTokenizer {
public:
    Status apply(Pieces& pieces) const override
    {
        PatternSearch search(m_pattern);
        std::vector<Span> spans;
        return splitEach(pieces, [&](const Piece& piece, std::vector<Piece>& result) -> Status {
            if (Status status = search.findSpans(piece.text, spans); !status)
                return status;
            std::erase_if(spans, [](const Span& span) { return !span.isMatch; });
            appendParts(result, piece, spans);
            return {};
        });
    }

private:
    Pattern m_pattern = Pattern::regex(scriptRunsPattern());
};

// Words and runs of other characters, without the space between: \w+|[^\w\s]+
class Whitespace final : public PreTokenizer {
public:
    Status apply(Pieces& pieces) const override
    {
        return splitEach(pieces, [&](const Piece& piece, std::vector<Piece>& result) -> Status {
            enum class Kind { Space, Word, Other };
            const auto kindOf = [](char32_t c) {
                if (isWord(c))
                    return Kind::Word;
                return isWhiteSpace(c) ? Kind::Space : Kind::Other;
            };
            std::size_t begin = 0;
            Kind kind = Kind::Space;
            for (std::size_t at = 0; at < piece.text.size();) {
                const CodePoint c = firstCodePoint(piece.text.substr(at));
                if (const Kind next = kindOf(c.value); next != kind) {
                    if (kind != Kind::Space)
                        result.push_back(partOf(piece, begin, at));
                    begin = at;
                    kind = next;
                }
                at += c.length;
            }
            if (kind != Kind::Space)
                result.push_back(partOf(piece, begin, piece.text.size()));
            return {};
        });
    }
};

class PreTokenizerSequence final : public PreTokenizer {
public:
    explicit PreTokenizerSequence(std::vector<std::unique_ptr<PreTokenizer>> parts)
        : m_parts(std::move(parts))
    {
    }
    Status apply(Pieces& pieces) const override
    {
        for (const auto& part : m_parts) {
            if (Status status = part->apply(pieces); !status)
                return status;
        }
        return {};
    }

private:
    std::vector<std::unique_ptr<PreTokenizer>> m_parts;
};

// Words, and every punctuation mark separately.
std::unique_ptr<PreTokenizer> makeBert()
{
    std::vector<std::unique_ptr<PreTokenizer>> parts;
    parts.push_back(std::make_unique<AtCharacters>(&isWhiteSpace, SplitBehavior::Removed));
    parts.push_back(std::make_unique<AtCharacters>(&isPunctuation, SplitBehavior::Isolated));
    return std::make_unique<PreTokenizerSequence>(std::move(parts));
}

std::unique_ptr<PreTokenizer> readPreTokenizers(const json::Value& json, int depth)
{
    if (depth >= kMaximalNesting)
        json.fail("is nested too deeply");
    const json::Value list = json.at("pretokenizers");
    list.requireArray();
    std::vector<std::unique_ptr<PreTokenizer>> parts;
    for (std::size_t i = 0; i < list.size(); ++i)
        parts.push_back(readPreTokenizer(list.at(i), depth + 1));
    return std::make_unique<PreTokenizerSequence>(std::move(parts));
}

} // namespace

std::unique_ptr<PreTokenizer> readPreTokenizer(const json::Value& json, int depth)
{
    const std::string type = json.string("type");
    if (type == "Sequence")
        return readPreTokenizers(json, depth);
    if (type == "Split") {
        return std::make_unique<Split>(Pattern(json.at("pattern")),
                                       readSplitBehavior(json.at("behavior")),
                                       json.boolean("invert", false));
    }
    if (type == "ByteLevel") {
        return makeByteLevel(json.boolean("add_prefix_space", true),
                             json.boolean("use_regex", true));
    }
    if (type == "Metaspace")
        return makeMetaspaceSplit(readMetaspace(json));
    if (type == "Digits") {
        return std::make_unique<AtCharacters>(&isNumeric,
                                              json.boolean("individual_digits", false)
                                                  ? SplitBehavior::Isolated
                                                  : SplitBehavior::Contiguous);
    }
    if (type == "Punctuation") {
        const auto behavior = json.find("behavior");
        return std::make_unique<AtCharacters>(
            &isPunctuation, behavior ? readSplitBehavior(*behavior) : SplitBehavior::Isolated);
    }
    if (type == "Whitespace")
        return std::make_unique<Whitespace>();
    if (type == "WhitespaceSplit")
        return std::make_unique<AtCharacters>(&isWhiteSpace, SplitBehavior::Removed);
    if (type == "CharDelimiterSplit")
        return std::make_unique<AtDelimiter>(json.at("delimiter").asCharacter());
    if (type == "BertPreTokenizer")
        return makeBert();
    if (type == "FixedLength")
        return std::make_unique<FixedLength>(json.integer("length", 5, 1, kLongestPart));
    if (type == "UnicodeScripts")
        return std::make_unique<AtScripts>();
    json.unsupported(
        Message("is the pre-tokenizer %1, which is not supported", json::inQuotes(type)));
}

} // namespace ep::text
