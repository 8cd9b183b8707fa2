// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/design.h"

#include "theme/app_style.h"
#include "theme/calm_wheel.h"
#include "theme/cut_text.h"
#include "theme/fit_dialogs.h"
#include "theme/focus_mark.h"
#include "theme/ui_resources.h"

#include <QApplication>
#include <QFrame>
#include <QToolButton>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

double scaleOf(TypeSize size)
{
    switch (size) {
    case TypeSize::Small:
        return 0.9;
    case TypeSize::Title:
        return 1.4;
    case TypeSize::Body:
        break;
    }
    return 1.0;
}

} // namespace

void setType(QWidget& widget, TypeSize size, bool bold)
{
    QFont font = QApplication::font();
    if (font.pointSizeF() > 0.0)
        font.setPointSizeF(font.pointSizeF() * scaleOf(size));
    else // a platform's font may be in pixels
        font.setPixelSize(static_cast<int>(font.pixelSize() * scaleOf(size)));
    font.setBold(bold);
    widget.setFont(font);
}

void setMuted(QWidget& widget)
{
    widget.setForegroundRole(QPalette::PlaceholderText);
}

QFrame* separator(Qt::Orientation orientation, QWidget* parent)
{
    auto* line = new QFrame(parent);
    line->setFrameShape(orientation == Qt::Horizontal ? QFrame::HLine : QFrame::VLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    return line;
}

QToolButton* iconButton(const QString& id, QLatin1StringView icon, const QString& text,
                        QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(id);
    button->setIcon(lineIcon(icon));
    button->setToolTip(text);
    button->setAccessibleName(text);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setMinimumSize(kControlHeight + kHalfGrid, kControlHeight + kHalfGrid);
    return button;
}

void installDesign()
{
    initResources();
#ifndef Q_OS_MACOS // users know the platform's own style there
    if (QApplication::style()->objectName() != AppStyle::kName)
        QApplication::setStyle(new AppStyle);
#endif
    constexpr auto kFilter = "ep_calm_wheel";
    if (!qApp->property(kFilter).toBool()) {
        qApp->setProperty(kFilter, true);
        qApp->installEventFilter(new CalmWheel(qApp));
        qApp->installEventFilter(new CutText(qApp));
        qApp->installEventFilter(new FitDialogs(qApp));
        new FocusMark(qApp);
    }
}

} // namespace ep::ui
