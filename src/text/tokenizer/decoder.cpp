// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoder.h"

#include "nesting.h"

#include <algorithm>
#include <utility>

namespace ep::text {

namespace {

} // namespace

// Collects the tokens that reach the end of the chain.
class DecodingRun::Output final : public DecoderStage {
public:
    explicit Output(bool spaceBetween)
        : DecoderStage(nullptr)
        , m_spaceBetween(spaceBetween)
    {
    }
    void text(std::string_view fragment) override { m_text += fragment; }
    void endToken() override { }
    void finish() override { }

    void beginToken()
    {
        if (m_spaceBetween && m_any)
            m_text += ' ';
        m_any = true;
    }
    std::string take() { return std::exchange(m_text, {}); }

private:
    bool m_spaceBetween;
    bool m_any = false;
    std::string m_text;
};

TextDecoder::TextDecoder(const json::Value& json)
    : m_isNone(false)
{
    read(json, 0);
}

void TextDecoder::read(const json::Value& json, int depth)
{
    if (json.string("type") != "Sequence") {
        checkGrowth(json);
        m_steps.push_back(readDecoderStep(json));
        return;
    }
    if (depth >= kMaximalNesting)
        json.fail("is nested too deeply");
    const json::Value list = json.at("decoders");
    list.requireArray();
    for (std::size_t i = 0; i < list.size(); ++i)
        read(list.at(i), depth + 1);
}

// Decoding cannot fail, so a file that would multiply texts without limit is refused here.
void TextDecoder::checkGrowth(const json::Value& step)
{
    constexpr std::size_t kMax = 1024;
    if (step.string("type") != "Replace")
        return;
    const auto literal = step.at("pattern").find("String");
    const std::size_t least = literal ? std::max<std::size_t>(1, literal->asString().size()) : 1;
    m_growth *= std::max<std::size_t>(1, step.string("content").size() / least);
    if (m_growth > kMax)
        step.fail("makes a text more than 1024 times as long");
}

DecodingRun::DecodingRun(const TextDecoder& decoder)
    : m_output(std::make_unique<Output>(decoder.isNone()))
    , m_first(m_output.get())
{
    for (auto step = decoder.steps().rbegin(); step != decoder.steps().rend(); ++step) {
        m_stages.push_back((*step)->makeStage(m_first));
        m_first = m_stages.back().get();
    }
}

DecodingRun::~DecodingRun() = default;
DecodingRun::DecodingRun(DecodingRun&&) noexcept = default;
DecodingRun& DecodingRun::operator=(DecodingRun&&) noexcept = default;

void DecodingRun::push(std::string_view token)
{
    m_output->beginToken();
    m_first->text(token);
    m_first->endToken();
}

void DecodingRun::finish()
{
    m_first->finish();
}

std::string DecodingRun::takeText()
{
    return m_output->take();
}

} // namespace ep::text
