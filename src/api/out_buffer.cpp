// SPDX-License-Identifier: GPL-3.0-or-later
#include "out_buffer.h"

#include <algorithm>
#include <utility>

namespace ep::api {

namespace {

constexpr std::size_t kPieceSize = 16 * 1024; // short pieces are joined up to this size

} // namespace

void OutBuffer::append(std::string_view bytes)
{
    if (bytes.empty())
        return;
    m_size += bytes.size();
    if (!m_pieces.empty() && !m_pieces.back().shared
        && m_pieces.back().own.size() + bytes.size() <= kPieceSize)
        m_pieces.back().own += bytes;
    else
        m_pieces.push_back({.own = std::string(bytes), .shared = nullptr});
}

void OutBuffer::append(Text text)
{
    if (text->empty())
        return;
    m_size += text->size();
    m_pieces.push_back({.own = {}, .shared = std::move(text)});
}

std::size_t OutBuffer::front(std::span<iovec> places) const
{
    const std::size_t count = std::min(places.size(), m_pieces.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& text = m_pieces[i].text();
        const std::size_t begin = i == 0 ? m_begin : 0;
        // writev() only reads the bytes.
        places[i] = {.iov_base = const_cast<char*>(text.data()) + begin,
                     .iov_len = text.size() - begin};
    }
    return count;
}

void OutBuffer::take(std::size_t count)
{
    m_size -= count;
    m_begin += count;
    while (!m_pieces.empty() && m_begin >= m_pieces.front().text().size()) {
        m_begin -= m_pieces.front().text().size();
        m_pieces.pop_front();
    }
}

void OutBuffer::clear()
{
    m_pieces.clear();
    m_begin = 0;
    m_size = 0;
}

} // namespace ep::api
