// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoder_stages.h"

#include <array>
#include <optional>

namespace ep::text {

namespace {

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
class WordSuffixStage final : public WholeTokenStage {
public:
    WordSuffixStage(DecoderStage* next, const std::string& suffix)
        : WholeTokenStage(next)
        , m_suffix(&suffix)
    {
    }
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
        return replacedAll(std::move(text), *m_suffix, by);
    }

    const std::string* m_suffix;
    std::optional<std::string> m_last;
};

struct WordPieceSettings {
    std::string prefix; // prefix of pieces that continue a word
    bool cleanup = true;
};

// Pieces that do not continue a word begin with a space, except the first one.
class WordPieceStage final : public WholeTokenStage {
public:
    WordPieceStage(DecoderStage* next, const WordPieceSettings& settings)
        : WholeTokenStage(next)
        , m_settings(&settings)
    {
    }

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
    const WordPieceSettings* m_settings;
    bool m_isFirst = true;
};

struct CtcSettings {
    std::string padding;
    std::string delimiter; // between words
    bool cleanup = true;
};

// Collapses runs of equal tokens.
class CtcStage final : public WholeTokenStage {
public:
    CtcStage(DecoderStage* next, const CtcSettings& settings)
        : WholeTokenStage(next)
        , m_settings(&settings)
    {
    }

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
    const CtcSettings* m_settings;
    std::optional<std::string> m_last;
};

} // namespace

std::unique_ptr<DecoderStep> readWordDecoderStep(const std::string& type, const json::Value& json)
{
    if (type == "BPEDecoder") {
        return std::make_unique<StepWith<WordSuffixStage, std::string>>(
            json.string("suffix", "</w>"));
    }
    if (type == "WordPiece") {
        return std::make_unique<StepWith<WordPieceStage, WordPieceSettings>>(
            WordPieceSettings{json.string("prefix", "##"), json.boolean("cleanup", true)});
    }
    if (type == "CTC") {
        return std::make_unique<StepWith<CtcStage, CtcSettings>>(
            CtcSettings{json.string("pad_token", "<pad>"), json.string("word_delimiter_token", "|"),
                        json.boolean("cleanup", true)});
    }
    return nullptr;
}

} // namespace ep::text
