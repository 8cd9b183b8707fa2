// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/ui/charts/selection_controller.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QSlider;
class QToolButton;

namespace ep::ui {

class ElidedLabel;

// Steps through the tokens of a run, manually or automatically, by selecting them in the
// controller; all charts follow. GUI thread only.
class TokenPlayer : public QWidget {
    Q_OBJECT

public:
    explicit TokenPlayer(SelectionController& controller, QWidget* parent = nullptr);

    bool playing() const { return m_timer.isActive(); }
    void setPlaying(bool playing); // from the selected token, or from the first if at the end
    int token() const; // index of the selected token; -1 unless exactly one is selected
    void step(int by); // also stops playing

private:
    void runChanged();
    void follow();
    void choose(int place);
    void setInterval();

    SelectionController& m_controller;
    QToolButton* m_play = nullptr;
    QToolButton* m_back = nullptr;
    QToolButton* m_next = nullptr;
    QSlider* m_slider;
    QComboBox* m_speed;
    ElidedLabel* m_words;
    QTimer m_timer;
};

} // namespace ep::ui
