// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/format.h"
#include "ep/core/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ep::text {

// Limits the memory and work that a tokenizer may spend on one text, so that an untrusted file
// cannot multiply a prompt without limit. Real tokenizers at most triple a text in a handful of
// passes.
class TextBudget {
public:
    explicit TextBudget(std::size_t input)
        : m_memory(kMemory + kGrowth * input)
        , m_work(kWork + kPasses * input)
    {
    }

    // Whether a text of this length is allowed, in addition to the texts that were kept.
    bool allows(std::size_t bytes) const { return bytes <= m_memory; }
    // Call this for each text that a part of the tokenizer produces. part: its name in the file.
    Status spend(std::size_t bytes, const std::string& part)
    {
        if (!allows(bytes))
            return tooLong(part);
        if (bytes > m_work) {
            return Error{ErrorCode::InvalidInput,
                         {"The tokenizer needs too much work for this text, in %1: check that its "
                          "tokenizer.json is the original one.",
                          part}};
        }
        m_work -= bytes;
        return {};
    }
    // Call this for a text that is kept until the end.
    Status keep(std::size_t bytes, const std::string& part)
    {
        if (!allows(bytes))
            return tooLong(part);
        m_memory -= bytes;
        return {};
    }
    Error tooLong(const std::string& part) const
    {
        return {ErrorCode::InvalidInput,
                {"The tokenizer makes the text longer than %1, in %2: check that its "
                 "tokenizer.json is the original one.",
                 formatBytes(static_cast<std::int64_t>(m_memory)), part}};
    }

private:
    static constexpr std::size_t kMemory = std::size_t{16} << 20; // like jinja::kMaxTextBytes
    static constexpr std::size_t kGrowth = 32;
    static constexpr std::size_t kWork = std::size_t{512} << 20;
    static constexpr std::size_t kPasses = 64;

    std::size_t m_memory; // bytes left
    std::size_t m_work; // bytes that may still be written
};

} // namespace ep::text
