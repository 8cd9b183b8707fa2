// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

namespace ep::ui {

// The text that the chat template makes of a prompt, as the model gets it, with its special
// tokens marked. Read-only; deletes itself when it is closed.
class RenderedPromptDialog : public QDialog {
    Q_OBJECT

public:
    RenderedPromptDialog(const QString& prompt, const QStringList& specialTokens, QWidget* parent);
};

} // namespace ep::ui
