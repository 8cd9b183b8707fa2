// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/content_coding.h"

#include "ep/attach/limits.h"
#include "ep/core/shared_library.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <zlib.h>

namespace ep::attach {
namespace {

// The codings of Content-Encoding, one decoder each. zlib is linked; brotli and zstd, which Qt's
// network library needs as well, are opened when they are first needed.

// Decodes one body, however it is cut.
class Codec {
public:
    virtual ~Codec() = default;
    virtual Status decode(std::string_view bytes, const ContentDecoder::Take& take) = 0;
    virtual std::size_t heldBytes() const = 0;
};

constexpr std::size_t kPortion = 64 * 1024;
constexpr int kWithAnyHeader = 32; // lets zlib detect gzip's or zlib's header

Error notPacked()
{
    return {ErrorCode::InvalidInput, "says that it is compressed, but is not"};
}

// By "deflate", some servers mean bare compressed data without zlib's header (RFC 9110,
// 8.4.1.2).
bool hasZlibHeader(char first)
{
    constexpr unsigned kMethod = 0x0F;
    return (static_cast<unsigned char>(first) & kMethod) == Z_DEFLATED;
}

class ZlibCodec : public Codec {
public:
    ZlibCodec(ContentCoding coding, char first)
        : m_gzip(coding == ContentCoding::Gzip)
    {
        const bool bare = !m_gzip && !hasZlibHeader(first);
        m_begun = inflateInit2(&m_state, bare ? -MAX_WBITS : MAX_WBITS + kWithAnyHeader) == Z_OK;
    }
    ~ZlibCodec() override
    {
        if (m_begun)
            inflateEnd(&m_state);
    }
    ZlibCodec(const ZlibCodec&) = delete;
    ZlibCodec& operator=(const ZlibCodec&) = delete;

    Status decode(std::string_view bytes, const ContentDecoder::Take& take) override
    {
        if (!m_begun)
            return Error{ErrorCode::NoMemory, "cannot be decompressed"};
        std::array<char, kPortion> portion;
        while (!bytes.empty()) {
            if (m_ended && (!m_gzip || inflateReset(&m_state) != Z_OK))
                return {}; // data after the end is not part of the body
            const std::size_t most = std::min<std::size_t>(bytes.size(), kPortion);
            m_state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
            m_state.avail_in = static_cast<uInt>(most);
            int code = Z_OK;
            do {
                m_state.next_out = reinterpret_cast<Bytef*>(portion.data());
                m_state.avail_out = static_cast<uInt>(portion.size());
                code = inflate(&m_state, Z_SYNC_FLUSH);
                if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
                    return notPacked();
                const std::size_t count = portion.size() - m_state.avail_out;
                if (count > 0) {
                    if (const Status taken = take({portion.data(), count}); !taken)
                        return taken;
                }
            } while (code == Z_OK && m_state.avail_out == 0);
            m_ended = code == Z_STREAM_END;
            bytes.remove_prefix(most - m_state.avail_in);
        }
        return {};
    }

    std::size_t heldBytes() const override { return kPortion; }

private:
    const bool m_gzip;
    z_stream m_state{};
    bool m_begun = false;
    bool m_ended = false;
};

// The first of the libraries that can be opened.
std::optional<SharedLibrary> opened(std::initializer_list<const char*> paths)
{
    for (const char* path : paths) {
        if (auto library = SharedLibrary::open(path, path, "install it"))
            return *library;
    }
    return std::nullopt;
}

// The part of brotli's decoder that is needed (brotli/decode.h).
struct Brotli {
    SharedLibrary library;
    void* (*create)(void* (*)(void*, std::size_t), void (*)(void*, void*), void*) = nullptr;
    void (*destroy)(void*) = nullptr;
    int (*decompress)(void*, std::size_t*, const std::uint8_t**, std::size_t*, std::uint8_t**,
                      std::size_t*) = nullptr;

    static const Brotli* get()
    {
        static const std::optional<Brotli> brotli = load();
        return brotli ? &*brotli : nullptr;
    }

private:
    static std::optional<Brotli> load()
    {
        auto library = opened({"libbrotlidec.so.1", "@rpath/libbrotlidec.1.dylib",
                               "/opt/homebrew/lib/libbrotlidec.1.dylib",
                               "/usr/local/lib/libbrotlidec.1.dylib"});
        if (!library)
            return std::nullopt;
        Brotli found{.library = *library};
        const bool all = library->load(found.create, "BrotliDecoderCreateInstance")
            && library->load(found.destroy, "BrotliDecoderDestroyInstance")
            && library->load(found.decompress, "BrotliDecoderDecompressStream");
        return all ? std::optional(found) : std::nullopt;
    }
};

class BrotliCodec : public Codec {
public:
    explicit BrotliCodec(const Brotli& brotli)
        : m_brotli(brotli)
        , m_state(brotli.create(&BrotliCodec::allocate, &BrotliCodec::release, &m_held),
                  brotli.destroy)
    {
    }

    Status decode(std::string_view bytes, const ContentDecoder::Take& take) override
    {
        constexpr int kFailed = 0;
        constexpr int kMoreOutput = 3;
        if (!m_state)
            return Error{ErrorCode::NoMemory, "cannot be decompressed"};
        std::array<std::uint8_t, kPortion> portion;
        const auto* in = reinterpret_cast<const std::uint8_t*>(bytes.data());
        std::size_t left = bytes.size();
        int code = kMoreOutput;
        while (!m_ended && (left > 0 || code == kMoreOutput)) {
            std::uint8_t* out = portion.data();
            std::size_t room = portion.size();
            code = m_brotli.decompress(m_state.get(), &left, &in, &room, &out, nullptr);
            if (code == kFailed)
                return notPacked();
            m_ended = code == 1;
            if (const std::size_t count = portion.size() - room; count > 0) {
                const auto* text = reinterpret_cast<const char*>(portion.data());
                if (const Status taken = take({text, count}); !taken)
                    return taken;
            }
        }
        return {};
    }

    std::size_t heldBytes() const override { return m_held; }

private:
    // Stores the size in front of the allocated memory.
    static void* allocate(void* held, std::size_t size)
    {
        auto* place = static_cast<char*>(std::malloc(size + kFront));
        if (place == nullptr)
            return nullptr;
        std::memcpy(place, &size, sizeof size);
        *static_cast<std::size_t*>(held) += size;
        return place + kFront;
    }
    static void release(void* held, void* place)
    {
        if (place == nullptr)
            return;
        char* front = static_cast<char*>(place) - kFront;
        std::size_t size = 0;
        std::memcpy(&size, front, sizeof size);
        *static_cast<std::size_t*>(held) -= size;
        std::free(front);
    }
    static constexpr std::size_t kFront = alignof(std::max_align_t);

    const Brotli& m_brotli;
    std::size_t m_held = 0;
    std::unique_ptr<void, void (*)(void*)> m_state;
    bool m_ended = false;
};

// The part of zstd's decoder that is needed (zstd.h).
struct ZstdIn {
    const void* data;
    std::size_t size;
    std::size_t used;
};
struct ZstdOut {
    void* data;
    std::size_t size;
    std::size_t used;
};
struct Zstd {
    SharedLibrary library;
    void* (*create)() = nullptr;
    std::size_t (*destroy)(void*) = nullptr;
    std::size_t (*setParameter)(void*, int, int) = nullptr;
    std::size_t (*decompress)(void*, ZstdOut*, ZstdIn*) = nullptr;
    unsigned (*isError)(std::size_t) = nullptr;
    std::size_t (*sizeOf)(const void*) = nullptr;

    static const Zstd* get()
    {
        static const std::optional<Zstd> zstd = load();
        return zstd ? &*zstd : nullptr;
    }

private:
    static std::optional<Zstd> load()
    {
        auto library =
            opened({"libzstd.so.1", "@rpath/libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib",
                    "/usr/local/lib/libzstd.1.dylib"});
        if (!library)
            return std::nullopt;
        Zstd found{.library = *library};
        const bool all = library->load(found.create, "ZSTD_createDStream")
            && library->load(found.destroy, "ZSTD_freeDStream")
            && library->load(found.setParameter, "ZSTD_DCtx_setParameter")
            && library->load(found.decompress, "ZSTD_decompressStream")
            && library->load(found.isError, "ZSTD_isError")
            && library->load(found.sizeOf, "ZSTD_sizeof_DStream");
        return all ? std::optional(found) : std::nullopt;
    }
};

class ZstdCodec : public Codec {
public:
    explicit ZstdCodec(const Zstd& zstd)
        : m_zstd(zstd)
        , m_state(zstd.create())
    {
        constexpr int kWindowLogMax = 100; // ZSTD_d_windowLogMax
        constexpr int kEightMegabytes = 23; // RFC 8878, 3.1.1.1.2, as browsers limit it
        if (m_state != nullptr)
            m_zstd.setParameter(m_state, kWindowLogMax, kEightMegabytes);
    }
    ~ZstdCodec() override { m_zstd.destroy(m_state); }
    ZstdCodec(const ZstdCodec&) = delete;
    ZstdCodec& operator=(const ZstdCodec&) = delete;

    Status decode(std::string_view bytes, const ContentDecoder::Take& take) override
    {
        if (m_state == nullptr)
            return Error{ErrorCode::NoMemory, "cannot be decompressed"};
        std::array<char, kPortion> portion;
        ZstdIn in{bytes.data(), bytes.size(), 0};
        bool more = true;
        while (in.used < in.size || more) {
            ZstdOut out{portion.data(), portion.size(), 0};
            const std::size_t code = m_zstd.decompress(m_state, &out, &in);
            if (m_zstd.isError(code) != 0)
                return notPacked();
            if (out.used > 0) {
                if (const Status taken = take({portion.data(), out.used}); !taken)
                    return taken;
            }
            more = out.used == out.size;
        }
        return {};
    }

    std::size_t heldBytes() const override { return m_zstd.sizeOf(m_state); }

private:
    const Zstd& m_zstd;
    void* m_state;
};

// Null if the coding's library is not on this machine; `first` is the body's first byte.
std::unique_ptr<Codec> makeCodec(ContentCoding coding, char first)
{
    switch (coding) {
    case ContentCoding::Identity:
        return nullptr;
    case ContentCoding::Brotli:
        return Brotli::get() == nullptr ? nullptr : std::make_unique<BrotliCodec>(*Brotli::get());
    case ContentCoding::Zstd:
        return Zstd::get() == nullptr ? nullptr : std::make_unique<ZstdCodec>(*Zstd::get());
    case ContentCoding::Gzip:
    case ContentCoding::Deflate:
        break;
    }
    return std::make_unique<ZlibCodec>(coding, first);
}

struct CodingName {
    std::string_view name;
    ContentCoding coding;
};
constexpr std::array<CodingName, 7> kCodings{{{"", ContentCoding::Identity},
                                              {"identity", ContentCoding::Identity},
                                              {"gzip", ContentCoding::Gzip},
                                              {"x-gzip", ContentCoding::Gzip},
                                              {"deflate", ContentCoding::Deflate},
                                              {"br", ContentCoding::Brotli},
                                              {"zstd", ContentCoding::Zstd}}};

} // namespace

struct ContentDecoder::Private {
    ContentCoding coding;
    std::unique_ptr<Codec> codec{}; // created when the first byte has arrived
    std::size_t packed = 0; // bytes so far, compressed
    std::size_t plain = 0; // bytes so far, decompressed
};

Result<ContentCoding> contentCodingOf(const std::vector<HttpField>& fields)
{
    ContentCoding coding = ContentCoding::Identity;
    for (const std::string_view one : listIn(fields, "content-encoding")) {
        const auto* known = std::ranges::find_if(
            kCodings, [&](const CodingName& name) { return sameFieldName(one, name.name); });
        const bool twice = known != kCodings.end() && known->coding != ContentCoding::Identity
            && coding != ContentCoding::Identity;
        if (known == kCodings.end() || twice)
            return Error{
                ErrorCode::Unsupported,
                {"is compressed in a way that cannot be read here (%1)", one.substr(0, 40)}};
        if (known->coding != ContentCoding::Identity)
            coding = known->coding;
    }
    return coding;
}

ContentDecoder::ContentDecoder(ContentCoding coding)
    : d(coding == ContentCoding::Identity ? nullptr : std::make_unique<Private>(Private{coding}))
{
}

ContentDecoder::~ContentDecoder() = default;
ContentDecoder::ContentDecoder(ContentDecoder&&) noexcept = default;
ContentDecoder& ContentDecoder::operator=(ContentDecoder&&) noexcept = default;

std::size_t ContentDecoder::heldBytes() const
{
    return d && d->codec ? d->codec->heldBytes() : 0;
}

Status ContentDecoder::decode(std::string_view bytes, const Take& take)
{
    if (bytes.empty())
        return {};
    if (!d)
        return take(bytes);
    if (!d->codec)
        d->codec = makeCodec(d->coding, bytes.front());
    if (!d->codec)
        return Error{ErrorCode::Unsupported,
                     {"is compressed with %1, whose library is not on this machine",
                      d->coding == ContentCoding::Zstd ? "zstd" : "brotli"}};
    d->packed += bytes.size();
    return d->codec->decode(bytes, [&](std::string_view text) -> Status {
        d->plain += text.size();
        if (d->plain > kFreeExpansion && (d->plain - kFreeExpansion) / kMaxExpansion > d->packed)
            return Error{ErrorCode::Unsupported,
                         {"expands to more than %1 times its size", kMaxExpansion}};
        return take(text);
    });
}

} // namespace ep::attach
