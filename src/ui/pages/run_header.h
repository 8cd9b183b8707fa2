// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/figures.h"

#include <QFrame>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace ep::ui {

// Everything known about a run, in a frame below the information mark. Escape or a click elsewhere
// closes it.
class FactsPopup : public QFrame {
    Q_OBJECT

public:
    explicit FactsPopup(QWidget* parent = nullptr);

    void showFacts(const QString& prompt, const QStringList& facts);
    void openBelow(const QWidget& mark);

private:
    QLabel* m_prompt;
    QLabel* m_facts;
};

class Chip;
class ElidedLabel;
class ProvenanceBadge;

// A finished run in one line: model, time, prompt, and how far its energy can be trusted, with
// everything else behind an information mark.
class RunHeader : public QWidget {
    Q_OBJECT

public:
    explicit RunHeader(QWidget* parent = nullptr);

    void showRun(const Run& run, const energy::Tariff& tariff);
    void addToTitle(QWidget* widget); // adds the widget before the information mark
    void addBeforeTitle(QWidget* widget);

private:
    void showFacts(const Run& run, const energy::Tariff& tariff);
    void showChips(const Run& run);

    QHBoxLayout* m_titleRow;
    ElidedLabel* m_title;
    ElidedLabel* m_prompt;
    Chip* m_status; // hidden if the run is complete
    Chip* m_quality; // hidden unless the quality is poor
    ProvenanceBadge* m_badge;
    QToolButton* m_info;
    FactsPopup* m_popup;
};

} // namespace ep::ui
