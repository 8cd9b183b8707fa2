// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoder.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace ep::text {

// Base class for decoders that need whole tokens.
class WholeTokenStage : public DecoderStage {
public:
    using DecoderStage::DecoderStage;
    void text(std::string_view fragment) override { m_token += fragment; }
    void endToken() override { token(std::exchange(m_token, {})); }
    void finish() override { next().finish(); }

protected:
    virtual void token(std::string text) = 0;
    void pass(std::string_view text)
    {
        next().text(text);
        next().endToken();
    }

private:
    std::string m_token;
};

// A step whose stage needs its settings.
template <typename Stage, typename Settings>
class StepWith final : public DecoderStep {
public:
    explicit StepWith(Settings settings)
        : m_settings(std::move(settings))
    {
    }
    std::unique_ptr<DecoderStage> makeStage(DecoderStage* next) const override
    {
        return std::make_unique<Stage>(next, m_settings);
    }

private:
    Settings m_settings;
};

template <typename Stage>
class Step final : public DecoderStep {
public:
    std::unique_ptr<DecoderStage> makeStage(DecoderStage* next) const override
    {
        return std::make_unique<Stage>(next);
    }
};

// The decoders of word-based vocabularies: WordPiece, BPEDecoder, CTC. Null for other types.
std::unique_ptr<DecoderStep> readWordDecoderStep(const std::string& type, const json::Value& json);

} // namespace ep::text
