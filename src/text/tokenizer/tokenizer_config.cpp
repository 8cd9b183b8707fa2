// SPDX-License-Identifier: GPL-3.0-or-later
#include "tokenizer_impl.h"

#include "ep/json/value.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace ep::text {

namespace {

// Classes of transformers that rebuild the post-processor from their own settings, which override
// those of tokenizer.json for the start and the end of a text.
constexpr std::array<std::string_view, 8> ownPostProcessor{
    "LlamaTokenizer", "LlamaTokenizerFast", "CodeLlamaTokenizer", "CodeLlamaTokenizerFast",
    "GemmaTokenizer", "GemmaTokenizerFast", "CohereTokenizer",    "CohereTokenizerFast"};

std::optional<bool> flag(const nlohmann::json& config, const char* key)
{
    const auto found = config.find(key);
    return found != config.end() && found->is_boolean() ? std::optional(found->get<bool>())
                                                        : std::nullopt;
}

// A special token is a string, or an object with more details.
std::string content(const nlohmann::json& config, const char* key)
{
    const auto found = config.find(key);
    if (found == config.end())
        return {};
    const nlohmann::json& token =
        found->is_object() && found->contains("content") ? (*found)["content"] : *found;
    return token.is_string() ? token.get<std::string>() : std::string();
}

} // namespace

std::optional<TokenId> Tokenizer::Impl::idOf(std::string_view token) const
{
    if (const auto id = added.idOf(token))
        return id;
    return model->vocabulary().idOf(token);
}

void Tokenizer::Impl::applyConfig(const nlohmann::json& config)
{
    if (!config.is_object())
        return;
    const std::string name = content(config, "tokenizer_class");
    const std::optional<bool> addsBos = flag(config, "add_bos_token");
    const std::optional<bool> addsEos = flag(config, "add_eos_token");
    if (std::find(ownPostProcessor.begin(), ownPostProcessor.end(), name) == ownPostProcessor.end()
        || !addsBos)
        return;
    std::optional<TokenId> before;
    std::optional<TokenId> after;
    if (*addsBos)
        before = idOf(content(config, "bos_token"));
    if (addsEos.value_or(false))
        after = idOf(content(config, "eos_token"));
    if (before.has_value() == *addsBos && after.has_value() == addsEos.value_or(false))
        postProcessor = PostProcessor(before, after);
}

} // namespace ep::text
