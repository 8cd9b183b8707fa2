// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/text/thought_marks.h"

#include <vector>

namespace ep::session {

// The sections of an answer (core/answer_sections.h) as annotations, one for each stretch of parts
// of the same kind. times: of the parts (tokens or chunks). Empty if the model did not think.
std::vector<Annotation> answerMarks(const std::vector<text::AnswerPart>& parts,
                                    const std::vector<TimeRange>& times);

} // namespace ep::session
