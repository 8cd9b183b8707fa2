// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "latest_job.h"

#include "ep/model/tokenizer.h"

#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>

#include <filesystem>

class QLabel;

namespace ep::ui {

// The prompt, and below it how many tokens the chosen model makes of it. Loading the tokenizer and
// counting happen elsewhere; typing never waits.
class PromptEdit : public QWidget {
    Q_OBJECT

public:
    explicit PromptEdit(QWidget* parent = nullptr);

    QString text() const;
    void setText(const QString& text);
    void setModelFolder(const std::filesystem::path& folder);
    QPlainTextEdit* editor() const { return m_edit; }

Q_SIGNALS:
    void textChanged();

private:
    using TokenizerPtr = std::shared_ptr<const model::Tokenizer>;
    void loadTokenizer();
    void count();

    QPlainTextEdit* m_edit;
    QLabel* m_count;
    QTimer m_pause; // counts when typing pauses
    std::filesystem::path m_folder;
    TokenizerPtr m_tokenizer;
    LatestJob m_loading;
    LatestJob m_counting;
};

} // namespace ep::ui
