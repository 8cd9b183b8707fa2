// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/plist_splitter.h"

#include <algorithm>
#include <array>

namespace ep::power {

namespace {
constexpr std::string_view kEndTag = "</plist>";
constexpr std::string_view kDeclaration = "<?xml";
constexpr std::array<std::string_view, 3> kFirstTags = {kDeclaration, "<!DOCTYPE", "<plist"};

bool isFiller(char c)
{
    return c == '\0' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Only the text after an end tag tells whether it is one, since process names may contain it.
enum class After { EndsDocument, NeedMore, Ordinary };
After classify(std::string_view rest, bool finished, std::size_t& length)
{
    std::size_t i = 0;
    while (i < rest.size() && (rest[i] == ' ' || rest[i] == '\t' || rest[i] == '\r'))
        ++i;
    length = i;
    rest.remove_prefix(i);
    if (rest.empty())
        return finished ? After::EndsDocument : After::NeedMore;
    if (rest.front() == '\n' || rest.front() == '\0') {
        length = i + (rest.front() == '\n' ? 1 : 0);
        return After::EndsDocument;
    }
    const auto common = std::min(rest.size(), kDeclaration.size());
    if (rest.substr(0, common) != kDeclaration.substr(0, common))
        return After::Ordinary;
    return common == kDeclaration.size() ? After::EndsDocument
        : finished                       ? After::Ordinary
                                         : After::NeedMore;
}
} // namespace

void PlistSplitter::append(std::string_view bytes)
{
    // Compacts before growing, so that the buffer never holds more than a document and a chunk.
    m_buffer.erase(0, m_begin);
    m_begin = 0;
    m_buffer.append(bytes);
}

void PlistSplitter::finish()
{
    m_finished = true;
}

std::optional<std::string_view> PlistSplitter::next()
{
    while (m_inDocument || findBegin()) {
        if (const auto document = findEnd())
            return document;
        if (m_inDocument) // neither ended nor discarded: more bytes are needed
            return std::nullopt;
    }
    return std::nullopt;
}

bool PlistSplitter::findBegin()
{
    const auto text = pending();
    std::size_t at = 0;
    while (true) {
        at = text.find('<', at);
        if (at == std::string_view::npos) {
            keepMessage(text);
            m_begin = m_buffer.size();
            return false;
        }
        const auto rest = text.substr(at);
        const auto matches = [rest](std::string_view tag) {
            return rest.substr(0, tag.size()) == tag;
        };
        const auto mayMatch = [rest](std::string_view tag) {
            return tag.substr(0, rest.size()) == rest;
        };
        if (std::ranges::any_of(kFirstTags, matches)) {
            keepMessage(text.substr(0, at));
            m_begin += at;
            m_scanned = 0;
            m_inDocument = true;
            return true;
        }
        if (!m_finished && std::ranges::any_of(kFirstTags, mayMatch)) {
            keepMessage(text.substr(0, at));
            m_begin += at;
            return false;
        }
        ++at;
    }
}

std::optional<std::string_view> PlistSplitter::findEnd()
{
    const auto text = pending();
    std::size_t at = m_scanned;
    while ((at = text.find(kEndTag, at)) != std::string_view::npos) {
        const auto after = at + kEndTag.size();
        std::size_t length = 0;
        const auto verdict = classify(text.substr(after), m_finished, length);
        if (verdict == After::EndsDocument) {
            auto document = text.substr(0, after + length);
            m_begin += document.size();
            m_inDocument = false;
            // A declaration in the middle means that the previous document is incomplete.
            if (const auto begin = document.rfind(kDeclaration);
                begin != 0 && begin != document.npos) {
                ++m_discarded;
                document.remove_prefix(begin);
            }
            return document;
        }
        if (verdict == After::NeedMore)
            break;
        at = after;
    }
    m_scanned = at != std::string_view::npos
        ? at
        : std::max(m_scanned, text.size() - std::min(text.size(), kEndTag.size() - 1));
    if (m_finished || text.size() > kMaxDocumentBytes) {
        ++m_discarded;
        m_inDocument = false;
        // The tail of an oversized document may contain the beginning of a valid one.
        const auto begin = text.rfind(kDeclaration);
        const bool restart = !m_finished && begin != 0 && begin != std::string_view::npos;
        m_begin += restart ? begin : text.size();
    }
    return std::nullopt;
}

void PlistSplitter::keepMessage(std::string_view text)
{
    // Byte by byte, because white space inside a line is kept but NULs never are.
    for (const char c : text) {
        if (m_message.size() >= kMaxMessageBytes)
            return;
        const bool leading = m_message.empty() || m_message.back() == '\n';
        if (c != '\0' && !(leading && isFiller(c)))
            m_message.push_back(c);
    }
}

} // namespace ep::power
