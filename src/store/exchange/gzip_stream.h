// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <iosfwd>
#include <memory>
#include <streambuf>

struct z_stream_s;

namespace ep::store {

// Whether the rest of the stream begins like a gzip file; consumes nothing.
bool isGzip(std::istream& stream);

// Compresses what is written to it into another stream. Without finish(), the data is incomplete.
class GzipSink : public std::streambuf {
public:
    explicit GzipSink(std::ostream& sink); // must outlive this object
    ~GzipSink() override;
    void finish();

protected:
    int_type overflow(int_type character) override;
    int sync() override;

private:
    bool deflateBuffer(int flush);

    std::ostream& m_sink;
    std::unique_ptr<z_stream_s> m_state;
    std::array<char, 1 << 16> m_buffer{};
};

// Decompresses another stream. Damaged data ends it early.
class GzipSource : public std::streambuf {
public:
    explicit GzipSource(std::istream& source); // must outlive this object
    ~GzipSource() override;

protected:
    int_type underflow() override;

private:
    std::istream& m_source;
    std::unique_ptr<z_stream_s> m_state;
    std::array<char, 1 << 16> m_read{};
    std::array<char, 1 << 16> m_buffer{};
};

} // namespace ep::store
