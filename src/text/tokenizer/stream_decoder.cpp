// SPDX-License-Identifier: GPL-3.0-or-later
#include "tokenizer_impl.h"

#include "ep/text/tokenizer.h"

#include <utility>

namespace ep::text {

struct StreamDecoder::Impl {
    std::shared_ptr<const Tokenizer> tokenizer;
    bool skipSpecialTokens = true;
    DecodingRun run;
};

StreamDecoder::StreamDecoder(std::shared_ptr<const Tokenizer> tokenizer, bool skipSpecialTokens)
{
    DecodingRun run(tokenizer->m_impl->decoder);
    m_impl = std::make_unique<Impl>(Impl{std::move(tokenizer), skipSpecialTokens, std::move(run)});
}

StreamDecoder::~StreamDecoder() = default;
StreamDecoder::StreamDecoder(StreamDecoder&&) noexcept = default;
StreamDecoder& StreamDecoder::operator=(StreamDecoder&&) noexcept = default;

std::string StreamDecoder::push(TokenId id)
{
    const Tokenizer::Impl& parts = *m_impl->tokenizer->m_impl;
    if (const auto token = parts.tokenToDecode(id, m_impl->skipSpecialTokens))
        m_impl->run.push(*token);
    return m_impl->run.takeText();
}

std::string StreamDecoder::flush()
{
    m_impl->run.finish();
    std::string text = m_impl->run.takeText();
    m_impl->run = DecodingRun(m_impl->tokenizer->m_impl->decoder);
    return text;
}

} // namespace ep::text
