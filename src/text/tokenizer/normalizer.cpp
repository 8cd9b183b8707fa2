// SPDX-License-Identifier: GPL-3.0-or-later
#include "normalizer.h"

#include "byte_level.h"
#include "pattern.h"
#include "unicode.h"

#include "ep/core/utf8.h"

#include <utf8proc.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::text {
namespace {

constexpr std::size_t longestGrapheme = 5; // longer ones are replaced character by character

int base64Value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    return c == '/' ? 63 : -1;
}

std::optional<std::string> fromBase64(std::string_view text)
{
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t pending = 0;
    int bits = 0;
    for (const char c : text) {
        const int value = base64Value(c);
        if (value < 0)
            return std::nullopt;
        pending = ((pending << 6U) | static_cast<std::uint32_t>(value)) & 0xffffU;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push_back(static_cast<char>((pending >> static_cast<unsigned>(bits)) & 0xffU));
        }
    }
    return bytes;
}

std::uint32_t littleEndian(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;)
        value = (value << 8U) | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

// Layout of a unit of the trie.
bool hasLeaf(std::uint32_t unit)
{
    return ((unit >> 8U) & 1U) == 1U;
}
std::uint32_t label(std::uint32_t unit)
{
    return unit & 0x800000ffU;
}
std::uint32_t offset(std::uint32_t unit)
{
    return (unit >> 10U) << ((unit & 0x200U) >> 6U);
}

// End of the grapheme that begins at `at`.
std::size_t graphemeEnd(std::string_view text, std::size_t at)
{
    utf8proc_int32_t state = 0;
    CodePoint previous = firstCodePoint(text.substr(at));
    at += previous.length;
    while (at < text.size()) {
        const CodePoint next = firstCodePoint(text.substr(at));
        if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(previous.value),
                                             static_cast<utf8proc_int32_t>(next.value), &state)) {
            break;
        }
        previous = next;
        at += next.length;
    }
    return at;
}

// SentencePiece's compiled normalisation rules: a double-array trie whose values are offsets into
// a block of NUL-terminated replacements.
class Charsmap {
public:
    // Null or empty: changes nothing.
    explicit Charsmap(const json::Value& base64)
    {
        const std::optional<std::string> bytes = fromBase64(base64.asString());
        if (!bytes)
            base64.fail("is not valid base64");
        if (bytes->empty())
            return;
        if (bytes->size() < 4)
            base64.fail("is too short");
        const std::size_t units = littleEndian(*bytes, 0) / 4;
        if (units == 0 || units > (bytes->size() - 4) / 4)
            base64.fail("does not hold the trie that it announces");
        m_trie.reserve(units);
        for (std::size_t i = 0; i < units; ++i)
            m_trie.push_back(littleEndian(*bytes, 4 + i * 4));
        m_replacements = bytes->substr(4 + units * 4);
        if (!isValidUtf8(m_replacements))
            base64.fail("holds replacements that are not UTF-8");
    }

    // Absent if the text would be longer than the budget allows.
    std::optional<std::string> apply(std::string_view text, const TextBudget& budget) const
    {
        if (m_trie.empty())
            return std::string(text);
        std::string result;
        result.reserve(text.size());
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = graphemeEnd(text, at);
            const std::string_view grapheme = text.substr(at, end - at);
            at = end;
            if (!budget.allows(result.size()))
                return std::nullopt;
            if (grapheme.size() <= longestGrapheme) {
                if (const auto replacement = replacementOf(grapheme)) {
                    result += *replacement;
                    continue;
                }
            }
            for (std::size_t i = 0; i < grapheme.size();) {
                const std::size_t length = firstCodePoint(grapheme.substr(i)).length;
                const std::string_view part = grapheme.substr(i, length);
                result += replacementOf(part).value_or(part);
                i += length;
            }
        }
        return result;
    }

private:
    // Finds the shortest rule that is a prefix of the chunk; it replaces all of the chunk.
    std::optional<std::string_view> replacementOf(std::string_view chunk) const
    {
        std::size_t node = offset(m_trie[0]);
        for (const char byte : chunk) {
            const auto c = static_cast<unsigned char>(byte);
            node ^= c;
            if (c == 0 || node >= m_trie.size() || label(m_trie[node]) != c)
                return std::nullopt;
            const std::uint32_t unit = m_trie[node];
            node ^= offset(unit);
            if (!hasLeaf(unit))
                continue;
            const std::size_t begin = node < m_trie.size() ? m_trie[node] & 0x7fffffffU : SIZE_MAX;
            if (begin > m_replacements.size())
                return std::nullopt;
            const std::size_t end = m_replacements.find('\0', begin);
            const std::string_view replacement =
                std::string_view(m_replacements)
                    .substr(begin, end == std::string::npos ? end : end - begin);
            return isValidUtf8(replacement) ? std::optional(replacement) : std::nullopt;
        }
        return std::nullopt;
    }

    std::vector<std::uint32_t> m_trie;
    std::string m_replacements;
};

class Form final : public Normalizer {
public:
    explicit Form(NormalForm form)
        : m_form(form)
    {
    }
    Status normalize(NormalizedText& value) const override
    {
        value.text = toNormalForm(value.text, m_form);
        return value.budget->spend(value.text.size(), "a Unicode normalizer");
    }

    std::optional<int> mostShrinking() const override { return 4; } // for composed characters

private:
    NormalForm m_form;
};

// Maps each code point independently: appends its replacement, which may be empty.
class PerCharacter final : public Normalizer {
public:
    using Map = void (*)(std::string& text, char32_t c);
    explicit PerCharacter(Map map)
        : m_map(map)
    {
    }
    Status normalize(NormalizedText& value) const override
    {
        std::string result;
        result.reserve(value.text.size());
        for (std::size_t at = 0; at < value.text.size();) {
            const CodePoint c = firstCodePoint(std::string_view(value.text).substr(at));
            m_map(result, c.value);
            if (at == 0 && result.empty())
                value.keepsFirst = false;
            at += c.length;
        }
        value.text = std::move(result);
        return value.budget->spend(value.text.size(), "a normalizer of characters");
    }

    // Lower case shrinks the Kelvin sign most: from three bytes to one.
    std::optional<int> mostShrinking() const override
    {
        return m_map == &appendLowerCase ? std::optional(3) : std::nullopt;
    }

private:
    Map m_map;
};

void stripAccent(std::string& text, char32_t c)
{
    if (!isAccent(c))
        appendUtf8(text, c);
}

// The clean-up rules of SentencePiece's "nmt" models.
void cleanForTranslation(std::string& text, char32_t c)
{
    const bool removed = (c >= 0x1 && c <= 0x8) || c == 0xb || (c >= 0xe && c <= 0x1f) || c == 0x7f
        || c == 0x8f || c == 0x9f;
    if (removed)
        return;
    const bool space = c == 0x9 || c == 0xa || c == 0xc || c == 0xd || c == 0x1680
        || (c >= 0x200b && c <= 0x200f) || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xfeff
        || c == 0xfffd;
    appendUtf8(text, space ? U' ' : c);
}

class Prepend final : public Normalizer {
public:
    explicit Prepend(std::string prefix)
        : m_prefix(std::move(prefix))
    {
    }
    Status normalize(NormalizedText& value) const override
    {
        constexpr const char* kName = "the normalizer Prepend";
        if (value.text.empty())
            return {};
        if (!value.budget->allows(value.text.size() + m_prefix.size()))
            return value.budget->tooLong(kName);
        value.text.insert(0, m_prefix);
        return value.budget->spend(value.text.size(), kName);
    }

    std::optional<int> mostShrinking() const override { return 1; }

private:
    std::string m_prefix;
};

class Replace final : public Normalizer {
public:
    Replace(Pattern pattern, std::string content)
        : m_pattern(std::move(pattern))
        , m_content(std::move(content))
    {
    }
    Status normalize(NormalizedText& value) const override
    {
        std::vector<Span> spans;
        if (Status status = PatternSearch(m_pattern).findSpans(value.text, spans); !status)
            return status;
        constexpr const char* kName = "the normalizer Replace";
        std::string result;
        result.reserve(value.text.size());
        for (const Span& span : spans) {
            const std::size_t more = span.isMatch ? m_content.size() : span.end - span.begin;
            if (!value.budget->allows(result.size() + more))
                return value.budget->tooLong(kName);
            if (span.isMatch)
                result += m_content;
            else
                result.append(value.text, span.begin, span.end - span.begin);
            if (result.empty() && span.end != 0)
                value.keepsFirst = false;
        }
        value.text = std::move(result);
        return value.budget->spend(value.text.size(), kName);
    }

    std::optional<int> mostShrinking() const override
    {
        const bool grows = m_pattern.isLiteral() && m_content.size() >= m_pattern.literal().size();
        return grows ? std::optional(1) : std::nullopt;
    }

private:
    Pattern m_pattern;
    std::string m_content;
};

class Strip final : public Normalizer {
public:
    Strip(bool left, bool right)
        : m_left(left)
        , m_right(right)
    {
    }
    Status normalize(NormalizedText& value) const override
    {
        std::string_view text = value.text;
        while (m_left && !text.empty() && isWhiteSpace(firstCodePoint(text).value))
            text.remove_prefix(firstCodePoint(text).length);
        if (text.size() != value.text.size())
            value.keepsFirst = false;
        while (m_right && !text.empty() && isWhiteSpace(lastCodePoint(text).value))
            text.remove_suffix(lastCodePoint(text).length);
        value.text = std::string(text);
        return value.budget->spend(value.text.size(), "the normalizer Strip");
    }
    std::optional<int> mostShrinking() const override { return 1; } // drops blanks only

private:
    bool m_left;
    bool m_right;
};

class ByteLevelText final : public Normalizer {
public:
    Status normalize(NormalizedText& value) const override
    {
        std::string result;
        result.reserve(value.text.size() * 2);
        appendByteLevel(result, value.text);
        value.text = std::move(result);
        return value.budget->spend(value.text.size(), "the normalizer ByteLevel");
    }
    std::optional<int> mostShrinking() const override { return 1; }
};

class Precompiled final : public Normalizer {
public:
    explicit Precompiled(Charsmap map)
        : m_map(std::move(map))
    {
    }
    Status normalize(NormalizedText& value) const override
    {
        constexpr const char* kName = "the normalizer Precompiled";
        auto mapped = m_map.apply(value.text, *value.budget);
        if (!mapped)
            return value.budget->tooLong(kName);
        value.text = *std::move(mapped);
        return value.budget->spend(value.text.size(), kName);
    }

private:
    Charsmap m_map;
};

class NormalizerSequence final : public Normalizer {
public:
    explicit NormalizerSequence(std::vector<std::unique_ptr<Normalizer>> parts)
        : m_parts(std::move(parts))
    {
    }
    Status normalize(NormalizedText& value) const override
    {
        for (const auto& part : m_parts) {
            if (Status status = part->normalize(value); !status)
                return status;
        }
        return {};
    }

    std::optional<int> mostShrinking() const override
    {
        constexpr int kUseless = 64;
        int all = 1;
        for (const auto& part : m_parts) {
            const auto one = part->mostShrinking();
            if (!one || all > kUseless)
                return std::nullopt;
            all *= *one;
        }
        return all;
    }

private:
    std::vector<std::unique_ptr<Normalizer>> m_parts;
};

void cleanForBert(std::string& text, char32_t c)
{
    const bool isTab = c == U'\t' || c == U'\n' || c == U'\r';
    if (c == 0 || c == 0xfffd || (!isTab && isControlOfBert(c)))
        return;
    appendUtf8(text, isTab || isWhiteSpace(c) ? U' ' : c);
}

void setApartChinese(std::string& text, char32_t c)
{
    // The ranges of the reference library, including its gap.
    const bool chinese = (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf)
        || (c >= 0x20000 && c <= 0x2a6df) || (c >= 0x2a700 && c <= 0x2b73f)
        || (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf)
        || (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
    if (chinese)
        text += ' ';
    appendUtf8(text, c);
    if (chinese)
        text += ' ';
}

void stripSpacelessMark(std::string& text, char32_t c)
{
    if (!isAccentOfBert(c))
        appendUtf8(text, c);
}

std::unique_ptr<Normalizer> readBert(const json::Value& json)
{
    const bool lowercase = json.boolean("lowercase", true);
    std::vector<std::unique_ptr<Normalizer>> parts;
    if (json.boolean("clean_text", true))
        parts.push_back(std::make_unique<PerCharacter>(&cleanForBert));
    if (json.boolean("handle_chinese_chars", true))
        parts.push_back(std::make_unique<PerCharacter>(&setApartChinese));
    if (json.boolean("strip_accents", lowercase)) {
        parts.push_back(std::make_unique<Form>(NormalForm::D));
        parts.push_back(std::make_unique<PerCharacter>(&stripSpacelessMark));
    }
    if (lowercase)
        parts.push_back(std::make_unique<PerCharacter>(&appendLowerCase));
    return std::make_unique<NormalizerSequence>(std::move(parts));
}

std::unique_ptr<Normalizer> readNormalizers(const json::Value& json, int depth)
{
    if (depth >= kMaximalNesting)
        json.fail("is nested too deeply");
    const json::Value list = json.at("normalizers");
    list.requireArray();
    std::vector<std::unique_ptr<Normalizer>> parts;
    for (std::size_t i = 0; i < list.size(); ++i)
        parts.push_back(readNormalizer(list.at(i), depth + 1));
    return std::make_unique<NormalizerSequence>(std::move(parts));
}

} // namespace

std::unique_ptr<Normalizer> readNormalizer(const json::Value& json, int depth)
{
    const std::string type = json.string("type");
    if (type == "Sequence")
        return readNormalizers(json, depth);
    if (type == "NFC")
        return std::make_unique<Form>(NormalForm::C);
    if (type == "NFD")
        return std::make_unique<Form>(NormalForm::D);
    if (type == "NFKC")
        return std::make_unique<Form>(NormalForm::KC);
    if (type == "NFKD")
        return std::make_unique<Form>(NormalForm::KD);
    if (type == "Lowercase")
        return std::make_unique<PerCharacter>(&appendLowerCase);
    if (type == "StripAccents")
        return std::make_unique<PerCharacter>(&stripAccent);
    if (type == "Nmt")
        return std::make_unique<PerCharacter>(&cleanForTranslation);
    if (type == "Prepend")
        return std::make_unique<Prepend>(json.string("prepend"));
    if (type == "Replace")
        return std::make_unique<Replace>(Pattern(json.at("pattern")), json.string("content"));
    if (type == "Strip") {
        return std::make_unique<Strip>(json.boolean("strip_left", true),
                                       json.boolean("strip_right", true));
    }
    if (type == "ByteLevel")
        return std::make_unique<ByteLevelText>();
    if (type == "Precompiled")
        return std::make_unique<Precompiled>(Charsmap(json.at("precompiled_charsmap")));
    if (type == "BertNormalizer")
        return readBert(json);
    json.unsupported(Message("is the normalizer %1, which is not supported", json::inQuotes(type)));
}

} // namespace ep::text
