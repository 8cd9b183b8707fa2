// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/content_coding.h"

#include <memory>
#include <string_view>

// The codings of Content-Encoding, one decoder each. zlib is linked; brotli and zstd, which Qt's
// network library needs as well, are opened when they are first needed.
namespace ep::attach {

// Decodes one body, however it is cut.
class Codec {
public:
    virtual ~Codec() = default;
    virtual Status decode(std::string_view bytes, const ContentDecoder::Take& take) = 0;
    virtual std::size_t heldBytes() const = 0;
};

// Null if the coding's library is not on this machine; `first` is the body's first byte.
std::unique_ptr<Codec> makeCodec(ContentCoding coding, char first);

} // namespace ep::attach
