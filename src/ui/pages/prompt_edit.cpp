// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/prompt_edit.h"

#include "text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kPauseMs = 150;
constexpr int kVisibleLines = 5;

} // namespace

PromptEdit::PromptEdit(QWidget* parent)
    : QWidget(parent)
    , m_edit(new QPlainTextEdit(this))
    , m_chatBox(new QCheckBox(tr("&Chat template"), this))
    , m_count(new QLabel(this))
{
    m_edit->setObjectName(u"promptEdit"_s);
    m_edit->setPlaceholderText(tr("What the model is to continue"));
    m_edit->setAccessibleName(tr("Prompt"));
    m_edit->setTabChangesFocus(true);
    m_edit->setMinimumHeight(m_edit->fontMetrics().lineSpacing() * kVisibleLines);
    m_chatBox->setObjectName(u"chatTemplate"_s);
    m_count->setObjectName(u"promptTokenCount"_s);
    m_count->setAlignment(Qt::AlignRight);
    setFocusProxy(m_edit);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_edit, 1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_chatBox);
    row->addWidget(m_count, 1);
    layout->addLayout(row);

    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &PromptEdit::count);
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        m_pause.start();
        Q_EMIT textChanged();
    });
    connect(m_chatBox, &QCheckBox::clicked, this, [this](bool checked) {
        m_wantsChat = checked;
        count();
    });
    showChat(false, {});
}

QString PromptEdit::text() const
{
    return m_edit->toPlainText();
}

void PromptEdit::setText(const QString& text)
{
    m_edit->setPlainText(text);
}

void PromptEdit::setModelFolder(const std::filesystem::path& folder)
{
    if (folder == m_folder)
        return;
    m_folder = folder;
    m_tokenizer.reset();
    m_chat.reset();
    m_counting.drop();
    m_count->clear();
    showChat(false, {});
    if (!folder.empty())
        loadTokenizer();
    else
        m_loading.drop();
}

void PromptEdit::setWantsChat(bool wanted)
{
    m_wantsChat = wanted;
    m_chatBox->setChecked(wanted && m_chatBox->isEnabled());
}

// The box of a model without a template is empty and cannot be ticked.
void PromptEdit::showChat(bool hasChat, const QString& problem)
{
    m_chatBox->setEnabled(hasChat);
    m_chatBox->setChecked(hasChat && m_wantsChat);
    m_chatBox->setToolTip(m_chat ? tr("The prompt is a message: the model's own template writes "
                                      "the conversation around it.")
                                 : problem);
}

Result<PromptEdit::Loaded> PromptEdit::load(const std::filesystem::path& folder)
{
    auto tokenizer = model::Tokenizer::load(folder);
    if (!tokenizer)
        return tokenizer.error();
    Loaded loaded{.tokenizer = std::move(*tokenizer), .chat = nullptr, .chatProblem = {}};
    auto chat = model::ChatTemplate::load(folder);
    loaded.hasChat = chat || chat.error().code != ErrorCode::NotFound;
    if (chat)
        loaded.chat = std::move(*chat);
    else
        loaded.chatProblem = toQString(chat.error().message);
    return loaded;
}

void PromptEdit::loadTokenizer()
{
    m_loading.start([folder = m_folder] { return load(folder); },
                    [this](Result<Loaded> loaded) {
                        if (!loaded) {
                            m_count->setToolTip(toQString(loaded.error().message));
                            return;
                        }
                        m_count->setToolTip({});
                        m_tokenizer = loaded->tokenizer;
                        m_chat = loaded->chat;
                        showChat(loaded->hasChat, loaded->chatProblem);
                        count();
                    });
}

void PromptEdit::count()
{
    if (!m_tokenizer)
        return;
    m_counting.start(
        [tokenizer = m_tokenizer, chat = m_wantsChat ? m_chat : nullptr,
         text = text().toStdString()] {
            if (text.empty())
                return std::size_t{0};
            if (!chat)
                return tokenizer->encode(text).size();
            const auto conversation = model::renderPrompt(*chat, {}, text);
            return conversation ? tokenizer->encode(*conversation, false).size() : std::size_t{0};
        },
        [this](std::size_t tokens) {
            m_count->setText(
                tokens == 1
                    ? tr("1 token")
                    : tr("%1 tokens").arg(QLocale().toString(static_cast<qulonglong>(tokens))));
        });
}

} // namespace ep::ui
