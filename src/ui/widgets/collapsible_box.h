// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;

namespace ep::ui {

// A titled part of a form; a click on the title shows or hides it.
class CollapsibleBox : public QWidget {
    Q_OBJECT

public:
    explicit CollapsibleBox(const QString& title, QWidget* parent = nullptr);

    void setContent(QWidget* content); // takes ownership; deletes the previous content
    void setExpanded(bool expanded);
    bool isExpanded() const;

private:
    QToolButton* m_title;
    QWidget* m_content = nullptr;
};

} // namespace ep::ui
