// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/answer_sections.h"

#include "ep/core/metrics.h"

#include <algorithm>
#include <cstddef>

namespace ep {

namespace {

std::string_view sectionName(const Annotation& annotation)
{
    return annotation.text == kThinkingSection ? kThinkingSection
        : annotation.text == kAnswerSection    ? kAnswerSection
                                               : std::string_view();
}

} // namespace

std::optional<double> AnswerSection::joulesPerToken() const
{
    return joulesPer(energy.complete(), tokens);
}

bool hasAnswerSections(const RunInfo& info)
{
    return std::any_of(
        info.annotations.begin(), info.annotations.end(),
        [](const Annotation& annotation) { return sectionName(annotation) == kThinkingSection; });
}

AnswerSections::AnswerSections(const RunInfo& info)
{
    if (!hasAnswerSections(info))
        return;
    for (const Annotation& annotation : info.annotations) {
        if (const std::string_view name = sectionName(annotation); !name.empty())
            m_sections.push_back({.name = name, .time = annotation.time()});
    }
    std::sort(m_sections.begin(), m_sections.end(),
              [](const AnswerSection& a, const AnswerSection& b) {
                  return a.time.begin_ns < b.time.begin_ns;
              });
}

void AnswerSections::add(const std::vector<TokenSpan>& tokens)
{
    for (const TokenSpan& token : tokens) {
        const auto found = find(token);
        if (found == m_sections.end())
            continue;
        AnswerSection& section = m_sections[static_cast<std::size_t>(found - m_sections.begin())];
        ++section.tokens;
        section.energy.add(tallyOf(token.time, token.energy));
    }
}

std::vector<AnswerSection>::const_iterator AnswerSections::find(const TokenSpan& token) const
{
    return std::find_if(m_sections.begin(), m_sections.end(), [&](const AnswerSection& section) {
        return token.phase == Phase::Decode && section.time.contains(token.time);
    });
}

std::string_view AnswerSections::nameFor(const TokenSpan& token) const
{
    const auto found = find(token);
    return found == m_sections.end() ? std::string_view() : found->name;
}

std::vector<AnswerSection> answerSections(const Run& run)
{
    AnswerSections sections(run.info);
    sections.add(run.trace.tokens);
    return sections.sections();
}

} // namespace ep
