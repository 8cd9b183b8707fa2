// SPDX-License-Identifier: GPL-3.0-or-later
#include "pre_tokenizer.h"

#include "byte_level.h"
#include "metaspace.h"
#include "pattern.h"
#include "unicode.h"

#include "ep/core/word_list.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::text {
namespace {

void appendParts(std::vector<Piece>& result, const Piece& piece, const std::vector<Span>& parts)
{
    for (const Span& part : parts) {
        if (part.begin != part.end)
            result.push_back(partOf(piece, part.begin, part.end));
    }
}

// Replaces every piece of text by the parts appended by `split`.
template <typename SplitPiece>
Status splitEach(Pieces& pieces, SplitPiece split)
{
    std::vector<Piece> result;
    result.reserve(pieces.list.size());
    for (const Piece& piece : pieces.list) {
        if (piece.token != noToken) {
            result.push_back(piece);
            continue;
        }
        if (Status status = split(piece, result); !status)
            return status;
    }
    pieces.list = std::move(result);
    return {};
}

// The scripts of the library's table, which is that of Unicode 9.
constexpr auto kScripts = wordList<134>(
    "Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak "
    "Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian "
    "Caucasian_Albanian Chakma Cham Cherokee Common Coptic Cuneiform Cypriot Cyrillic Deseret "
    "Devanagari Duployan Egyptian_Hieroglyphs Elbasan Ethiopic Georgian Glagolitic Gothic "
    "Grantha Greek Gujarati Gurmukhi Hangul Hanunoo Hatran Hebrew Imperial_Aramaic Inherited "
    "Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Kayah_Li Kharoshthi "
    "Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian "
    "Mahajani Malayalam Mandaic Manichaean Marchen Meetei_Mayek Mende_Kikakui Meroitic_Cursive "
    "Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean New_Tai_Lue Newa "
    "Nko Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian "
    "Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau "
    "Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian "
    "Siddham SignWriting Sinhala Sora_Sompeng Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa "
    "Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta "
    "Ugaritic Vai Warang_Citi Yi");

// A pattern whose matches are runs of one script, for the pre-tokenizer UnicodeScripts: Hiragana,
// Katakana and the long vowel mark count as Han; the blank and unassigned characters belong to the
// script before them.
std::string scriptRunsPattern()
{
    std::string known = R"(\p{Han}\p{Hiragana}\p{Katakana})";
    for (const std::string_view script : kScripts)
        known.append(R"(\p{)").append(script).append("}");
    // Characters that count as the script before them. They form a group that the others refer to,
    // because PCRE2 limits the size of a pattern.
    const std::string none = "(?<none>[ [^" + known + "]])";
    std::string pattern =
        R"([\p{Han}\p{Hiragana}\p{Katakana}ー](?:[\p{Han}\p{Hiragana}\p{Katakana}ー]|)" + none
        + ")*";
    for (const std::string_view script : kScripts) {
        std::string members = R"(\p{)" + std::string(script) + "}";
        if (script == "Common")
            members = "[" + members + "&&[^ ー]]";
        pattern += "|" + members + "(?:" + members + R"(|\g<none>)*)";
    }
    return pattern;
}

// Pre-tokenizers that replace characters of the text.

// The built-in pattern of the ByteLevel pre-tokenizer, from GPT-2.
constexpr std::string_view byteLevelPattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

class ByteLevel final : public PreTokenizer {
public:
    // usePattern: splits as GPT-2 does
    ByteLevel(bool addPrefixSpace, bool usePattern)
        : m_addPrefixSpace(addPrefixSpace)
    {
        if (usePattern)
            m_pattern = Pattern::regex(byteLevelPattern);
    }
    Status apply(Pieces& pieces) const override
    {
        if (m_addPrefixSpace) {
            for (Piece& piece : pieces.list) {
                if (piece.token == noToken && !piece.text.empty() && piece.text.front() != ' ')
                    piece.text = pieces.keep(std::string(" ").append(piece.text));
            }
        }
        if (m_pattern) {
            PatternSearch search(*m_pattern);
            std::vector<Span> spans;
            Status status =
                splitEach(pieces, [&](const Piece& piece, std::vector<Piece>& result) -> Status {
                    if (Status found = search.findSpans(piece.text, spans); !found)
                        return found;
                    appendParts(result, piece, spans);
                    return {};
                });
            if (!status)
                return status;
        }
        const std::size_t bytes = toBytes(pieces);
        return pieces.budget.keep(bytes, "the pre-tokenizer ByteLevel");
    }

private:
    // Puts all texts into one string: one allocation instead of one per word.
    static std::size_t toBytes(Pieces& pieces)
    {
        std::string all;
        std::vector<std::size_t> ends;
        ends.reserve(pieces.list.size());
        for (const Piece& piece : pieces.list) {
            if (piece.token == noToken)
                appendByteLevel(all, piece.text);
            ends.push_back(all.size());
        }
        const std::string_view kept = pieces.keep(std::move(all));
        std::size_t begin = 0;
        for (std::size_t i = 0; i < ends.size(); begin = ends[i++]) {
            if (pieces.list[i].token == noToken)
                pieces.list[i].text = kept.substr(begin, ends[i] - begin);
        }
        return kept.size();
    }

    bool m_addPrefixSpace;
    std::optional<Pattern> m_pattern;
};

class MetaspaceSplit final : public PreTokenizer {
public:
    explicit MetaspaceSplit(Metaspace settings)
        : m_settings(std::move(settings))
    {
    }
    Status apply(Pieces& pieces) const override
    {
        return splitEach(pieces, [&](const Piece& piece, std::vector<Piece>& result) -> Status {
            Piece changed = piece;
            changed.text = pieces.keep(rewrite(piece));
            if (Status status =
                    pieces.budget.keep(changed.text.size(), "the pre-tokenizer Metaspace");
                !status)
                return status;
            if (!m_settings.split) {
                appendParts(result, changed, {{0, changed.text.size(), false}});
                return {};
            }
            splitAtReplacements(changed, result);
            return {};
        });
    }

private:
    std::string rewrite(const Piece& piece) const
    {
        std::string text;
        text.reserve(piece.text.size() + piece.text.size() / 2);
        for (const char c : piece.text) {
            if (c == ' ')
                text += m_settings.replacement;
            else
                text += c;
        }
        const bool wanted = m_settings.prefix == Metaspace::Prefix::Always
            || (m_settings.prefix == Metaspace::Prefix::First && piece.beginsText);
        if (wanted && !text.empty() && text.rfind(m_settings.replacement, 0) != 0)
            text.insert(0, m_settings.replacement);
        return text;
    }

    // A part begins at every replacement, as MergedWithNext does for a run of single matches.
    void splitAtReplacements(const Piece& piece, std::vector<Piece>& result) const
    {
        std::size_t begin = 0;
        while (begin < piece.text.size()) {
            const std::size_t end =
                std::min(piece.text.find(m_settings.replacement, begin + 1), piece.text.size());
            result.push_back(partOf(piece, begin, end));
            begin = end;
        }
    }

    Metaspace m_settings;
};

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
        return std::make_unique<ByteLevel>(json.boolean("add_prefix_space", true),
                                           json.boolean("use_regex", true));
    }
    if (type == "Metaspace")
        return std::make_unique<MetaspaceSplit>(readMetaspace(json));
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
    if (type == "CharDelimiterSplit") {
        return std::make_unique<Split>(Pattern::literal(json.at("delimiter").asCharacter()),
                                       SplitBehavior::Removed, false);
    }
    if (type == "BertPreTokenizer")
        return makeBert();
    if (type == "FixedLength")
        return std::make_unique<FixedLength>(json.integer("length", 5, 1, kLongestPart));
    if (type == "UnicodeScripts") {
        // Leading characters without a script are dropped, as in the library.
        return std::make_unique<Split>(Pattern::regex(scriptRunsPattern()), SplitBehavior::Removed,
                                       true);
    }
    json.unsupported(
        Message("is the pre-tokenizer %1, which is not supported", json::inQuotes(type)));
}

} // namespace ep::text
