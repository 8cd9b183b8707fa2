// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace ep::ui {

// Shown on an empty page: says why it is empty, and has buttons for what to do about it.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);

    void setText(const QString& title, const QString& explanation);
    QPushButton* addButton(const QString& text);

private:
    QLabel* m_title;
    QLabel* m_explanation;
    QHBoxLayout* m_buttons;
};

} // namespace ep::ui
