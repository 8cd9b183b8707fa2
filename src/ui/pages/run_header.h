// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/figures.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace ep::ui {

class FigureCards;
class ProvenanceBadge;

// Description of a finished run: model, prompt, properties and notes, and its main figures with
// provenance.
class RunHeader : public QWidget {
    Q_OBJECT

public:
    explicit RunHeader(QWidget* parent = nullptr);

    void showRun(const Run& run, const energy::Tariff& tariff);
    void addToTitle(QWidget* widget); // at its right end
    void showFigures(const RunInfo& info,
                     const RunMetrics& metrics); // of the selection in the run

private:
    void showFacts(const Run& run, const energy::Tariff& tariff);

    QHBoxLayout* m_titleRow;
    QLabel* m_title;
    QLabel* m_prompt;
    QLabel* m_facts;
    QLabel* m_problem;
    ProvenanceBadge* m_badge;
    FigureCards* m_cards;
};

} // namespace ep::ui
