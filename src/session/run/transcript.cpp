// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/transcript.h"

#include "run/prompt.h"

#include "ep/core/answer_sections.h"
#include "ep/json/conversation.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ep::session {

namespace {

constexpr std::size_t kPromptEnd = 16; // tokens, longer than any mark

} // namespace

Result<PromptEncoder> PromptEncoder::make(const RunRequest& request)
{
    PromptEncoder encoder;
    const bool hasMessages = !request.conversations.empty();
    if (request.chat == ChatUse::Off && !hasMessages)
        return encoder;
    auto chat = text::ChatTemplate::load(request.load.folder);
    if (chat) {
        encoder.m_chat = std::move(*chat);
        encoder.m_system = cleanPrompt(request.system);
        encoder.m_variables = request.template_variables;
    } else if (hasMessages && chat.error().code == ErrorCode::NotFound) {
        return Error{ErrorCode::NotFound,
                     {"The model in %1 has no chat template, which messages need: give a prompt "
                      "instead, or choose a chat model.",
                      request.load.folder.string()}};
    } else if (request.chat == ChatUse::Always || chat.error().code != ErrorCode::NotFound) {
        return chat.error();
    }
    return encoder;
}

Conversation PromptEncoder::conversationOf(const BatchSequence& sequence) const
{
    const bool promptAlone =
        sequence.conversation.empty() && m_system.empty() && m_variables.empty();
    if (!m_chat || promptAlone)
        return {};
    Conversation all = sequence.conversation.empty()
        ? json::promptConversation(m_system, sequence.prompt)
        : sequence.conversation;
    all.variables = json::mergedVariables(all.variables, m_variables);
    return all;
}

Result<std::vector<text::TokenId>> PromptEncoder::encode(const text::Tokenizer& tokenizer,
                                                         const BatchSequence& sequence) const
{
    if (!m_chat)
        return tokenizer.tryEncode(sequence.prompt);
    const auto text =
        m_chat->render(sequence.conversation.empty() ? json::promptConversation({}, sequence.prompt)
                                                     : sequence.conversation);
    if (!text)
        return text.error();
    // The template has added the special tokens.
    return tokenizer.tryEncode(cleanPrompt(*text), false);
}

StopFilter::StopFilter(std::vector<std::string> stops)
    : m_stops(std::move(stops))
{
    std::erase(m_stops, std::string());
}

std::string StopFilter::push(std::string_view piece)
{
    if (m_stopped)
        return {};
    m_held += piece;
    std::size_t first = std::string::npos; // position of the first stop text
    for (const std::string& stop : m_stops)
        first = std::min(first, m_held.find(stop));
    if (first != std::string::npos) {
        m_stopped = true;
        m_held.resize(first);
        return std::exchange(m_held, {});
    }
    std::size_t held = 0; // longest suffix of the text that begins a stop text
    for (const std::string& stop : m_stops) {
        for (std::size_t length = std::min(stop.size() - 1, m_held.size()); length > held;
             --length) {
            if (m_held.ends_with(std::string_view(stop).substr(0, length)))
                held = length;
        }
    }
    std::string certain = m_held.substr(0, m_held.size() - held);
    m_held.erase(0, certain.size());
    return certain;
}

std::string StopFilter::flush()
{
    return std::exchange(m_held, {});
}

Transcript::Transcript(std::vector<BatchSequence> sequences, std::vector<std::string> stops)
{
    std::vector<text::AnswerRule> rules;
    std::erase_if(stops, [&](const std::string& stop) {
        if (!stop.starts_with(text::kStopRulePrefix))
            return false;
        if (const auto rule = text::parseAnswerRule(stop.substr(text::kStopRulePrefix.size())))
            rules.push_back(*rule);
        return true;
    });
    for (BatchSequence& facts : sequences) {
        Sequence& sequence = m_sequences.emplace_back();
        sequence.facts = std::move(facts);
        sequence.stop = StopFilter(stops);
        for (const text::AnswerRule& rule : rules) {
            if (auto watch = text::AnswerEnd::watch(rule))
                sequence.answers.push_back(std::move(*watch));
        }
    }
}

void Transcript::setEncoder(PromptEncoder encoder)
{
    m_encoder = std::move(encoder);
    for (Sequence& sequence : m_sequences)
        sequence.facts.conversation = m_encoder.conversationOf(sequence.facts);
}

Result<std::vector<std::vector<text::TokenId>>> Transcript::encode(const text::Tokenizer& tokenizer)
{
    std::vector<std::vector<text::TokenId>> ids;
    for (Sequence& sequence : m_sequences) {
        auto encoded = m_encoder.encode(tokenizer, sequence.facts);
        if (!encoded)
            return encoded.error();
        sequence.facts.input_tokens = static_cast<int>(encoded->size());
        if (ids.empty()) {
            const auto last = std::min(encoded->size(), kPromptEnd);
            m_promptEnd.assign(encoded->end() - static_cast<std::ptrdiff_t>(last), encoded->end());
        }
        ids.push_back(std::move(*encoded));
    }
    return ids;
}

Status Transcript::checkContext(const text::Tokenizer& tokenizer, const ModelFacts& model) const
{
    for (const Sequence& sequence : m_sequences) {
        const std::size_t least = tokenizer.leastTokens(sequence.facts.prompt);
        if (const Status fits = checkLeast(least, model); !fits)
            return fits;
    }
    return {};
}

void Transcript::startDecoding(const std::shared_ptr<const text::Tokenizer>& tokenizer)
{
    m_tokenizer = tokenizer;
    if (m_encoder.usesChat() && m_tokenizer)
        m_marks.emplace(m_tokenizer->decode(m_promptEnd, false));
    for (Sequence& sequence : m_sequences)
        sequence.decoder.emplace(tokenizer);
}

std::string Transcript::add(const model::SequenceStep& step)
{
    Sequence& sequence = m_sequences.at(static_cast<std::size_t>(step.sequence));
    ++sequence.facts.output_tokens;
    if (m_marks && step.sequence == 0)
        m_marks->add(m_tokenizer->decode(std::array{step.token}, false));
    sequence.finish = step.finish;
    std::string text = sequence.decoder->push(step.token);
    if (step.finished())
        text += sequence.decoder->flush();
    // A pattern that takes too long is no longer used to end the text.
    std::erase_if(sequence.answers, [&](text::AnswerEnd& answer) {
        return !answer.push(step.token, text).has_value();
    });
    text = sequence.stop.push(text);
    if (stopped(step.sequence))
        sequence.finish = model::FinishReason::Stopped;
    else if (step.finished())
        text += sequence.stop.flush();
    sequence.facts.response += text;
    return text;
}

bool Transcript::stopped(int sequence) const
{
    const Sequence& one = m_sequences.at(static_cast<std::size_t>(sequence));
    return one.stop.stopped()
        || std::any_of(one.answers.begin(), one.answers.end(),
                       [](const text::AnswerEnd& answer) { return answer.complete(); });
}

std::string Transcript::flush()
{
    std::string first;
    for (Sequence& sequence : m_sequences) {
        if (!sequence.decoder || sequence.finish != model::FinishReason::None)
            continue;
        const std::string rest =
            sequence.stop.push(sequence.decoder->flush()) + sequence.stop.flush();
        sequence.facts.response += rest;
        if (&sequence == m_sequences.data())
            first = rest;
    }
    return first;
}

std::vector<text::AnswerPart> Transcript::parts() const
{
    return m_marks ? m_marks->parts() : std::vector<text::AnswerPart>();
}

std::string_view Transcript::section() const
{
    if (!m_marks || !m_marks->thought())
        return {};
    return m_marks->last() == text::AnswerPart::Thinking ? kThinkingSection : kAnswerSection;
}

int Transcript::inputTokens() const
{
    int tokens = 0;
    for (const Sequence& sequence : m_sequences)
        tokens += sequence.facts.input_tokens;
    return tokens;
}

int Transcript::outputTokens() const
{
    int tokens = 0;
    for (const Sequence& sequence : m_sequences)
        tokens += sequence.facts.output_tokens;
    return tokens;
}

void Transcript::describe(RunInfo& info) const
{
    info.prompt = m_sequences.front().facts.prompt;
    info.conversation = m_sequences.front().facts.conversation;
    info.response = m_sequences.front().facts.response;
    info.input_tokens = inputTokens();
    info.output_tokens = outputTokens();
    info.batch.clear();
    if (m_sequences.size() == 1)
        return;
    for (const Sequence& sequence : m_sequences)
        info.batch.push_back(sequence.facts);
}

Message Transcript::contextNote(const ModelFacts& model, int maxNewTokens) const
{
    std::string which;
    int count = 0;
    for (std::size_t i = 0; i < m_sequences.size(); ++i) {
        if (m_sequences[i].finish != model::FinishReason::Context)
            continue;
        which += (count++ ? ", " : "") + std::to_string(i + 1);
    }
    if (count == 0)
        return {};
    if (m_sequences.size() == 1)
        return Message(
            "The context of %1, %2 tokens, is full: the generation ended after %3 of %4 tokens.",
            model.name, model.context_length, m_sequences.front().facts.output_tokens,
            maxNewTokens);
    return Message(count > 1 ? "The context of %1, %2 tokens, is full: of the batch, sequences %3 "
                               "ended before %4 tokens."
                             : "The context of %1, %2 tokens, is full: of the batch, sequence %3 "
                               "ended before %4 tokens.",
                   model.name, model.context_length, which, maxNewTokens);
}

} // namespace ep::session
