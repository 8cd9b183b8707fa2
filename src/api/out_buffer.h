// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <sys/uio.h>

namespace ep::api {

// Bytes that wait until a connection takes them, in pieces, so that memory shrinks with them: a
// single growing string would keep as much memory as ever waited. A text that goes to many
// connections is stored once for all of them.
class OutBuffer {
public:
    using Text = std::shared_ptr<const std::string>;

    void append(std::string_view bytes); // copies the bytes
    void append(Text text);

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    // Points `places` to the first pieces; returns how many.
    std::size_t front(std::span<iovec> places) const;
    void take(std::size_t count); // removes bytes from the front
    void clear();

private:
    struct Piece {
        std::string own; // unless the piece is shared
        Text shared;

        const std::string& text() const { return shared ? *shared : own; }
    };
    std::deque<Piece> m_pieces; // never contains an empty piece
    std::size_t m_begin = 0; // where the rest of the first piece begins
    std::size_t m_size = 0;
};

} // namespace ep::api
