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
FigureCard costCard(const Run& run, const energy::Tariff& tariff);
FigureCard kvCacheCard(const Run& run, const viz::CostTree& tree);
// Has no rows for a model without experts.
FigureCard expertsCard(const Run& run, const viz::CostTree& tree);
// How well the model predicts each text on which that was measured.
FigureCard qualityCard(const std::vector<QualityRecord>& measured);

} // namespace ep::ui
