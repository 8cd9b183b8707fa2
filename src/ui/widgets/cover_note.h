// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace ep::ui {

// A sentence in place of a view's content, for as long as the view has nothing to show of what the
// page is about. Covers the view and cannot be reached through.
class CoverNote : public QLabel {
    Q_OBJECT

public:
    CoverNote(const QString& text, QWidget& covered);

    void setCovering(bool covering);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
};

} // namespace ep::ui
