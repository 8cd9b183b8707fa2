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
class ProvenanceBadge;

// A finished run in one line: model, time, prompt, and how far its energy can be trusted, with
// everything else behind an information mark.
class RunHeader : public QWidget {
    Q_OBJECT

public:
    explicit RunHeader(QWidget* parent = nullptr);

    void showRun(const Run& run, const energy::Tariff& tariff);
    void addToTitle(QWidget* widget); // adds it before the information mark
    void addBeforeTitle(QWidget* widget);

private:
    void showFacts(const Run& run, const energy::Tariff& tariff);
    void showChips(const Run& run);

    QHBoxLayout* m_titleRow;
    ElidedLabel* m_title;
    ElidedLabel* m_prompt;
    Chip* m_status; // hidden if the run is complete
    Chip* m_quality; // hidden unless it is poor
    ProvenanceBadge* m_badge;
    QToolButton* m_info;
    FactsPopup* m_popup;
};

} // namespace ep::ui
