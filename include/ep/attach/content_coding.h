// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/http_answer.h"
#include "ep/core/result.h"

#include <functional>
#include <memory>
#include <string_view>

// The compression of an answer's body (Content-Encoding). Pure.
namespace ep::attach {

enum class ContentCoding { Identity, Gzip, Deflate };

// An error names the unsupported coding. Its message continues "The server's answer".
Result<ContentCoding> contentCodingOf(const AnswerHead& head);

class ContentDecoder {
public:
    using Take = std::function<Status(std::string_view bytes)>;

    explicit ContentDecoder(ContentCoding coding);
    ~ContentDecoder();
    ContentDecoder(ContentDecoder&&) noexcept;
    ContentDecoder& operator=(ContentDecoder&&) noexcept;

    // Decodes `bytes` and passes the result on, however long, in pieces of at most 64 KB.
    Status decode(std::string_view bytes, const Take& take);

private:
    struct Private;
    std::unique_ptr<Private> d; // null: identity
};

} // namespace ep::attach
