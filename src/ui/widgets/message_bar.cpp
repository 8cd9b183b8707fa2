// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/message_bar.h"

#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/ui/theme.h"

#include <QEvent>
#include <QLabel>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kWidest = 80 * kGrid; // width of a floating bar
constexpr int kNoticeMs = 12'000; // time to read it and press its button

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_fade(new QTimer(this))
    , m_word(new QLabel(this))
    , m_text(wrapped(named(new QLabel(this), u"messageText"_s)))
    , m_action(named(new QToolButton(this), u"messageAction"_s))
    , m_dismiss(named(new QToolButton(this), u"messageDismiss"_s, tr("Dismiss message")))
{
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    QFont bold = m_word->font();
    bold.setBold(true);
    m_word->setFont(bold);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_action->hide();
    connect(m_action, &QToolButton::clicked, this, [this] {
        clear();
        Q_EMIT actionTriggered();
    });
    m_dismiss->setAutoRaise(true);
    m_dismiss->setIcon(lineIcon("clear"_L1));
    m_dismiss->setToolTip(tr("Dismiss"));
    connect(m_dismiss, &QToolButton::clicked, this, &MessageBar::clear);

    // The first line stands beside the buttons, however many follow.
    const int above =
        std::max(0, (m_dismiss->sizeHint().height() - fontMetrics().lineSpacing()) / 2);
    for (QLabel* label : {m_word, m_text}) {
        label->setAlignment(Qt::AlignTop | Qt::AlignLeading);
        label->setContentsMargins(0, above, 0, above);
    }
    auto* layout = inRow(this,
                         {{m_word, 0, Qt::AlignTop},
                          {m_text, 1},
                          {m_action, 0, Qt::AlignTop},
                          {m_dismiss, 0, Qt::AlignTop}});
    layout->setContentsMargins(kGrid, kHalfGrid, kHalfGrid, kHalfGrid);
    m_fade->setSingleShot(true);
    m_fade->setInterval(kNoticeMs);
    connect(m_fade, &QTimer::timeout, this, [this] {
        if (underMouse())
            m_fade->start();
        else
            clear();
    });
    hide();
}

void MessageBar::floatOverParent()
{
    m_floats = true;
    parentWidget()->installEventFilter(this);
}

void MessageBar::place()
{
    const QWidget& page = *parentWidget();
    QRect seen = page.visibleRegion().boundingRect(); // visible part of a page that may be scrolled
    if (seen.isEmpty())
        seen = page.rect();
    const int width = std::min(kWidest, seen.width() - 4 * kGrid);
    const int height = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width)
                                                     : layout()->totalSizeHint().height();
    setGeometry(seen.center().x() - width / 2, seen.bottom() - height - 2 * kGrid, width, height);
    raise();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

void MessageBar::showMessage(Kind kind, const QString& text, const QString& action)
{
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    m_kind = kind;
    switch (kind) {
    case Kind::Notice:
        m_word->setText(tr("Note"));
        break;
    case Kind::Warning:
        m_word->setText(tr("Warning"));
        break;
    case Kind::Error:
        m_word->setText(tr("Error"));
        break;
    }
    m_word->setVisible(kind != Kind::Notice);
    m_text->setText(text);
    setAccessibleName(m_word->text() + u": "_s + text);
    applyColours();
    if (m_floats) {
        place();
        if (kind == Kind::Notice)
            m_fade->start();
        else
            m_fade->stop();
    }
    show();
}

void MessageBar::clear()
{
    m_fade->stop();
    m_text->clear();
    hide();
}

QString MessageBar::text() const
{
    return m_text->text();
}

void MessageBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColours();
}

void MessageBar::applyColours()
{
    // The bar's own palette must not be used, since it has the colours of the previous theme.
    QPalette palette = parentWidget() ? parentWidget()->palette() : QPalette();
    const Theme theme = Theme::fromPalette(palette);
    palette.setColor(QPalette::Window, theme.surface);
    palette.setColor(QPalette::WindowText, theme.text);
    setPalette(palette);
    QPalette word = palette;
    switch (m_kind) {
    case Kind::Notice:
        break;
    case Kind::Warning:
        word.setColor(QPalette::WindowText, theme.warning);
        break;
    case Kind::Error:
        word.setColor(QPalette::WindowText, theme.error);
        break;
    }
    m_word->setPalette(word);
}

} // namespace ep::ui
