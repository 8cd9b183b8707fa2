// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace ep::ui
