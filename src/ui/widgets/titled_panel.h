// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/design.h"
#include "widgets/elided_label.h"

#include <QBoxLayout>
#include <QEvent>
#include <QWidget>

namespace ep::ui {

// Sets direction and spacing of a box layout, each only if it differs. QBoxLayout's setters post a
// LayoutRequest even if nothing changes, so a handler of LayoutRequest or Resize that calls them
// unconditionally wakes itself forever.
inline void rearrange(QBoxLayout& box, QBoxLayout::Direction direction, int spacing)
{
    if (box.direction() != direction)
        box.setDirection(direction);
    if (box.spacing() != spacing)
        box.setSpacing(spacing);
}

// A title with selectors at its right, or below it if they do not fit next to each other.
class TitleRow : public QWidget {
public:
    TitleRow(QLabel* title, QWidget* beside)
        : m_title(title)
        , m_beside(beside)
        , m_row(new QBoxLayout(QBoxLayout::LeftToRight, this))
    {
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
        m_row->setContentsMargins(0, 0, 0, 0);
        m_row->addWidget(title);
        m_row->addStretch();
        if (beside)
            m_row->addWidget(beside);
    }

    QSize minimumSizeHint() const override
    {
        const QSize title = m_title->minimumSizeHint();
        const int width =
            m_beside ? std::max(title.width(), m_beside->minimumSizeHint().width()) : title.width();
        return {width, QWidget::minimumSizeHint().height()};
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QWidget::resizeEvent(event);
        arrange();
    }
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::LayoutRequest)
            arrange();
        return QWidget::event(event);
    }

private:
    void arrange()
    {
        const bool wide = !m_beside || m_beside->isHidden()
            || m_title->sizeHint().width() + 2 * kGrid + m_beside->sizeHint().width() <= width();
        rearrange(*m_row, wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom,
                  wide && m_beside ? kGrid : 0);
    }

    QLabel* m_title;
    QWidget* m_beside;
    QBoxLayout* m_row;
};

// A chart under its title; `beside` (a selector, or null) is at the right of the title.
inline QWidget* titledPanel(const QString& title, QWidget* content, QWidget* beside = nullptr)
{
    auto* panel = new QWidget;
    auto* label = new ElidedLabel;
    label->setObjectName(QStringLiteral("panelTitle"));
    label->setText(title);
    setType(*label, TypeSize::Body, true);
    label->setMinimumHeight(kControlHeight);
    label->setBuddy(content);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->setSizeConstraint(QLayout::SetMinAndMaxSize); // caps the height at that of its content
    column->addWidget(new TitleRow(label, beside));
    column->addWidget(content, 1);
    return panel;
}

} // namespace ep::ui
