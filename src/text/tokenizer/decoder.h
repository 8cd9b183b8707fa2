// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text {

// One stage of a decoding in progress. Text arrives in fragments (whole characters), each token is
// terminated by endToken(), and finish() follows the last one. A stage passes on text that can no
// longer change, so that the same code decodes complete texts and streams.
class DecoderStage {
public:
    explicit DecoderStage(DecoderStage* next)
        : m_next(next)
    {
    }
    virtual ~DecoderStage() = default;
    DecoderStage(const DecoderStage&) = delete;
    DecoderStage& operator=(const DecoderStage&) = delete;

    virtual void text(std::string_view fragment) = 0;
    virtual void endToken() { next().endToken(); }
    virtual void finish() { next().finish(); }

protected:
    DecoderStage& next() const { return *m_next; }

private:
    DecoderStage* m_next;
};

// The settings of a stage. Immutable; must outlive the stages it creates.
class DecoderStep {
public:
    virtual ~DecoderStep() = default;
    virtual std::unique_ptr<DecoderStage> makeStage(DecoderStage* next) const = 0;
};

// The decoder of a document, with sequences flattened.
class TextDecoder {
public:
    TextDecoder() = default; // none: tokens are joined with spaces
    explicit TextDecoder(const json::Value& json); // throws json::ReadError

    const std::vector<std::unique_ptr<DecoderStep>>& steps() const { return m_steps; }
    bool isNone() const { return m_isNone; }

private:
    void read(const json::Value& json, int depth);
    void checkGrowth(const json::Value& step);

    std::size_t m_growth = 1; // maximum growth by all steps so far
    std::vector<std::unique_ptr<DecoderStep>> m_steps;
    bool m_isNone = true;
};

// Decodes one sequence of tokens. The decoder must outlive it.
class DecodingRun {
public:
    explicit DecodingRun(const TextDecoder& decoder);
    ~DecodingRun();
    DecodingRun(DecodingRun&&) noexcept;
    DecodingRun& operator=(DecodingRun&&) noexcept;

    void push(std::string_view token);
    void finish();
    std::string takeText(); // text that has become final since the last call

private:
    class Output;
    std::unique_ptr<Output> m_output;
    std::vector<std::unique_ptr<DecoderStage>> m_stages; // the last one is first in the chain
    DecoderStage* m_first;
};

// Throws json::ReadError.
std::unique_ptr<DecoderStep> readDecoderStep(const json::Value& json);

} // namespace ep::text
