// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/attention.h"

#include <QEvent>
#include <QGuiApplication>
#include <QWidget>
#include <QWindow>

#include <utility>

namespace ep::ui {

AttentionWatch::AttentionWatch(QWidget& window)
    : QObject(&window)
    , m_window(window)
{
    window.installEventFilter(this);
    connect(qApp, &QGuiApplication::applicationStateChanged, this, &AttentionWatch::look);
}

bool AttentionWatch::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Show:
        if (QWindow* const shown = m_window.windowHandle())
            shown->installEventFilter(this); // has no effect the second time
        look();
        break;
    case QEvent::Expose:
    case QEvent::WindowStateChange:
        look();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void AttentionWatch::look()
{
    const QWindow* const window = m_window.windowHandle();
    // On macOS, a window that is minimised or behind others is not exposed.
    const bool hidden = m_window.isMinimized() || (window && !window->isExposed());
    const bool inUse = QGuiApplication::applicationState() == Qt::ApplicationActive;
    const Attention now = hidden ? Attention::Hidden : inUse ? Attention::InUse : Attention::Beside;
    if (std::exchange(m_attention, now) != now)
        Q_EMIT changed(now);
}

} // namespace ep::ui
