// SPDX-License-Identifier: GPL-3.0-or-later
#include "post_processor.h"

#include "nesting.h"
#include "vocabulary.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace ep::text {

namespace {

TokenId readId(const json::Value& json)
{
    return static_cast<TokenId>(json.asInteger(0, highestTokenId));
}

std::vector<TokenId> readSpecialToken(const json::Value& piece, const json::Value& tokens)
{
    const json::Value name = piece.at("id");
    const auto token = tokens.find(name.asString().c_str());
    if (!token)
        name.fail(
            Message("is %1, which special_tokens does not have", json::inQuotes(name.asString())));
    const json::Value list = token->at("ids");
    list.requireArray();
    std::vector<TokenId> ids;
    for (std::size_t i = 0; i < list.size(); ++i)
        ids.push_back(readId(list.at(i)));
    return ids;
}

} // namespace

PostProcessor::PostProcessor(const json::Value& json)
{
    read(json, 0);
}

PostProcessor::PostProcessor(std::optional<TokenId> before, std::optional<TokenId> after)
{
    Template& parts = m_templates.emplace_back();
    if (before)
        parts.push_back({std::vector<TokenId>{*before}});
    parts.push_back({std::nullopt});
    if (after)
        parts.push_back({std::vector<TokenId>{*after}});
}

void PostProcessor::read(const json::Value& json, int depth)
{
    const std::string type = json.string("type");
    if (type == "ByteLevel")
        return; // only changes offsets, which we do not have
    if (type == "TemplateProcessing") {
        m_templates.push_back(readTemplate(json));
    } else if (type == "RobertaProcessing" || type == "BertProcessing") {
        m_templates.push_back(readClassifier(json));
    } else if (type == "Sequence") {
        if (depth >= kMaximalNesting)
            json.fail("is nested too deeply");
        const json::Value list = json.at("processors");
        list.requireArray();
        for (std::size_t i = 0; i < list.size(); ++i)
            read(list.at(i), depth + 1);
    } else {
        json.unsupported(
            Message("is the post-processor %1, which is not supported", json::inQuotes(type)));
    }
}

PostProcessor::Template PostProcessor::readTemplate(const json::Value& json)
{
    const json::Value single = json.at("single");
    single.requireArray();
    Template result;
    bool hasSequence = false;
    for (std::size_t i = 0; i < single.size(); ++i) {
        const json::Value piece = single.at(i);
        if (const auto special = piece.find("SpecialToken")) {
            result.push_back({readSpecialToken(*special, json.at("special_tokens"))});
        } else if (const auto sequence = piece.find("Sequence")) {
            if (sequence->string("id") != "A")
                sequence->fail("must have the id \"A\", since there is no second sequence");
            if (std::exchange(hasSequence, true))
                sequence->fail("repeats the sequence, which may occur once");
            result.push_back({std::nullopt});
        } else {
            piece.fail("must be a SpecialToken or a Sequence");
        }
    }
    return result;
}

// [CLS] sequence [SEP]; both are given as a list of the token and its id.
PostProcessor::Template PostProcessor::readClassifier(const json::Value& json)
{
    const auto idOf = [&](const char* key) {
        const json::Value pair = json.at(key);
        if (!pair.isArray() || pair.size() != 2)
            pair.fail("must be a list of a token and its id");
        return std::vector<TokenId>{readId(pair.at(1))};
    };
    return {{idOf("cls")}, {std::nullopt}, {idOf("sep")}};
}

std::vector<TokenId> PostProcessor::process(std::vector<TokenId> ids, bool addSpecialTokens) const
{
    for (const Template& parts : m_templates) {
        std::vector<TokenId> result;
        result.reserve(ids.size() + parts.size());
        for (const Part& part : parts) {
            if (!part.tokens)
                result.insert(result.end(), ids.begin(), ids.end());
            else if (addSpecialTokens)
                result.insert(result.end(), part.tokens->begin(), part.tokens->end());
        }
        ids = std::move(result);
    }
    return ids;
}

} // namespace ep::text
