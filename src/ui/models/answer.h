// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/component_total.h"
#include "ep/core/run.h"

#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace ep::ui {

// What Analysis says first: one sentence, and the largest parts of the run, largest first.
struct Answer {
    struct Bar {
        QString title; // "Attention core"
        QString value; // "2.86 J · 38 %"
        double share = 0.0; // 0..1 of the whole run
        std::optional<Component> component; // selected by a click, over all layers
        std::optional<Phase> phase; // the same
    };

    QString sentence; // empty: nothing to say
    QString basis; // of which the shares are: the provenance of the energy, or time
    std::vector<Bar> bars; // at most three
};

// By energy; by time, which the sentence says, for a run without energy. totals: of the run's
// components; empty for a run without layers, whose phases are then ranked.
// words: turns a template into the reader's language; documents are in English.
using AnswerWords = QString (*)(const char* text);
QString windowAnswerWords(const char* text);
Answer answerOf(const Run& run, std::span<const ComponentTotal> totals,
                AnswerWords words = &windowAnswerWords);

} // namespace ep::ui
