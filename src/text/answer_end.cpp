// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/text/answer_end.h"

#include "tokenizer/regular_expression.h"

#include "ep/core/utf8.h"
#include "ep/json/document.h"

#include <algorithm>
#include <utility>

namespace ep::text {
namespace {

// Finds a sequence of at least 20 tokens that occurs three times in a row. A shorter loop counts as
// a sequence of as many rounds as fill 20 tokens. O(longest period) per token.
class RepetitionScan {
public:
    // Index of the token at which the loop begins its second round, once it is certain.
    std::optional<std::size_t> push(TokenId id)
    {
        constexpr std::size_t kBlock = 20;
        constexpr std::size_t kTimes = 3;
        constexpr std::size_t kLongestPeriod = 2048;
        m_ids.push_back(id);
        const std::size_t last = m_ids.size() - 1;
        if (m_equal.size() < kLongestPeriod)
            m_equal.push_back(0);
        std::optional<std::size_t> onset;
        for (std::size_t period = 1; period <= m_equal.size() && period <= last; ++period) {
            std::size_t& equal = m_equal[period - 1];
            equal = m_ids[last - period] == id ? equal + 1 : 0;
            const std::size_t block = (kBlock + period - 1) / period * period;
            if (!onset && equal + period >= kTimes * block)
                onset = last + 1 - equal;
        }
        return onset;
    }

private:
    std::vector<TokenId> m_ids;
    std::vector<std::size_t> m_equal; // tokens at the end that equal those one period earlier
};

// Finds the end of the first fenced code block (CommonMark 0.31, 4.5) in a growing text. A line
// counts once it is complete, because what follows a fence decides whether it closes the block.
class FenceScan {
public:
    // Position after the closing fence's last mark.
    std::optional<std::size_t> closedAt(std::string_view text)
    {
        std::size_t end = 0;
        while (!m_closed && (end = text.find('\n', m_line)) != std::string_view::npos) {
            readLine(text.substr(m_line, end - m_line));
            m_line = end + 1;
        }
        return m_closed;
    }

private:
    void readLine(std::string_view line)
    {
        constexpr std::size_t kMaxIndent = 3;
        constexpr std::size_t kMinMarks = 3;
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == std::string_view::npos || begin > kMaxIndent)
            return;
        const char mark = line[begin];
        if (mark != '`' && mark != '~')
            return;
        const std::size_t end = std::min(line.find_first_not_of(mark, begin), line.size());
        const std::size_t marks = end - begin;
        const std::string_view rest = line.substr(end);
        if (m_marks == 0) {
            const bool inlineCode = mark == '`' && rest.find('`') != std::string_view::npos;
            if (marks >= kMinMarks && !inlineCode) {
                m_marks = marks;
                m_mark = mark;
            }
        } else if (mark == m_mark && marks >= m_marks
                   && rest.find_first_not_of(" \t\r") == std::string_view::npos) {
            m_closed = m_line + end;
        }
    }

    std::size_t m_line = 0; // start of the first incomplete line
    std::size_t m_marks = 0; // number of marks in the opening fence; 0: none yet
    char m_mark = '`';
    std::optional<std::size_t> m_closed;
};

constexpr std::string_view kRegexPrefix = "regex:";
constexpr std::size_t kLongestSearch =
    65536; // a pattern is searched for in this many bytes at the end of a text

bool isBlank(std::string_view text)
{
    return trimmed(text).empty();
}

// Finds how many bytes of a text are the answer; called again whenever the text has grown.
class TextRule {
public:
    virtual ~TextRule() = default;
    virtual Result<std::optional<std::size_t>> end(const std::string& text) = 0;
};

class FenceRule final : public TextRule {
public:
    Result<std::optional<std::size_t>> end(const std::string& text) override
    {
        return m_scan.closedAt(text);
    }

private:
    FenceScan m_scan;
};

class JsonRule final : public TextRule {
public:
    Result<std::optional<std::size_t>> end(const std::string& text) override
    {
        if (!m_begun && !begin(text))
            return std::optional<std::size_t>();
        if (!m_value && !scan(text))
            return std::optional<std::size_t>();
        if (!m_fenced)
            return m_value;
        // The end of the code block belongs to the answer if it follows directly.
        const std::size_t next = text.find_first_not_of(" \t\r\n", *m_value);
        if (next == std::string::npos)
            return std::optional<std::size_t>();
        if (const auto closed = m_fence.closedAt(text))
            return closed;
        const bool fence = text[next] == text[m_fenceAt];
        return fence ? std::optional<std::size_t>() : m_value;
    }

private:
    // Skips blanks and the first line of a code block.
    bool begin(const std::string& text)
    {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first == std::string::npos || m_other)
            return false;
        std::size_t at = first;
        if (text[first] == '`' || text[first] == '~') {
            const std::size_t line = text.find('\n', first);
            if (line == std::string::npos)
                return false;
            at = text.find_first_not_of(" \t\r\n", line);
            if (at == std::string::npos)
                return false;
            m_fenced = true;
            m_fenceAt = first;
        }
        m_other = text[at] != '{' && text[at] != '[';
        m_begun = !m_other;
        m_start = m_at = at;
        return m_begun;
    }

    // Reads up to the bracket that closes the first one; true once it is found.
    bool scan(const std::string& text)
    {
        for (; m_at < text.size() && !m_other; ++m_at) {
            const char c = text[m_at];
            if (m_string) {
                m_string = c != '"' || m_escaped;
                m_escaped = c == '\\' && !m_escaped;
                continue;
            }
            m_string = c == '"';
            m_depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            if (m_depth == 0) {
                const std::string_view value =
                    std::string_view(text).substr(m_start, m_at + 1 - m_start);
                m_other = !json::Json::accept(value.begin(), value.end());
                if (!m_other)
                    m_value = m_at + 1;
                return m_value.has_value();
            }
        }
        return false;
    }

    FenceScan m_fence;
    bool m_begun = false;
    bool m_other = false; // the text is not JSON
    bool m_fenced = false;
    bool m_string = false;
    bool m_escaped = false;
    int m_depth = 0;
    std::size_t m_fenceAt = 0;
    std::size_t m_start = 0;
    std::size_t m_at = 0;
    std::optional<std::size_t> m_value; // end of the value
};

class RegexRule final : public TextRule {
public:
    explicit RegexRule(const Regex& regex)
        : m_search(regex)
    {
    }
    Result<std::optional<std::size_t>> end(const std::string& text) override
    {
        std::size_t from = text.size() > kLongestSearch ? text.size() - kLongestSearch : 0;
        while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U)
            ++from;
        if (const Status found = m_search.findSpans(
                replaceInvalidUtf8(std::string_view(text).substr(from)), m_spans);
            !found)
            return found.error();
        for (const Span& span : m_spans) {
            // A match at the end of the text may still grow or vanish: "\\bend\\b" in "ends".
            const std::size_t end = from + span.end;
            if (span.isMatch && span.end > span.begin && end < text.size())
                return std::optional(end);
        }
        return std::optional<std::size_t>();
    }

private:
    RegexSearch m_search;
    std::vector<Span> m_spans;
};

Result<std::unique_ptr<TextRule>> makeTextRule(const AnswerRule& rule)
{
    switch (rule.kind) {
    case AnswerRule::Kind::Fence:
        return std::unique_ptr<TextRule>(std::make_unique<FenceRule>());
    case AnswerRule::Kind::Json:
        return std::unique_ptr<TextRule>(std::make_unique<JsonRule>());
    case AnswerRule::Kind::Repetition:
        break;
    case AnswerRule::Kind::Regex: {
        const auto regex = Regex::compile(rule.pattern);
        if (!regex)
            return regex.error();
        return std::unique_ptr<TextRule>(std::make_unique<RegexRule>(*regex));
    }
    }
    return std::unique_ptr<TextRule>();
}

} // namespace

struct AnswerEnd::Impl {
    std::unique_ptr<TextRule> rule; // null: the rule is repetition
    RepetitionScan repetition;
    std::string text;
    std::vector<std::size_t> ends; // end of each token in the text
    std::optional<std::size_t> next{}; // first token after the answer
    bool more = false; // whether a later token has text
};

AnswerEnd::AnswerEnd(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}
AnswerEnd::~AnswerEnd() = default;
AnswerEnd::AnswerEnd(AnswerEnd&&) noexcept = default;
AnswerEnd& AnswerEnd::operator=(AnswerEnd&&) noexcept = default;

Result<AnswerEnd> AnswerEnd::watch(const AnswerRule& rule)
{
    auto made = makeTextRule(rule);
    if (!made)
        return made.error();
    auto impl = std::make_unique<Impl>();
    impl->rule = std::move(*made);
    return AnswerEnd(std::move(impl));
}

Status AnswerEnd::push(TokenId id, std::string_view text)
{
    Impl& all = *m_impl;
    if (all.next) {
        all.more = all.more || !isBlank(text);
        return {};
    }
    if (!all.rule) {
        all.next = all.repetition.push(id);
        all.more = all.next.has_value(); // tokens were generated again
        return {};
    }
    all.text += text;
    all.ends.push_back(all.text.size());
    if (text.empty())
        return {};
    const auto end = all.rule->end(all.text);
    if (!end)
        return end.error();
    if (!*end)
        return {};
    // The rule may have become certain only with later tokens.
    const auto last = std::lower_bound(all.ends.begin(), all.ends.end(), **end);
    all.next = static_cast<std::size_t>(last - all.ends.begin()) + 1;
    if (last != all.ends.end())
        all.more = !isBlank(std::string_view(all.text).substr(*last));
    return {};
}

bool AnswerEnd::complete() const
{
    return m_impl->next.has_value();
}

std::optional<std::size_t> AnswerEnd::onset() const
{
    return m_impl->more ? m_impl->next : std::nullopt;
}

Result<AnswerRule> parseAnswerRule(const std::string& text)
{
    if (text == "fence")
        return AnswerRule{.kind = AnswerRule::Kind::Fence};
    if (text == "json")
        return AnswerRule{.kind = AnswerRule::Kind::Json};
    if (text == "repetition")
        return AnswerRule{.kind = AnswerRule::Kind::Repetition};
    if (text.starts_with(kRegexPrefix) && text.size() > kRegexPrefix.size()) {
        AnswerRule rule{.kind = AnswerRule::Kind::Regex,
                        .pattern = text.substr(kRegexPrefix.size())};
        const auto compiled = Regex::compile(rule.pattern);
        if (!compiled) {
            return Error{ErrorCode::InvalidInput,
                         {"The pattern of the rule '%1' %2.", text, compiled.error().message}};
        }
        return rule;
    }
    return Error{ErrorCode::InvalidInput,
                 {"There is no rule '%1' for the end of an answer; use fence, json, repetition or "
                  "regex:PATTERN.",
                  text}};
}

Status checkStopRules(const std::vector<std::string>& stops)
{
    for (const std::string& stop : stops) {
        if (!stop.starts_with(kStopRulePrefix))
            continue;
        if (const auto rule = parseAnswerRule(stop.substr(kStopRulePrefix.size())); !rule)
            return rule.error();
    }
    return {};
}

std::string ruleText(const AnswerRule& rule)
{
    switch (rule.kind) {
    case AnswerRule::Kind::Fence:
        return "fence";
    case AnswerRule::Kind::Json:
        return "json";
    case AnswerRule::Kind::Repetition:
        return "repetition";
    case AnswerRule::Kind::Regex:
        break;
    }
    return std::string(kRegexPrefix) + rule.pattern;
}

} // namespace ep::text
