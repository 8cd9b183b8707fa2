// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"

#include <QPlainTextEdit>

#include <filesystem>
#include <optional>
#include <vector>

class QMimeData;

namespace ep::ui {

// The dropped or pasted file, if it is the only one and may hold conversations (.json, .jsonl).
std::optional<std::filesystem::path> conversationFileIn(const QMimeData& data);

// A text field that recognises a pasted conversation or a dropped file with conversations.
class PromptTextEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    using QPlainTextEdit::QPlainTextEdit;

Q_SIGNALS:
    void conversationsGiven(const std::vector<ep::Conversation>& conversations);
    void fileGiven(const std::filesystem::path& file);

protected:
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;
};

} // namespace ep::ui
