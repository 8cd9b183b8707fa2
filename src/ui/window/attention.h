// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace ep::ui {

// How closely the user watches the window: it is in use, another window is in use beside it, or it
// is minimised or covered, as far as the window system tells (X11 does not report covered windows).
enum class Attention { InUse, Beside, Hidden };

// How often to check for runs of other processes.
constexpr int pollIntervalMs(Attention attention)
{
    switch (attention) {
    case Attention::InUse:
        break;
    case Attention::Beside:
        return 1000;
    case Attention::Hidden:
        return 5000;
    }
    return 500;
}

// Follows the attention that a top-level window gets. GUI thread.
class AttentionWatch : public QObject {
    Q_OBJECT

public:
    explicit AttentionWatch(QWidget& window);

    Attention attention() const { return m_attention; }

Q_SIGNALS:
    void changed(ep::ui::Attention attention);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void look();

    QWidget& m_window;
    Attention m_attention = Attention::InUse;
};

} // namespace ep::ui
