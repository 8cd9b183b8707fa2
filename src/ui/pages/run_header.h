// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/figures.h"

#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace ep::ui {

class Chip;
class ElidedLabel;
class FactsPopup;
class FigureCards;
class ProvenanceBadge;

// A finished run in one line (model, time, prompt, and the main facts as chips) with everything
// else behind an information mark; below it the main figures of the selection.
class RunHeader : public QWidget {
    Q_OBJECT

public:
    explicit RunHeader(QWidget* parent = nullptr);

    void showRun(const Run& run, const energy::Tariff& tariff);
    void addToTitle(QWidget* widget); // adds it at the right end of the title
    void addBeforeTitle(QWidget* widget);
    // kept: the room is reserved even while they are hidden.
    void setFiguresShown(bool shown, bool kept);
    // Shows the metrics of the run or, if `ofPart`, those that a part of it can have.
    void showFigures(const RunInfo& info, const RunMetrics& metrics, bool ofPart = false);
    void showFigures(const Run& run); // with a lower bound if samples miss a part of it

private:
    void showFacts(const Run& run, const energy::Tariff& tariff);
    void showChips(const Run& run);

    QHBoxLayout* m_titleRow;
    ElidedLabel* m_title;
    ElidedLabel* m_prompt;
    Chip* m_status; // hidden if the run is complete
    Chip* m_depth;
    Chip* m_source;
    Chip* m_quality;
    ProvenanceBadge* m_badge;
    QToolButton* m_info;
    FactsPopup* m_popup;
    FigureCards* m_cards;
};

} // namespace ep::ui
