// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/answer_marks.h"

#include "ep/core/answer_sections.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace ep::session {

std::vector<Annotation> answerMarks(const std::vector<text::AnswerPart>& parts,
                                    const std::vector<TimeRange>& times)
{
    const std::size_t count = std::min(parts.size(), times.size());
    std::vector<Annotation> marks;
    bool thought = false;
    for (std::size_t i = 0; i < count; ++i) {
        if (times[i].empty()) // the prefill's token has no time of its own
            continue;
        const bool thinking = parts[i] == text::AnswerPart::Thinking;
        const std::string name(thinking ? kThinkingSection : kAnswerSection);
        thought = thought || thinking;
        if (!marks.empty() && marks.back().text == name)
            marks.back().end_ns = times[i].end_ns;
        else
            marks.push_back({times[i].begin_ns, times[i].end_ns, name});
    }
    return thought ? marks : std::vector<Annotation>();
}

} // namespace ep::session
