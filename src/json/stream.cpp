// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/stream.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <cctype>

namespace ep::json {
namespace {

constexpr std::size_t kPortion = 1 << 20;
constexpr std::size_t kDeepestValue = 10'000'000;

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isOfWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.';
}

bool isControl(char c)
{
    return static_cast<unsigned char>(c) < 0x20;
}

} // namespace

Stream::Stream(StreamHandler& handler, Rules rules, std::size_t longestText)
    : m_handler(handler)
    , m_rules(rules)
    , m_longestText(longestText)
{
}

void Stream::read(const ReadBytes& bytes, const CancelToken& cancel)
{
    m_bytes = &bytes;
    m_cancel = &cancel;
    m_buffer.resize(kPortion);
    if (fill())
        readValue();
}

bool Stream::read(std::string_view text)
{
    m_begin = m_at = text.data();
    m_end = m_begin + text.size();
    readValue();
    const bool whole = !m_cut && m_wrongAt < 0;
    return whole && !skipSpace();
}

bool Stream::fill()
{
    m_before += m_end - m_begin;
    const bool goesOn = m_bytes != nullptr && !m_cancel->cancelled();
    const std::size_t got = goesOn ? (*m_bytes)(m_buffer) : 0;
    m_begin = m_at = m_buffer.data();
    m_end = m_at + got;
    m_cut = m_cut || got == 0;
    return got > 0;
}

void Stream::readValue()
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (std::string_view(m_at, static_cast<std::size_t>(m_end - m_at)).starts_with(kByteOrderMark))
        m_at += kByteOrderMark.size();
    while (skipSpace() && step()) { }
}

bool Stream::skipSpace()
{
    while (true) {
        while (m_at != m_end && isSpace(*m_at))
            ++m_at;
        if (m_at != m_end)
            return true;
        if (!fill())
            return false;
    }
}

bool Stream::wrong()
{
    m_wrongAt = position();
    return false;
}

bool Stream::step()
{
    const char c = *m_at;
    switch (m_state) {
    case State::FirstValue:
        return c == ']' ? close(false) : value();
    case State::Next:
        return value();
    case State::FirstKey:
        return c == '}' ? close(true) : readKey();
    case State::Key:
        return readKey();
    case State::AfterValue:
        break;
    }
    if (c == '}' || c == ']')
        return close(c == '}');
    if (c != ',')
        return wrong();
    ++m_at;
    m_state = m_open.back() == '}' ? State::Key : State::Next;
    return true;
}

bool Stream::value()
{
    const char c = *m_at;
    if (c == '{' || c == '[')
        return open(c == '{');
    if (c != '"')
        return readWord();
    const bool wanted = m_handler.wantsText();
    if (!readString(wanted))
        return false;
    if (wanted)
        m_handler.string(m_text);
    m_state = State::AfterValue;
    return !m_open.empty();
}

bool Stream::open(bool object)
{
    if (m_open.size() == kDeepestValue)
        return wrong();
    ++m_at;
    m_open.push_back(object ? '}' : ']');
    m_handler.begin(object);
    m_state = object ? State::FirstKey : State::FirstValue;
    return true;
}

bool Stream::close(bool object)
{
    if (m_open.empty() || m_open.back() != *m_at)
        return wrong();
    ++m_at;
    m_open.pop_back();
    m_handler.end(object);
    m_state = State::AfterValue;
    return !m_open.empty();
}

bool Stream::readKey()
{
    if (*m_at != '"')
        return wrong();
    if (!readString(true) || !skipSpace())
        return false;
    if (*m_at != ':')
        return wrong();
    ++m_at;
    m_handler.key(m_text);
    m_state = State::Next;
    return true;
}

void Stream::put(char c)
{
    if (m_text.size() < m_longestText)
        m_text += c;
}

bool Stream::readString(bool wanted)
{
    const bool strict = m_rules == Rules::Strict;
    m_text.clear();
    m_half = 0;
    ++m_at;
    while (true) {
        const char* from = m_at;
        while (m_at != m_end && *m_at != '"' && *m_at != '\\' && !(strict && isControl(*m_at)))
            ++m_at;
        if (wanted && m_text.size() < m_longestText)
            m_text.append(from,
                          std::min<std::size_t>(static_cast<std::size_t>(m_at - from),
                                                m_longestText - m_text.size()));
        if (m_at == m_end) {
            if (!fill())
                return false;
        } else if (strict && isControl(*m_at)) {
            return wrong();
        } else if (*m_at++ == '"') {
            return true;
        } else if (!readEscape(wanted)) {
            return false;
        }
    }
}

bool Stream::readEscape(bool wanted)
{
    constexpr std::string_view kFrom = "\"\\/bfnrt";
    constexpr std::string_view kTo = "\"\\/\b\f\n\r\t";
    if (m_at == m_end && !fill())
        return false;
    const std::size_t which = kFrom.find(*m_at);
    if (which == std::string_view::npos && *m_at != 'u') {
        put('\\');
        return m_rules == Rules::Lenient || wrong();
    }
    ++m_at;
    if (which != std::string_view::npos) {
        if (wanted)
            put(kTo[which]);
        return true;
    }
    char32_t unit = 0;
    if (!readHex(unit)) {
        put('\\');
        put('u');
        return !m_cut && (m_rules == Rules::Lenient || wrong());
    }
    if (!wanted)
        return true;
    // The two halves of a pair follow each other; a half alone is not a character.
    constexpr char32_t kHigh = 0xD800;
    constexpr char32_t kLow = 0xDC00;
    constexpr char32_t kEnd = 0xE000;
    constexpr char32_t kPairs = 0x10000;
    constexpr char32_t kNone = 0xFFFD;
    constexpr std::size_t kNoneBytes = 3;
    const bool pair = unit >= kLow && unit < kEnd && m_half != 0 && m_halfEnd == m_text.size();
    if (pair) {
        m_text.resize(m_text.size() - kNoneBytes);
        unit = kPairs + ((m_half - kHigh) << 10U) + (unit - kLow);
    }
    m_half = unit >= kHigh && unit < kLow ? unit : 0;
    const bool half = unit >= kHigh && unit < kEnd;
    constexpr std::size_t kLongestCharacter = 4;
    if (m_text.size() + kLongestCharacter <= m_longestText)
        appendUtf8(m_text, half ? kNone : unit);
    m_halfEnd = m_text.size();
    return true;
}

bool Stream::readHex(char32_t& unit)
{
    for (int i = 0; i < 4; ++i) {
        if (m_at == m_end && !fill())
            return false;
        const char c = *m_at;
        if (std::isxdigit(static_cast<unsigned char>(c)) == 0)
            return false;
        unit = unit * 16 + static_cast<unsigned>(isDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
        ++m_at;
    }
    return true;
}

// A number, true, false or null.
bool Stream::readWord()
{
    const std::int64_t begin = position();
    m_text.clear();
    while (true) {
        while (m_at != m_end && isOfWord(*m_at))
            put(*m_at++);
        if (m_at != m_end)
            break;
        if (!fill()) {
            if (!m_open.empty())
                return false; // the word may have been cut
            break;
        }
    }
    if (m_text.size() == m_longestText)
        m_text = "NaN"; // the text may be longer, so its value is unknown
    const bool literal = m_text == "true" || m_text == "false" || m_text == "null";
    const bool number = !m_text.empty()
        && (m_text[0] == '-' || isDigit(m_text[0]) || m_text == "NaN" || m_text == "Infinity"
            || m_text == "nan" || m_text == "inf");
    if (!literal && !number) {
        m_wrongAt = begin;
        return false;
    }
    if (number)
        m_handler.number(m_text);
    else
        m_handler.literal(m_text);
    m_state = State::AfterValue;
    return !m_open.empty();
}

} // namespace ep::json
