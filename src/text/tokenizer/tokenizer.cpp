// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/text/tokenizer.h"

#include "tokenizer_impl.h"

#include "ep/core/utf8.h"

#include <unordered_map>
#include <utility>

namespace ep::text {

namespace {

constexpr std::size_t longestRememberedWord = 64;
constexpr std::size_t rememberedWords = 1U << 16U;

struct IdRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

} // namespace

std::optional<std::string_view> Tokenizer::Impl::tokenOf(TokenId id) const
{
    if (const std::string* token = added.tokenOf(id))
        return *token;
    if (model->vocabulary().hasId(id))
        return model->vocabulary().tokenOf(id);
    return std::nullopt;
}

std::optional<std::string_view> Tokenizer::Impl::tokenToDecode(TokenId id,
                                                               bool skipSpecialTokens) const
{
    std::optional<std::string_view> token = tokenOf(id);
    if (const std::string* addedToken = added.decodedTokenOf(id))
        token = *addedToken;
    if (token && skipSpecialTokens && added.isSpecial(*token))
        return std::nullopt;
    return token;
}

// Words repeat, so the ids of words seen before in this text are copied.
Status Tokenizer::Impl::encodeWords(const Pieces& pieces, std::vector<TokenId>& ids) const
{
    std::unordered_map<std::string_view, IdRange> seen;
    const std::unique_ptr<TokenModel::Workspace> workspace = model->makeWorkspace();
    for (const Piece& piece : pieces.list) {
        if (piece.token != noToken) {
            ids.push_back(piece.token);
            continue;
        }
        if (piece.text.empty())
            continue;
        const bool remember = piece.text.size() <= longestRememberedWord;
        if (remember) {
            if (const auto found = seen.find(piece.text); found != seen.end()) {
                for (std::size_t i = found->second.begin; i < found->second.end; ++i)
                    ids.push_back(ids[i]);
                continue;
            }
        }
        const std::size_t begin = ids.size();
        if (Status status = model->tokenize(piece.text, *workspace, ids); !status)
            return status;
        if (remember && seen.size() < rememberedWords)
            seen.emplace(piece.text, IdRange{begin, ids.size()});
    }
    return {};
}

Tokenizer::Tokenizer(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

Tokenizer::~Tokenizer() = default;

Result<std::vector<TokenId>> Tokenizer::tryEncode(std::string_view text,
                                                  bool addSpecialTokens) const
{
    std::string repaired;
    if (!isValidUtf8(text)) {
        repaired = replaceInvalidUtf8(text);
        text = repaired;
    }
    Pieces pieces(text);
    if (Status status = m_impl->added.extract(pieces, m_impl->normalizer.get()); !status)
        return status.error();
    if (m_impl->preTokenizer) {
        if (Status status = m_impl->preTokenizer->apply(pieces); !status)
            return status.error();
    }
    std::vector<TokenId> ids;
    if (Status status = m_impl->encodeWords(pieces, ids); !status)
        return status.error();
    return m_impl->postProcessor.process(std::move(ids), addSpecialTokens);
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, bool addSpecialTokens) const
{
    Result<std::vector<TokenId>> ids = tryEncode(text, addSpecialTokens);
    return ids ? *std::move(ids) : std::vector<TokenId>();
}

std::string Tokenizer::decode(std::span<const TokenId> ids, bool skipSpecialTokens) const
{
    DecodingRun run(m_impl->decoder);
    for (const TokenId id : ids) {
        if (const auto token = m_impl->tokenToDecode(id, skipSpecialTokens))
            run.push(*token);
    }
    run.finish();
    return run.takeText();
}

std::size_t Tokenizer::vocabularySize() const
{
    const Vocabulary& vocabulary = m_impl->model->vocabulary();
    return vocabulary.size() + m_impl->added.countBeside(vocabulary);
}

std::string Tokenizer::tokenString(TokenId id) const
{
    return std::string(m_impl->tokenOf(id).value_or(std::string_view()));
}

bool Tokenizer::isSpecial(TokenId id) const
{
    const auto token = m_impl->tokenOf(id);
    return token && m_impl->added.isSpecial(*token);
}

} // namespace ep::text
