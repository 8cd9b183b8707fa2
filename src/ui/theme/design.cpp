// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/design.h"

#include "theme/app_style.h"
#include "theme/ui_resources.h"

#include "ep/ui/rich_text.h"
#include "ep/ui/theme.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QEvent>
#include <QFile>
#include <QFocusFrame>
#include <QFrame>
#include <QHash>
#include <QHeaderView>
#include <QHelpEvent>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
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
#include <QXmlStreamReader>

#include <algorithm>
#include <memory>
#include <utility>

// The icons are drawn by hand in a subset of SVG (path with M L H V C Z, circle and rect), so that
// the program needs no SVG library and they take the colour of the theme.

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
        // The dialog's own frame is not known yet, so the window's frame is used instead.
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

constexpr double kViewBox = 24.0;
constexpr double kStroke = 1.75;

struct LineDrawing {
    QPainterPath lines;
    QPainterPath filled;
};
using LineDrawingPtr = std::shared_ptr<const LineDrawing>;

// "M2 12 H6 L9 4": words separated by spaces, absolute coordinates.
QPainterPath pathOf(QStringView text)
{
    QPainterPath path;
    QChar command;
    QList<double> numbers;
    const auto needed = [](QChar c) -> qsizetype {
        return c == u'C' ? 6 : c == u'H' || c == u'V' ? 1 : 2;
    };
    for (QStringView word : text.split(u' ', Qt::SkipEmptyParts)) {
        if (word.front().isLetter()) {
            command = word.front();
            numbers.clear();
            word = word.sliced(1);
            if (command == u'Z')
                path.closeSubpath();
        }
        if (word.isEmpty())
            continue;
        numbers << word.toDouble();
        if (numbers.size() < needed(command))
            continue;
        const QPointF at = path.currentPosition();
        if (command == u'M')
            path.moveTo(numbers[0], numbers[1]);
        else if (command == u'H')
            path.lineTo(numbers[0], at.y());
        else if (command == u'V')
            path.lineTo(at.x(), numbers[0]);
        else if (command == u'C')
            path.cubicTo(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
        else
            path.lineTo(numbers[0], numbers[1]);
        numbers.clear();
    }
    return path;
}

LineDrawingPtr readDrawing(const QString& file)
{
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly))
        return nullptr;
    auto drawing = std::make_shared<LineDrawing>();
    QXmlStreamReader xml(&source);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement || xml.name() == u"svg")
            continue;
        const auto attributes = xml.attributes();
        const auto number = [&](const char* name) {
            return attributes.value(QLatin1StringView(name)).toDouble();
        };
        QPainterPath shape;
        if (xml.name() == u"path") {
            shape = pathOf(attributes.value("d"_L1));
        } else if (xml.name() == u"circle") {
            shape.addEllipse(QPointF(number("cx"), number("cy")), number("r"), number("r"));
        } else if (xml.name() == u"rect") {
            shape.addRoundedRect(number("x"), number("y"), number("width"), number("height"),
                                 number("rx"), number("rx"));
        }
        (attributes.hasAttribute("fill"_L1) ? drawing->filled : drawing->lines).addPath(shape);
    }
    return xml.hasError() ? nullptr : drawing;
}

class LineIconEngine : public QIconEngine {
public:
    explicit LineIconEngine(LineDrawingPtr drawing)
        : m_drawing(std::move(drawing))
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const QPalette palette = QApplication::palette();
        QColor colour = palette.color(
            mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText);
        if (state == QIcon::On && mode != QIcon::Disabled)
            colour = Theme::fromPalette(palette).focus;
        const double scale = std::min(rect.width(), rect.height()) / kViewBox;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(QRectF(rect).center());
        painter->scale(scale, scale);
        painter->translate(-kViewBox / 2.0, -kViewBox / 2.0);
        painter->fillPath(m_drawing->filled, colour);
        painter->strokePath(m_drawing->lines,
                            QPen(colour, kStroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect({}, size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new LineIconEngine(m_drawing); }

private:
    LineDrawingPtr m_drawing;
};

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
#ifndef Q_OS_MACOS // on a Mac, users know the platform's own style
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

QIcon lineIcon(QLatin1StringView name)
{
    initResources();
    static QHash<QString, LineDrawingPtr> read; // GUI thread only
    const QString file = u":/icons/line/%1.svg"_s.arg(name);
    if (!read.contains(file))
        read.insert(file, readDrawing(file));
    const LineDrawingPtr drawing = read.value(file);
    return drawing ? QIcon(new LineIconEngine(drawing)) : QIcon();
}

} // namespace ep::ui
