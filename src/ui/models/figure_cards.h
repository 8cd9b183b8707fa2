// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/quality_record.h"
#include "ep/core/run.h"
#include "ep/energy/figures.h"
#include "ep/viz/cost_tree.h"

#include <QString>

#include <vector>

// The figures of one run as shown in cards: plain text, an em dash for missing values.

namespace ep::ui {

struct FigureCard {
    struct Row {
        QString id; // "energy_delay_product"
        QString title;
        QString value;
        QString explanation;
    };

    QString id; // "efficiency"
    QString title;
    QString note; // provenance or a reason, shown below the title
    std::vector<Row> rows;
};

FigureCard efficiencyCard(const Run& run);
FigureCard furtherFiguresCard(const Run& run); // figures that only some users need
FigureCard costCard(const Run& run, const energy::Tariff& tariff);
FigureCard kvCacheCard(const Run& run, const viz::CostTree& tree);
// Has no rows for a model without experts.
FigureCard expertsCard(const Run& run, const viz::CostTree& tree);
// How well the model predicts each text that it was measured on.
FigureCard qualityCard(const std::vector<QualityRecord>& measured);

// How a recorded command ended, what it used, and what its spans lack. Has no rows for other runs.
FigureCard commandCard(const Run& run);

// Where the tokens of a run with a prompt cache or a draft model came from, and what they cost.
// Has no rows for other runs, or for a part of a run.
FigureCard ledgerCard(const Run& run);

// Lists the figures of a request to a server that was measured from outside: its tokens, each with
// the figures that are divided by them, why figures are missing, and the figures that are invisible
// from outside. Has no rows for a run of our own engine.
FigureCard serverCard(const Run& run);

} // namespace ep::ui
