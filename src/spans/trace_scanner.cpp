// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace_scanner.h"

#include <algorithm>
#include <cctype>

namespace ep::spans {

namespace {

constexpr std::size_t kPortion = 1 << 20;
constexpr std::size_t kDeepestValue = 10'000'000;

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

bool isOfWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.';
}

} // namespace

TraceScanner::TraceScanner(const ReadTraceBytes& bytes, const CancelToken& cancel,
                           TraceHandler& handler)
    : m_bytes(bytes)
    , m_cancel(cancel)
    , m_handler(handler)
    , m_buffer(kPortion)
{
}

bool TraceScanner::fill()
{
    m_before += m_at == nullptr ? 0 : m_end - m_buffer.data();
    const std::size_t got = m_cancel.cancelled() ? 0 : m_bytes(m_buffer);
    m_at = m_buffer.data();
    m_end = m_at + got;
    m_cut = m_cut || got == 0;
    return got > 0;
}

void TraceScanner::scan()
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (!fill())
        return;
    if (std::string_view(m_at, static_cast<std::size_t>(m_end - m_at)).starts_with(kByteOrderMark))
        m_at += kByteOrderMark.size();
    while (skipSpace() && step()) { }
}

bool TraceScanner::skipSpace()
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

bool TraceScanner::wrong()
{
    m_wrongAt = position();
    return false;
}

bool TraceScanner::step()
{
    const char c = *m_at;
    switch (m_state) {
    case State::FirstValue:
        return c == ']' ? close(false) : value();
    case State::Value:
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
    m_state = m_open.back() ? State::Key : State::Value;
    return true;
}

bool TraceScanner::value()
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

bool TraceScanner::open(bool object)
{
    if (m_open.size() == kDeepestValue)
        return wrong();
    ++m_at;
    m_open.push_back(object);
    m_handler.begin(object);
    m_state = object ? State::FirstKey : State::FirstValue;
    return true;
}

bool TraceScanner::close(bool object)
{
    if (m_open.empty() || m_open.back() != object)
        return wrong();
    ++m_at;
    m_open.pop_back();
    m_handler.end(object);
    m_state = State::AfterValue;
    return !m_open.empty();
}

bool TraceScanner::readKey()
{
    if (*m_at != '"')
        return wrong();
    if (!readString(true) || !skipSpace())
        return false;
    if (*m_at != ':')
        return wrong();
    ++m_at;
    m_handler.key(m_text);
    m_state = State::Value;
    return true;
}

void TraceScanner::put(char c)
{
    if (m_text.size() < kLongestText)
        m_text += c;
}

void TraceScanner::putCharacter(unsigned code)
{
    constexpr unsigned kOneByte = 0x80;
    constexpr unsigned kTwoBytes = 0x800;
    constexpr unsigned kLow = 0x3F;
    if (code < kOneByte) {
        put(static_cast<char>(code));
    } else if (code < kTwoBytes) {
        put(static_cast<char>(0xC0 | code >> 6));
        put(static_cast<char>(0x80 | (code & kLow)));
    } else { // halves of a pair become invalid UTF-8, which names replace
        put(static_cast<char>(0xE0 | code >> 12));
        put(static_cast<char>(0x80 | (code >> 6 & kLow)));
        put(static_cast<char>(0x80 | (code & kLow)));
    }
}

bool TraceScanner::readString(bool wanted)
{
    m_text.clear();
    ++m_at;
    while (true) {
        const char* from = m_at;
        while (m_at != m_end && *m_at != '"' && *m_at != '\\')
            ++m_at;
        if (wanted && m_text.size() < kLongestText)
            m_text.append(from,
                          std::min<std::size_t>(static_cast<std::size_t>(m_at - from),
                                                kLongestText - m_text.size()));
        if (m_at == m_end) {
            if (!fill())
                return false;
        } else if (*m_at++ == '"') {
            return true;
        } else if (!readEscape(wanted)) {
            return false;
        }
    }
}

bool TraceScanner::readEscape(bool wanted)
{
    constexpr std::string_view kFrom = "\"\\/bfnrt";
    constexpr std::string_view kTo = "\"\\/\b\f\n\r\t";
    if (m_at == m_end && !fill())
        return false;
    const std::size_t which = kFrom.find(*m_at);
    // Paths of Windows are often written as they are: such a backslash stands for itself.
    if (which == std::string_view::npos && *m_at != 'u') {
        put('\\');
        return true;
    }
    ++m_at;
    if (which != std::string_view::npos) {
        if (wanted)
            put(kTo[which]);
        return true;
    }
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
        if (m_at == m_end && !fill())
            return false;
        const char c = *m_at;
        if (std::isxdigit(static_cast<unsigned char>(c)) == 0) {
            put('\\');
            put('u');
            return true;
        }
        code = code * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        ++m_at;
    }
    if (wanted)
        putCharacter(code);
    return true;
}

// A number, true, false or null.
bool TraceScanner::readWord()
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
    if (m_text.size() == kLongestText)
        m_text = "NaN"; // its end is not known, so its value is not either
    const bool literal = m_text == "true" || m_text == "false" || m_text == "null";
    const bool number = !m_text.empty()
        && (m_text[0] == '-' || std::isdigit(static_cast<unsigned char>(m_text[0])) != 0
            || m_text == "NaN" || m_text == "Infinity" || m_text == "nan" || m_text == "inf");
    if (!literal && !number) {
        m_wrongAt = begin;
        return false;
    }
    if (number)
        m_handler.number(m_text);
    m_state = State::AfterValue;
    return !m_open.empty();
}

} // namespace ep::spans
