// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/navigation_rail.h"

#include "theme/design.h"

#include <QKeyEvent>
#include <QKeySequence>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kEntryHeight = 5 * kGrid;

} // namespace

NavigationRail::NavigationRail(QWidget* parent)
    : QWidget(parent)
    , m_fold(iconButton(u"navigationFold"_s, "fold"_L1, tr("Fold the navigation"), this))
    , m_column(new QVBoxLayout(this))
{
    setObjectName(u"navigation"_s);
    setAccessibleName(tr("Pages"));
    m_column->setContentsMargins(kHalfGrid, kGrid, kHalfGrid, kGrid);
    m_column->setSpacing(kHalfGrid);
    m_column->addStretch();
    m_column->addWidget(m_fold);
    connect(m_fold, &QToolButton::clicked, this, [this] { setFolded(!m_folded); });
}

void NavigationRail::addPage(const QString& id, QLatin1StringView icon, const QString& title,
                             const QKeySequence& keys)
{
    QToolButton* button = iconButton(id, icon, title, this);
    button->setText(title);
    button->setToolTip(title + u" ("_s + keys.toString(QKeySequence::NativeText) + u')');
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setMinimumHeight(kEntryHeight);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const int page = static_cast<int>(m_pages.size());
    connect(button, &QToolButton::clicked, this, [this, page] { Q_EMIT chosen(page); });
    m_column->insertWidget(page, button);
    setTabOrder(button, m_fold); // a new window has its focus on the first
    m_pages.push_back(button);
    showWords();
}

void NavigationRail::setCurrent(int page)
{
    QToolButton* shown = m_pages[static_cast<std::size_t>(page)];
    shown->setChecked(true);
    // Moves the focus along if a shortcut or a link changed the page.
    if (std::ranges::any_of(m_pages, &QWidget::hasFocus))
        shown->setFocus();
}

QString NavigationRail::title(int page) const
{
    return m_pages[static_cast<std::size_t>(page)]->text();
}

void NavigationRail::setFolded(bool folded)
{
    m_folded = folded;
    showWords();
}

void NavigationRail::setNarrow(bool narrow)
{
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    showWords();
}

void NavigationRail::showWords()
{
    for (QToolButton* page : m_pages)
        page->setToolButtonStyle(showsWords() ? Qt::ToolButtonTextBesideIcon
                                              : Qt::ToolButtonIconOnly);
    m_fold->setIcon(lineIcon(showsWords() ? "fold"_L1 : "unfold"_L1));
    m_fold->setToolTip(m_folded ? tr("Unfold the navigation") : tr("Fold the navigation"));
    m_fold->setAccessibleName(m_fold->toolTip());
    m_fold->setVisible(!m_narrow); // a narrow rail cannot unfold
}

void NavigationRail::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        const int count = static_cast<int>(m_pages.size());
        for (int page = 0; page < count; ++page) {
            const int next = page + (event->key() == Qt::Key_Down ? 1 : -1);
            if (m_pages[static_cast<std::size_t>(page)]->hasFocus() && next >= 0 && next < count) {
                m_pages[static_cast<std::size_t>(next)]->setFocus(Qt::TabFocusReason);
                m_pages[static_cast<std::size_t>(next)]->click();
                return;
            }
        }
    }
    QWidget::keyPressEvent(event);
}

} // namespace ep::ui
