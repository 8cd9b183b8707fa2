// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/gzip_stream.h"

#include <istream>
#include <ostream>
#include <zlib.h>

namespace ep::store {

namespace {

constexpr int kWithGzipHeader = 16; // added to the size of the window
constexpr int kLevel = 6; // out of nine

template <typename Buffer>
void giveOutput(z_stream& state, Buffer& buffer)
{
    state.next_out = reinterpret_cast<Bytef*>(buffer.data());
    state.avail_out = static_cast<uInt>(buffer.size());
}

} // namespace

bool isGzip(std::istream& stream)
{
    constexpr int kFirstByte = 0x1f; // no JSON begins with this byte
    return stream.peek() == kFirstByte;
}

GzipSink::GzipSink(std::ostream& sink)
    : m_sink(sink)
    , m_state(std::make_unique<z_stream>())
{
    constexpr int kMemoryLevel = 8;
    if (deflateInit2(m_state.get(), kLevel, Z_DEFLATED, MAX_WBITS + kWithGzipHeader, kMemoryLevel,
                     Z_DEFAULT_STRATEGY)
        != Z_OK)
        m_sink.setstate(std::ios::failbit);
    setp(m_buffer.data(), m_buffer.data() + m_buffer.size());
}

GzipSink::~GzipSink()
{
    deflateEnd(m_state.get());
}

GzipSink::int_type GzipSink::overflow(int_type character)
{
    if (!deflateBuffer(Z_NO_FLUSH))
        return traits_type::eof();
    if (!traits_type::eq_int_type(character, traits_type::eof()))
        sputc(traits_type::to_char_type(character));
    return traits_type::not_eof(character);
}

int GzipSink::sync()
{
    return deflateBuffer(Z_NO_FLUSH) ? 0 : -1;
}

void GzipSink::finish()
{
    deflateBuffer(Z_FINISH);
}

bool GzipSink::deflateBuffer(int flush)
{
    m_state->next_in = reinterpret_cast<Bytef*>(pbase());
    m_state->avail_in = static_cast<uInt>(pptr() - pbase());
    std::array<char, 1 << 16> packed;
    do {
        giveOutput(*m_state, packed);
        if (deflate(m_state.get(), flush) == Z_STREAM_ERROR)
            m_sink.setstate(std::ios::failbit);
        m_sink.write(packed.data(),
                     static_cast<std::streamsize>(packed.size() - m_state->avail_out));
    } while (m_sink && m_state->avail_out == 0);
    setp(m_buffer.data(), m_buffer.data() + m_buffer.size());
    return !m_sink.fail();
}

GzipSource::GzipSource(std::istream& source)
    : m_source(source)
    , m_state(std::make_unique<z_stream>())
{
    if (inflateInit2(m_state.get(), MAX_WBITS + kWithGzipHeader) != Z_OK)
        m_source.setstate(std::ios::failbit);
}

GzipSource::~GzipSource()
{
    inflateEnd(m_state.get());
}

GzipSource::int_type GzipSource::underflow()
{
    giveOutput(*m_state, m_buffer);
    while (m_state->avail_out == m_buffer.size()) {
        if (m_state->avail_in == 0) {
            m_source.read(m_read.data(), static_cast<std::streamsize>(m_read.size()));
            m_state->next_in = reinterpret_cast<Bytef*>(m_read.data());
            m_state->avail_in = static_cast<uInt>(m_source.gcount());
        }
        if (m_state->avail_in == 0 || inflate(m_state.get(), Z_NO_FLUSH) != Z_OK)
            break;
    }
    const auto size = m_buffer.size() - m_state->avail_out;
    setg(m_buffer.data(), m_buffer.data(), m_buffer.data() + size);
    return size > 0 ? traits_type::to_int_type(m_buffer.front()) : traits_type::eof();
}

} // namespace ep::store
