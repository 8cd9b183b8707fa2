// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;

namespace ep::ui {

// A titled part of a form that is shown or hidden by a click on its title.
class CollapsibleBox : public QWidget {
    Q_OBJECT

public:
    explicit CollapsibleBox(const QString& title, QWidget* parent = nullptr);

    void setContent(QWidget* content); // takes ownership; replaces the earlier one
    void setExpanded(bool expanded);
    bool isExpanded() const;

private:
    QToolButton* m_title;
    QWidget* m_content = nullptr;
};

} // namespace ep::ui
