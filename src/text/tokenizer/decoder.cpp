// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoder.h"

#include "byte_level.h"
#include "metaspace.h"
#include "pattern.h"
#include "pieces.h"
#include "unicode.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ep::text {
namespace {

// Base class for decoders that need whole tokens.
class WholeTokenStage : public DecoderStage {
public:
    using DecoderStage::DecoderStage;
    void text(std::string_view fragment) override { m_token += fragment; }
    void endToken() override { token(std::exchange(m_token, {})); }

protected:
    virtual void token(std::string text) = 0;
    void pass(std::string_view text)
    {
        next().text(text);
        next().endToken();
    }

private:
    std::string m_token;
};

// A stage with settings, which must outlive it.
template <typename Base, typename Values>
class StageWith : public Base {
public:
    using Settings = Values;
    StageWith(DecoderStage* next, const Settings& settings)
        : Base(next)
        , m_settings(&settings)
    {
    }

protected:
    const Settings* m_settings;
};

// A step whose stage needs its settings.
template <typename Stage>
class StepWith final : public DecoderStep {
public:
    explicit StepWith(typename Stage::Settings settings)
        : m_settings(std::move(settings))
    {
    }
    std::unique_ptr<DecoderStage> makeStage(DecoderStage* next) const override
    {
        return std::make_unique<Stage>(next, m_settings);
    }

private:
    typename Stage::Settings m_settings;
};

template <typename Stage>
class Step final : public DecoderStep {
public:
    std::unique_ptr<DecoderStage> makeStage(DecoderStage* next) const override
    {
        return std::make_unique<Stage>(next);
    }
};

constexpr std::string_view replacementCharacter = "\xef\xbf\xbd";

class FuseStage final : public DecoderStage {
public:
    using DecoderStage::DecoderStage;
    void text(std::string_view fragment) override { next().text(fragment); }
    void endToken() override { }
    void finish() override
    {
        next().endToken();
        next().finish();
    }
};

// The number of trailing bytes that may be the beginning of a character.
std::size_t incompleteTail(std::string_view bytes)
{
    for (std::size_t length = 1; length <= 3 && length <= bytes.size(); ++length) {
        const auto byteAt = [&](std::size_t i) {
            return static_cast<unsigned char>(bytes[bytes.size() - length + i]);
        };
        const unsigned char lead = byteAt(0);
        if ((lead & 0xc0U) == 0x80U)
            continue;
        const std::size_t whole = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
        if (lead > 0xf4 || length >= whole)
            return 0;
        if (length == 1)
            return length;
        const unsigned char second = byteAt(1);
        const bool possible = (lead != 0xe0 || second >= 0xa0) && (lead != 0xed || second <= 0x9f)
            && (lead != 0xf0 || second >= 0x90) && (lead != 0xf4 || second <= 0x8f);
        return possible ? length : 0;
    }
    return 0;
}

// All tokens are converted to their bytes, which are decoded as one text.
class ByteLevelStage final : public WholeTokenStage {
public:
    using WholeTokenStage::WholeTokenStage;
    void finish() override
    {
        if (!m_bytes.empty())
            next().text(replaceInvalidUtf8(m_bytes));
        m_bytes.clear();
        next().endToken();
        next().finish();
    }

protected:
    void token(std::string text) override
    {
        // A token with other characters (an added one) is kept unchanged.
        m_bytes += fromByteLevel(text).value_or(text);
        const std::size_t certain = m_bytes.size() - incompleteTail(m_bytes);
        if (certain == 0)
            return;
        next().text(replaceInvalidUtf8(std::string_view(m_bytes).substr(0, certain)));
        m_bytes.erase(0, certain);
    }

private:
    std::string m_bytes;
};

// A run of tokens such as <0xE2> becomes one token: the text of their bytes, or the same number of
// replacement characters if they are not valid. This is only known at the end of the run.
class ByteFallbackStage final : public WholeTokenStage {
public:
    using WholeTokenStage::WholeTokenStage;
    void finish() override
    {
        passBytes();
        next().finish();
    }

protected:
    void token(std::string text) override
    {
        if (const std::optional<char> byte = byteOf(text)) {
            m_bytes.push_back(*byte);
            return;
        }
        passBytes();
        pass(text);
    }

private:
    static std::optional<char> byteOf(std::string_view token)
    {
        if (token.size() != 6 || token.substr(0, 3) != "<0x" || token[5] != '>')
            return std::nullopt;
        int byte = 0;
        for (const char c : token.substr(3, 2)) {
            if (c >= '0' && c <= '9')
                byte = byte * 16 + (c - '0');
            else if (c >= 'a' && c <= 'f')
                byte = byte * 16 + (c - 'a' + 10);
            else if (c >= 'A' && c <= 'F')
                byte = byte * 16 + (c - 'A' + 10);
            else
                return std::nullopt;
        }
        return static_cast<char>(byte);
    }

    void passBytes()
    {
        const std::string bytes = std::exchange(m_bytes, {});
        if (bytes.empty())
            return;
        if (isValidUtf8(bytes)) {
            pass(bytes);
            return;
        }
        for (std::size_t i = 0; i < bytes.size(); ++i)
            pass(replacementCharacter);
    }

    std::string m_bytes;
};

class MetaspaceStage final : public StageWith<DecoderStage, Metaspace> {
public:
    using StageWith::StageWith;
    void text(std::string_view fragment) override
    {
        const std::string& replacement = m_settings->replacement;
        const bool drops = m_isFirst && m_settings->prefix != Metaspace::Prefix::Never;
        std::string result;
        std::size_t at = 0;
        for (;;) {
            const std::size_t found = fragment.find(replacement, at);
            result += fragment.substr(at, found == std::string_view::npos ? found : found - at);
            if (found == std::string_view::npos)
                break;
            if (!drops)
                result += ' ';
            at = found + replacement.size();
        }
        next().text(result);
    }
    void endToken() override
    {
        m_isFirst = false;
        next().endToken();
    }

private:
    bool m_isFirst = true;
};

struct StripSettings {
    std::string content; // one character
    std::size_t start = 0; // maximum number to strip at the start
    std::size_t stop = 0;
};

class StripStage final : public StageWith<DecoderStage, StripSettings> {
public:
    using StageWith::StageWith;
    void text(std::string_view fragment) override
    {
        std::string result;
        for (std::size_t at = 0; at < fragment.size();) {
            const std::string_view c =
                fragment.substr(at, firstCodePoint(fragment.substr(at)).length);
            at += c.size();
            if (c != m_settings->content) {
                m_atStart = false;
                release(m_held, result);
                result += c;
            } else if (m_atStart && m_cut < m_settings->start) {
                ++m_cut;
            } else {
                m_atStart = false;
                ++m_held;
                release(m_held - std::min(m_held, m_settings->stop), result);
            }
        }
        next().text(result);
    }
    void endToken() override
    {
        m_atStart = true;
        m_cut = 0;
        m_held = 0;
        next().endToken();
    }

private:
    void release(std::size_t count, std::string& result)
    {
        for (std::size_t i = 0; i < count; ++i)
            result += m_settings->content;
        m_held -= count;
    }

    bool m_atStart = true;
    std::size_t m_cut = 0;
    std::size_t m_held = 0; // number of characters held back at the end, perhaps to be stripped
};

struct ReplaceSettings {
    Pattern pattern;
    std::string content;
};

class ReplaceStage final : public StageWith<DecoderStage, ReplaceSettings> {
public:
    using StageWith::StageWith;
    void text(std::string_view fragment) override
    {
        m_pending += fragment;
        if (m_settings->pattern.isLiteral())
            passLiteral(false);
    }
    void endToken() override
    {
        if (m_settings->pattern.isLiteral())
            passLiteral(true);
        else
            passExpression();
        m_pending.clear();
        next().endToken();
    }

private:
    // Passes on text that later text cannot make part of a match.
    void passLiteral(bool all)
    {
        const std::string& literal = m_settings->pattern.literal();
        const std::string_view pending = m_pending;
        std::string result;
        std::size_t at = 0;
        for (std::size_t found = pending.find(literal); found != std::string_view::npos;
             found = pending.find(literal, at)) {
            result += pending.substr(at, found - at);
            result += m_settings->content;
            at = found + literal.size();
        }
        const std::size_t end =
            all ? pending.size() : pending.size() - beginOfMatch(pending.substr(at));
        result += pending.substr(at, end - at);
        m_pending.erase(0, end);
        next().text(result);
    }

    // The length of the longest suffix of the text that can begin a match.
    std::size_t beginOfMatch(std::string_view text) const
    {
        const std::string_view literal = m_settings->pattern.literal();
        std::size_t length = std::min(text.size(), literal.size() - 1);
        while (text.substr(text.size() - length) != literal.substr(0, length))
            --length;
        return length;
    }

    void passExpression()
    {
        std::vector<Span> spans;
        // Decoding cannot fail: text for which the pattern fails is left unchanged.
        if (!PatternSearch(m_settings->pattern).findSpans(m_pending, spans))
            spans.assign(1, {0, m_pending.size(), false});
        std::string result;
        for (const Span& span : spans) {
            if (span.isMatch)
                result += m_settings->content;
            else
                result.append(m_pending, span.begin, span.end - span.begin);
        }
        next().text(result);
    }

    std::string m_pending;
};

StripSettings readStrip(const json::Value& json)
{
    constexpr std::int64_t highest = 1'000'000;
    return {json.at("content").asCharacter(),
            static_cast<std::size_t>(json.at("start").asInteger(0, highest)),
            static_cast<std::size_t>(json.at("stop").asInteger(0, highest))};
}

std::string replacedAll(std::string text, std::string_view what, std::string_view by)
{
    if (what.empty())
        return text;
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

// Removes the spaces that word tokens put before punctuation, and joins contractions, in the order
// of the reference library.
std::string cleanedUp(std::string text)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> changes{
        {{" .", "."},
         {" ?", "?"},
         {" !", "!"},
         {" ,", ","},
         {" ' ", "'"},
         {" n't", "n't"},
         {" 'm", "'m"},
         {" do not", " don't"},
         {" 's", "'s"},
         {" 've", "'ve"},
         {" 're", "'re"}}};
    for (const auto& [what, by] : changes)
        text = replacedAll(std::move(text), what, by);
    return text;
}

// A suffix marks the ends of words; it becomes a space, except in the last token.
class WordSuffixStage final : public StageWith<WholeTokenStage, std::string> {
public:
    using StageWith::StageWith;
    void finish() override
    {
        if (m_last)
            pass(replaced(*m_last, ""));
        next().finish();
    }

protected:
    void token(std::string text) override
    {
        if (m_last)
            pass(replaced(*m_last, " "));
        m_last = std::move(text);
    }

private:
    std::string replaced(std::string text, std::string_view by) const
    {
        return replacedAll(std::move(text), *m_settings, by);
    }

    std::optional<std::string> m_last;
};

struct WordPieceSettings {
    std::string prefix; // prefix of pieces that continue a word
    bool cleanup = true;
};

// Pieces that do not continue a word begin with a space, except the first one.
class WordPieceStage final : public StageWith<WholeTokenStage, WordPieceSettings> {
public:
    using StageWith::StageWith;

protected:
    void token(std::string text) override
    {
        if (!std::exchange(m_isFirst, false)) {
            if (text.starts_with(m_settings->prefix))
                text.erase(0, m_settings->prefix.size());
            else
                text.insert(0, " ");
        }
        pass(m_settings->cleanup ? cleanedUp(std::move(text)) : text);
    }

private:
    bool m_isFirst = true;
};

struct CtcSettings {
    std::string padding;
    std::string delimiter; // between words
    bool cleanup = true;
};

// Collapses runs of equal tokens.
class CtcStage final : public StageWith<WholeTokenStage, CtcSettings> {
public:
    using StageWith::StageWith;

protected:
    void token(std::string text) override
    {
        if (m_last == text)
            return;
        m_last = text;
        text = replacedAll(std::move(text), m_settings->padding, "");
        if (m_settings->cleanup)
            text = replacedAll(cleanedUp(std::move(text)), m_settings->delimiter, " ");
        if (!text.empty())
            pass(text);
    }

private:
    std::optional<std::string> m_last;
};

// The decoders of word-based vocabularies: WordPiece, BPEDecoder, CTC. Null for other types.
std::unique_ptr<DecoderStep> readWordDecoderStep(const std::string& type, const json::Value& json)
{
    if (type == "BPEDecoder") {
        return std::make_unique<StepWith<WordSuffixStage>>(json.string("suffix", "</w>"));
    }
    if (type == "WordPiece") {
        return std::make_unique<StepWith<WordPieceStage>>(
            WordPieceSettings{json.string("prefix", "##"), json.boolean("cleanup", true)});
    }
    if (type == "CTC") {
        return std::make_unique<StepWith<CtcStage>>(
            CtcSettings{json.string("pad_token", "<pad>"), json.string("word_delimiter_token", "|"),
                        json.boolean("cleanup", true)});
    }
    return nullptr;
}

} // namespace

// Collects the tokens that reach the end of the chain.
class DecodingRun::Output final : public DecoderStage {
public:
    explicit Output(bool spaceBetween)
        : DecoderStage(nullptr)
        , m_spaceBetween(spaceBetween)
    {
    }
    void text(std::string_view fragment) override { m_text += fragment; }
    void endToken() override { }
    void finish() override { }

    void beginToken()
    {
        if (m_spaceBetween && m_any)
            m_text += ' ';
        m_any = true;
    }
    std::string take() { return std::exchange(m_text, {}); }

private:
    bool m_spaceBetween;
    bool m_any = false;
    std::string m_text;
};

TextDecoder::TextDecoder(const json::Value& json)
    : m_isNone(false)
{
    read(json, 0);
}

void TextDecoder::read(const json::Value& json, int depth)
{
    if (json.string("type") != "Sequence") {
        checkGrowth(json);
        m_steps.push_back(readDecoderStep(json));
        return;
    }
    if (depth >= kMaximalNesting)
        json.fail("is nested too deeply");
    const json::Value list = json.at("decoders");
    list.requireArray();
    for (std::size_t i = 0; i < list.size(); ++i)
        read(list.at(i), depth + 1);
}

// Decoding cannot fail, so a file that would multiply texts without limit is refused here.
void TextDecoder::checkGrowth(const json::Value& step)
{
    constexpr std::size_t kMax = 1024;
    if (step.string("type") != "Replace")
        return;
    const auto literal = step.at("pattern").find("String");
    const std::size_t least = literal ? std::max<std::size_t>(1, literal->asString().size()) : 1;
    m_growth *= std::max<std::size_t>(1, step.string("content").size() / least);
    if (m_growth > kMax)
        step.fail("makes a text more than 1024 times as long");
}

DecodingRun::DecodingRun(const TextDecoder& decoder)
    : m_output(std::make_unique<Output>(decoder.isNone()))
    , m_first(m_output.get())
{
    for (auto step = decoder.steps().rbegin(); step != decoder.steps().rend(); ++step) {
        m_stages.push_back((*step)->makeStage(m_first));
        m_first = m_stages.back().get();
    }
}

DecodingRun::~DecodingRun() = default;
DecodingRun::DecodingRun(DecodingRun&&) noexcept = default;
DecodingRun& DecodingRun::operator=(DecodingRun&&) noexcept = default;

void DecodingRun::push(std::string_view token)
{
    m_output->beginToken();
    m_first->text(token);
    m_first->endToken();
}

void DecodingRun::finish()
{
    m_first->finish();
}

std::string DecodingRun::takeText()
{
    return m_output->take();
}

std::unique_ptr<DecoderStep> readDecoderStep(const json::Value& json)
{
    const std::string type = json.string("type");
    if (type == "ByteLevel")
        return std::make_unique<Step<ByteLevelStage>>();
    if (type == "ByteFallback")
        return std::make_unique<Step<ByteFallbackStage>>();
    if (type == "Fuse")
        return std::make_unique<Step<FuseStage>>();
    if (type == "Metaspace")
        return std::make_unique<StepWith<MetaspaceStage>>(readMetaspace(json));
    if (type == "Strip")
        return std::make_unique<StepWith<StripStage>>(readStrip(json));
    if (type == "Replace") {
        return std::make_unique<StepWith<ReplaceStage>>(
            ReplaceSettings{Pattern(json.at("pattern")), json.string("content")});
    }
    if (auto step = readWordDecoderStep(type, json))
        return step;
    json.unsupported(Message("is the decoder %1, which is not supported", json::inQuotes(type)));
}

} // namespace ep::text
