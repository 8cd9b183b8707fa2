// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cover_note.h"

#include "theme/design.h"

#include <QEvent>

namespace ep::ui {

CoverNote::CoverNote(const QString& text, QWidget& covered)
    : QLabel(text, &covered)
{
    setObjectName(QStringLiteral("coverNote"));
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    setMargin(kGrid);
    setAutoFillBackground(true);
    setMuted(*this);
    hide();
    covered.installEventFilter(this);
}

void CoverNote::setCovering(bool covering)
{
    for (QWidget* child : parentWidget()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        if (child != this)
            child->setEnabled(!covering); // keeps the keyboard focus out, too
    }
    fit();
    setVisible(covering);
}

void CoverNote::fit()
{
    setGeometry(parentWidget()->rect());
    raise();
}

bool CoverNote::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fit();
    return QLabel::eventFilter(watched, event);
}

} // namespace ep::ui
