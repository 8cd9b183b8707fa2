// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/format.h"
#include "ep/core/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ep::text {

// How much the parts of a tokenizer may make of one text, in memory and in work: a file from
// anywhere must not multiply a prompt without limit. Real tokenizers at most triple a text in a
// handful of passes.
class TextBudget {
public:
    explicit TextBudget(std::size_t input)
        : m_memory(kMemory + kGrowth * input)
        , m_work(kWork + kPasses * input)
    {
    }

    // Whether a text may become so long, in addition to those that were kept.
    bool allows(std::size_t bytes) const { return bytes <= m_memory; }
    // For a text that a part has made. part: what it is called in the file.
    Status spend(std::size_t bytes, const std::string& part)
    {
        if (!allows(bytes))
            return tooLong(part);
        if (bytes > m_work) {
            return Error{ErrorCode::InvalidInput,
                         "The tokenizer needs too much work for this text, in " + part
                             + ": check that its tokenizer.json is the original one."};
        }
        m_work -= bytes;
        return {};
    }
    // For a text that stays until the end.
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
                "The tokenizer makes the text longer than "
                    + formatBytes(static_cast<std::int64_t>(m_memory)) + ", in " + part
                    + ": check that its tokenizer.json is the original one."};
    }

private:
    static constexpr std::size_t kMemory = std::size_t{16} << 20; // as the text of a template
    static constexpr std::size_t kGrowth = 32;
    static constexpr std::size_t kWork = std::size_t{512} << 20;
    static constexpr std::size_t kPasses = 64;

    std::size_t m_memory; // bytes
    std::size_t m_work; // bytes that are written
};

} // namespace ep::text
