// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/figures.h"
#include "ep/session/repeat_loop.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace ep::ui {

class SceneView;

// The question that a run answers by being repeated until its energy is known.
enum class RepeatQuestion {
    Energy, // energy of an output token
    Million, // cost of a million output tokens
};

// The energy per token after each repeat, with the interval that shrinks towards the goal, and a
// sentence: how well it is known so far and, at the end, the answer and whether the goal was
// reached. Hidden until a repeated run begins. GUI thread only.
class RepeatCourse : public QWidget {
    Q_OBJECT

public:
    explicit RepeatCourse(QWidget* parent = nullptr);

    void setTariff(const energy::Tariff& tariff) { m_tariff = tariff; }
    void ask(RepeatQuestion question) { m_question = question; } // for the next repeated run
    // goal: half of the 95 % interval, relative to the mean.
    void begin(double goal);
    // Call after each run; absent if the run has no energy. origin: "modelled", "measured (rapl)".
    void add(const std::optional<session::EnergyKnown>& known, const QString& origin);
    void finish();
    QString sentence() const;

private:
    void draw();

    energy::Tariff m_tariff;
    RepeatQuestion m_question = RepeatQuestion::Energy;
    RepeatQuestion m_asked = RepeatQuestion::Energy; // question of the course shown
    double m_goal = 0.0;
    std::vector<session::EnergyKnown> m_course;
    QString m_origin;
    QLabel* m_sentence;
    SceneView* m_chart;
};

} // namespace ep::ui
