// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace ep::ui {

// A sentence that covers a view for as long as the view has nothing to show about the page's
// subject. The covered view gets no input.
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
