// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/http_answer.h"
#include "ep/core/result.h"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

// The compression of a body (Content-Encoding). Pure.
namespace ep::attach {

enum class ContentCoding { Identity, Gzip, Deflate, Brotli, Zstd };

// An error names the unsupported coding. Its message continues "The server's answer" or "The
// request".
Result<ContentCoding> contentCodingOf(const std::vector<HttpField>& fields);

class ContentDecoder {
public:
    using Take = std::function<Status(std::string_view bytes)>;

    explicit ContentDecoder(ContentCoding coding);
    ~ContentDecoder();
    ContentDecoder(ContentDecoder&&) noexcept;
    ContentDecoder& operator=(ContentDecoder&&) noexcept;

    // Decodes `bytes` and passes the result on, however long, in pieces of at most 64 KB.
    Status decode(std::string_view bytes, const Take& take);
    std::size_t heldBytes() const; // memory that the decoder needs

private:
    struct Private;
    std::unique_ptr<Private> d; // null: identity
};

} // namespace ep::attach
