// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/content_coding.h"

#include "packed_codecs.h"

#include "ep/attach/limits.h"

#include <algorithm>
#include <array>

namespace ep::attach {

namespace {

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
    std::unique_ptr<Codec> codec{}; // once the first byte is there
    std::size_t packed = 0; // bytes so far, compressed
    std::size_t plain = 0; // and decompressed
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
