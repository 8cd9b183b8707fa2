// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/content_coding.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <zlib.h>

namespace ep::attach {

namespace {

constexpr std::size_t kPortion = 64 * 1024;
constexpr int kWithAnyHeader = 32; // lets zlib detect gzip's or zlib's header

// By "deflate", some servers mean bare compressed data without zlib's header (RFC 9110,
// 8.4.1.2).
bool hasZlibHeader(char first)
{
    constexpr unsigned kMethod = 0x0F;
    return (static_cast<unsigned char>(first) & kMethod) == Z_DEFLATED;
}

} // namespace

struct ContentDecoder::Private {
    explicit Private(ContentCoding theCoding)
        : coding(theCoding)
    {
    }
    ~Private()
    {
        if (begun)
            inflateEnd(&state);
    }
    Private(const Private&) = delete;
    Private& operator=(const Private&) = delete;

    Status begin(char first)
    {
        const bool bare = coding == ContentCoding::Deflate && !hasZlibHeader(first);
        begun = inflateInit2(&state, bare ? -MAX_WBITS : MAX_WBITS + kWithAnyHeader) == Z_OK;
        return begun ? Status() : Error{ErrorCode::NoMemory, "cannot be decompressed"};
    }

    ContentCoding coding;
    z_stream state{};
    bool begun = false;
    bool ended = false;
};

Result<ContentCoding> contentCodingOf(const AnswerHead& head)
{
    ContentCoding coding = ContentCoding::Identity;
    for (const std::string_view one : listIn(head.fields, "content-encoding")) {
        if (one.empty() || sameFieldName(one, "identity"))
            continue;
        const bool gzip = sameFieldName(one, "gzip") || sameFieldName(one, "x-gzip");
        if (coding != ContentCoding::Identity || (!gzip && !sameFieldName(one, "deflate")))
            return Error{
                ErrorCode::Unsupported,
                {"is compressed in a way that cannot be read here (%1)", one.substr(0, 40)}};
        coding = gzip ? ContentCoding::Gzip : ContentCoding::Deflate;
    }
    return coding;
}

ContentDecoder::ContentDecoder(ContentCoding coding)
    : d(coding == ContentCoding::Identity ? nullptr : std::make_unique<Private>(coding))
{
}

ContentDecoder::~ContentDecoder() = default;
ContentDecoder::ContentDecoder(ContentDecoder&&) noexcept = default;
ContentDecoder& ContentDecoder::operator=(ContentDecoder&&) noexcept = default;

Status ContentDecoder::decode(std::string_view bytes, const Take& take)
{
    if (!d)
        return bytes.empty() ? Status() : take(bytes);
    if (!bytes.empty() && !d->begun) {
        if (const Status begun = d->begin(bytes.front()); !begun)
            return begun;
    }
    std::array<char, kPortion> portion;
    z_stream& state = d->state;
    while (!bytes.empty()) {
        if (d->ended && (d->coding != ContentCoding::Gzip || inflateReset(&state) != Z_OK))
            return {}; // data after the end is not part of the answer
        d->ended = false;
        const std::size_t most = std::min<std::size_t>(bytes.size(), kPortion);
        state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        state.avail_in = static_cast<uInt>(most);
        int code = Z_OK;
        do {
            state.next_out = reinterpret_cast<Bytef*>(portion.data());
            state.avail_out = static_cast<uInt>(portion.size());
            code = inflate(&state, Z_SYNC_FLUSH);
            if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
                return Error{ErrorCode::InvalidInput, "says that it is compressed, but is not"};
            const std::size_t count = portion.size() - state.avail_out;
            if (count > 0) {
                if (const Status taken = take({portion.data(), count}); !taken)
                    return taken;
            }
        } while (code == Z_OK && state.avail_out == 0);
        d->ended = code == Z_STREAM_END;
        bytes.remove_prefix(most - state.avail_in);
    }
    return {};
}

} // namespace ep::attach
