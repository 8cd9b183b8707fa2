// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/design.h"

#include "theme/app_style.h"
#include "theme/ui_resources.h"

#include "ep/ui/rich_text.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QEvent>
#include <QFocusFrame>
#include <QFrame>
#include <QHeaderView>
#include <QHelpEvent>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>

namespace ep::ui {
namespace {

// Draws a ring around focused widgets that do not show the focus themselves: scroll areas,
// read-only texts, tables without a current row and, if the style is not ours, the default button.
// Mouse users see no ring. Installed on the application.
class FocusMark : public QObject {
public:
    explicit FocusMark(QObject* parent)
        : QObject(parent)
    {
        connect(qApp, &QApplication::focusChanged, this,
                [this](QWidget*, QWidget* now) { mark(now); });
    }

private:
    static bool needsMark(const QWidget& widget)
    {
        const auto* button = qobject_cast<const QPushButton*>(&widget);
        return widget.window()->testAttribute(Qt::WA_KeyboardFocusChange)
            && (qobject_cast<const QScrollArea*>(&widget)
                || qobject_cast<const QTextBrowser*>(&widget)
                || qobject_cast<const QTableView*>(&widget)
                || (button && button->isDefault()
                    && QApplication::style()->objectName() != AppStyle::kName));
    }

    void mark(QWidget* widget)
    {
        if (!widget || !needsMark(*widget)) {
            delete m_frame;
            return;
        }
        if (!m_frame)
            m_frame = new QFocusFrame;
        m_frame->setWidget(widget);
    }

    QPointer<QFocusFrame> m_frame; // deleted with its window
};

// Keeps dialogs within their screen, also in size: at a scale of 200 %, 1280 x 800 pixels become
// 640 x 400. Keeps them wide enough for their title. Installed on the application.
class FitDialogs : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        auto* dialog = event->type() == QEvent::Show ? qobject_cast<QDialog*>(watched) : nullptr;
        if (!dialog || !dialog->isWindow())
            return false;
        QRect room = dialog->screen()->availableGeometry();
        // The dialog's own frame is not known yet, so the window's frame stands for it.
        if (const QWidget* owner = dialog->parentWidget()) {
            const QSize frame = owner->window()->frameSize() - owner->window()->size();
            room.setSize((room.size() - frame).expandedTo({1, 1}));
        }
        fit(*dialog, room);
        return false;
    }

private:
    static constexpr int kMinWidth = 50 * kGrid; // for a title, the program's name and 3 buttons

    static void fit(QDialog& dialog, const QRect& room)
    {
        if (dialog.width() < kMinWidth)
            dialog.resize(kMinWidth, dialog.height());
        if (dialog.width() > room.width() || dialog.height() > room.height())
            dialog.resize(dialog.size().boundedTo(room.size()));
        const QPoint last(room.right() + 1 - dialog.width(), room.bottom() + 1 - dialog.height());
        const QPoint inside(std::max(room.left(), std::min(dialog.x(), last.x())),
                            std::max(room.top(), std::min(dialog.y(), last.y())));
        if (inside != dialog.pos())
            dialog.move(inside);
    }
};

QRect comboField(const QComboBox& combo)
{
    QStyleOptionComboBox option;
    option.initFrom(&combo);
    option.editable = combo.isEditable();
    option.subControls = QStyle::SC_All;
    return combo.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField,
                                         &combo);
}

// Shows truncated texts of selectors and column headers in a tool tip, unless they have one of
// their own. Installed on the application, like the style that elides them.
class CutText : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::ToolTip)
            return false;
        const auto* help = static_cast<QHelpEvent*>(event);
        auto* widget = qobject_cast<QWidget*>(watched);
        if (!widget || !widget->toolTip().isEmpty())
            return false;
        const QString text = cutText(*widget, help->pos());
        if (text.isEmpty())
            return false;
        QToolTip::showText(help->globalPos(), richText(text.toStdString()), widget);
        return true;
    }

private:
    static QString cutText(const QWidget& widget, QPoint at)
    {
        if (const auto* combo = qobject_cast<const QComboBox*>(&widget)) {
            const QString text = combo->currentText();
            const int needed = combo->fontMetrics().horizontalAdvance(text);
            return needed > comboField(*combo).width() ? text : QString();
        }
        const auto* head = qobject_cast<const QHeaderView*>(widget.parentWidget());
        if (!head || head->viewport() != &widget || !head->model())
            return {};
        const int section = head->logicalIndexAt(at);
        if (section < 0
            || head->model()->headerData(section, head->orientation(), Qt::ToolTipRole).isValid())
            return {};
        const QString text =
            head->model()->headerData(section, head->orientation(), Qt::DisplayRole).toString();
        return head->sectionSizeHint(section) > head->sectionSize(section) ? text : QString();
    }
};

// The wheel scrolls and never edits: over a field, it scrolls the area around the field. Installed
// on the application, so that no page can forget it.
class CalmWheel : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::Wheel || !edits(watched))
            return false;
        event->ignore();
        return true;
    }

private:
    static bool edits(QObject* watched)
    {
        return qobject_cast<QComboBox*>(watched) || qobject_cast<QAbstractSpinBox*>(watched)
            || qobject_cast<QTabBar*>(watched)
            || (qobject_cast<QAbstractSlider*>(watched) && !qobject_cast<QScrollBar*>(watched));
    }
};

using namespace Qt::Literals::StringLiterals;

double scaleOf(TypeSize size)
{
    switch (size) {
    case TypeSize::Small:
        return 0.9;
    case TypeSize::Title:
        return 1.4;
    case TypeSize::Lead:
        return 2.4;
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
