// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QLabel>

namespace ep::ui {

// A short fact in a subtle frame.
class Chip : public QLabel {
    Q_OBJECT

public:
    enum class Tone { Plain, Good, Doubtful }; // Doubtful: dashed frame, colour of warnings

    explicit Chip(QWidget* parent = nullptr);
    void showFact(const QString& text, const QString& explanation, Tone tone = Tone::Plain);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Tone m_tone = Tone::Plain;
};

// Says how the adjacent energies were obtained; the tool tip explains it. A replayed capture was
// measured, but not in this run, so it is badged as replayed; the energy of a simulated machine as
// simulated.
class ProvenanceBadge : public Chip {
    Q_OBJECT

public:
    using Chip::Chip;

    void showEnergyOf(const PowerInfo& power, Provenance provenance);
};

} // namespace ep::ui
