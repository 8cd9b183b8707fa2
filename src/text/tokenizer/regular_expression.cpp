// SPDX-License-Identifier: GPL-3.0-or-later
#include "regular_expression.h"

#include "regex_syntax.h"
#include "unicode.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace ep::text {

namespace {

template <auto Function>
struct Free {
    template <typename T>
    void operator()(T* pointer) const
    {
        Function(pointer);
    }
};

using CodePointer = std::unique_ptr<pcre2_code, Free<pcre2_code_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Free<pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Free<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Free<pcre2_match_data_free>>;

constexpr std::size_t maximalPatternLength = 100'000;
constexpr std::uint32_t stepsForAnyText = 1'000'000; // per position where a match may begin
constexpr std::uint32_t stepsForEachByte = 16;
constexpr std::uint32_t maximalHeapKilobytes = 256 * 1024;
constexpr std::size_t placesBetweenClockReadings = 1024;
constexpr std::chrono::seconds maximalTime(20);

std::string messageOf(int code)
{
    std::array<PCRE2_UCHAR, 256> buffer{};
    pcre2_get_error_message(code, buffer.data(), buffer.size());
    return {buffer.begin(), std::find(buffer.begin(), buffer.end(), PCRE2_UCHAR{0})};
}

PCRE2_SPTR toPcre(std::string_view text)
{
    return reinterpret_cast<PCRE2_SPTR>(text.data());
}

} // namespace

struct Regex::Code {
    CodePointer code;
};

Regex::Regex(std::shared_ptr<const Code> code)
    : m_code(std::move(code))
{
}

Result<Regex> Regex::compile(std::string_view pattern)
{
    const Result<std::string> translated = toPcre2Syntax(pattern);
    if (!translated)
        return translated.error();

    const CompileContext context(pcre2_compile_context_create(nullptr));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    pcre2_set_bsr(context.get(), PCRE2_BSR_UNICODE);
    pcre2_set_max_pattern_length(context.get(), maximalPatternLength);
    // No automatic possessification, which wrongly assumes that " +(?:1)?+ {2,}" cannot backtrack.
    constexpr std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_DUPNAMES
        | PCRE2_NO_AUTO_POSSESS | PCRE2_USE_OFFSET_LIMIT | PCRE2_NEVER_BACKSLASH_C;
    int error = 0;
    PCRE2_SIZE place = 0;
    CodePointer code(pcre2_compile(toPcre(*translated), translated->size(), options, &error, &place,
                                   context.get()));
    if (!code)
        return Error{ErrorCode::InvalidInput, {"is not a valid pattern: %1", messageOf(error)}};
    // Without a just-in-time compiler on this platform, the search is only slower.
    pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);

    auto shared = std::make_shared<Code>();
    shared->code = std::move(code);
    return Regex(std::move(shared));
}

struct RegexSearch::Memory {
    MatchData data;
    MatchContext context;
};

RegexSearch::RegexSearch(const Regex& regex)
    : m_code(regex.m_code)
    , m_memory(std::make_unique<Memory>())
    , m_deadline(std::chrono::steady_clock::now() + maximalTime)
{
    m_memory->data.reset(pcre2_match_data_create(1, nullptr));
    m_memory->context.reset(pcre2_match_context_create(nullptr));
    pcre2_set_heap_limit(m_memory->context.get(), maximalHeapKilobytes);
}

RegexSearch::~RegexSearch() = default;
RegexSearch::RegexSearch(RegexSearch&&) noexcept = default;
RegexSearch& RegexSearch::operator=(RegexSearch&&) noexcept = default;

Status RegexSearch::findNext(std::string_view text, std::size_t from, Span& match, bool& found)
{
    found = false;
    for (std::size_t begin = from; begin <= text.size();) {
        std::size_t last = std::min(text.size(), begin + placesBetweenClockReadings);
        pcre2_set_offset_limit(m_memory->context.get(), last);
        int result = pcre2_match(m_code->code.get(), toPcre(text), text.size(), begin,
                                 PCRE2_NO_UTF_CHECK, m_memory->data.get(), m_memory->context.get());
        if (result == PCRE2_ERROR_JIT_STACKLIMIT) {
            result = pcre2_match(m_code->code.get(), toPcre(text), text.size(), begin,
                                 PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, m_memory->data.get(),
                                 m_memory->context.get());
        }
        if (result >= 0) {
            const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(m_memory->data.get());
            match = {std::min<std::size_t>(ends[0], ends[1]), ends[1], true};
            found = true;
            return {};
        }
        if (result != PCRE2_ERROR_NOMATCH)
            return Error{ErrorCode::InvalidInput,
                         {"A pattern of the tokenizer cannot be applied to this text: %1.",
                          messageOf(result)}};
        if (std::chrono::steady_clock::now() > m_deadline)
            return Error{ErrorCode::InvalidInput,
                         "A pattern of the tokenizer takes too long on this text; "
                         "shorten the text or repair the pattern."};
        begin = last + 1;
        while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xc0U) == 0x80U)
            ++begin;
    }
    return {};
}

Status RegexSearch::findSpans(std::string_view text, std::vector<Span>& spans)
{
    spans.clear();
    if (text.empty()) {
        spans.push_back({0, 0, false});
        return {};
    }
    const auto size = static_cast<std::uint32_t>(
        std::min<std::size_t>(text.size(), (UINT32_MAX - stepsForAnyText) / stepsForEachByte));
    pcre2_set_match_limit(m_memory->context.get(), stepsForAnyText + size * stepsForEachByte);

    std::size_t from = 0;
    std::size_t previousEnd = 0;
    bool afterMatch = false;
    while (from <= text.size()) {
        Span match;
        bool found = false;
        if (Status status = findNext(text, from, match, found); !status)
            return status;
        if (!found)
            break;
        // An empty match directly after a match does not count; continue one character further.
        if (match.begin == match.end && afterMatch && match.end == previousEnd) {
            if (from >= text.size())
                break;
            from += firstCodePoint(text.substr(from)).length;
            continue;
        }
        from = match.end;
        if (match.begin > previousEnd)
            spans.push_back({previousEnd, match.begin, false});
        match.begin = std::max(match.begin, previousEnd);
        spans.push_back(match);
        previousEnd = match.end;
        afterMatch = true;
    }
    if (previousEnd != text.size())
        spans.push_back({previousEnd, text.size(), false});
    return {};
}

} // namespace ep::text
