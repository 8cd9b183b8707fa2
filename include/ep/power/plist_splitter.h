// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ep::power {

// Splits the output of `powermetrics -f plist` into documents, however the bytes arrive.
//
// A document ends at the line `</plist>`, not at the NUL: that is written before the *next*
// document, so that waiting for it would delay every sample by one interval. NULs and white space
// between documents are dropped; other text there (error messages of the tool) is kept as
// message(). A document that never ends (killed in the middle, then appended to) is discarded when
// the next one begins, as is one larger than kMaxDocumentBytes. Not thread-safe.
class PlistSplitter {
public:
    static constexpr std::size_t kMaxDocumentBytes = std::size_t{8} << 20; // usual: up to 0.5 MB
    static constexpr std::size_t kMaxMessageBytes = 4096;

    void append(std::string_view bytes);
    // Call at the end of the bytes. A last document without a newline counts, an incomplete one
    // does not.
    void finish();

    // The next complete document, beginning with its first `<`. Valid until the next append().
    std::optional<std::string_view> next();

    // Text outside of documents so far, at most kMaxMessageBytes.
    const std::string& message() const { return m_message; }
    // Documents that were incomplete or too large. After finish() this includes an incomplete tail.
    int discarded() const { return m_discarded; }

private:
    bool findBegin();
    std::optional<std::string_view> findEnd();
    void keepMessage(std::string_view text);
    std::string_view pending() const { return std::string_view(m_buffer).substr(m_begin); }

    std::string m_buffer;
    std::size_t m_begin = 0; // first byte that was not returned yet
    std::size_t m_scanned =
        0; // end of the range from m_begin that was searched without finding the end of a document
    bool m_inDocument = false;
    bool m_finished = false;
    int m_discarded = 0;
    std::string m_message;
};

} // namespace ep::power
