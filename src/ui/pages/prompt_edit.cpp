// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/prompt_edit.h"

#include "text.h"
#include "theme/design.h"

#include "ep/ui/rich_text.h"
#include "ep/ui/terms.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QVBoxLayout>

#include <numeric>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kPauseMs = 150;
constexpr int kFewestLines = 5;
constexpr int kMostLines = 7; // so that the choices below stay in sight
constexpr int kMostShown = 6; // number of single prompts with counts

} // namespace

std::vector<std::string> batchPrompts(const QString& text)
{
    std::vector<std::string> prompts;
    QStringList lines;
    bool several = false;
    const auto finish = [&] {
        const QString prompt = lines.join(u'\n');
        lines.clear();
        if (!prompt.isEmpty() && !(several && prompt.trimmed().isEmpty()))
            prompts.push_back(prompt.toStdString());
    };
    for (const QString& line : text.split(u'\n')) {
        if (line == "---"_L1) {
            several = true;
            finish();
        } else {
            lines += line == "\\---"_L1 ? line.mid(1) : line;
        }
    }
    finish();
    return prompts;
}

PromptEdit::PromptEdit(QWidget* parent)
    : QWidget(parent)
    , m_edit(new QPlainTextEdit(this))
    , m_chatBox(new QCheckBox(tr("&Chat template"), this))
    , m_system(new QLineEdit(this))
    , m_count(new QLabel(this))
{
    m_edit->setObjectName(u"promptEdit"_s);
    m_edit->setPlaceholderText(
        tr("Text for the model to continue\n\n---\nseparates several prompts of one batch"));
    m_edit->setToolTip(tr("A line with only --- separates several prompts, which run as one batch; "
                          "write \\--- for a literal line"));
    m_edit->setAccessibleName(tr("Prompt"));
    m_edit->setTabChangesFocus(true);
    const int line = m_edit->fontMetrics().lineSpacing();
    m_edit->setMinimumHeight(line * kFewestLines);
    m_edit->setMaximumHeight(line * kMostLines);
    m_chatBox->setObjectName(u"chatTemplate"_s);
    m_system->setObjectName(u"systemMessage"_s);
    m_system->setPlaceholderText(tr("System message (optional)"));
    m_system->setToolTip(tr("Instructions that the chat template places before the conversation"));
    m_system->setAccessibleName(tr("System message"));
    m_count->setObjectName(u"promptTokenCount"_s);
    m_count->setAlignment(Qt::AlignRight);
    setFocusProxy(m_edit);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kHalfGrid);
    layout->addWidget(m_edit, 1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_chatBox);
    row->addWidget(m_count, 1);
    layout->addLayout(row);
    layout->addWidget(m_system);

    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &PromptEdit::count);
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        m_pause.start();
        Q_EMIT textChanged();
    });
    connect(m_chatBox, &QCheckBox::clicked, this, [this](bool checked) {
        m_wantsChat = checked;
        m_system->setVisible(checked);
        count();
    });
    connect(m_system, &QLineEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
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
    m_system->setVisible(m_chatBox->isChecked());
}

QString PromptEdit::systemMessage() const
{
    return m_system->text();
}

void PromptEdit::setSystemMessage(const QString& text)
{
    m_system->setText(text);
}

// Without a template, the box is empty and disabled.
void PromptEdit::showChat(bool hasChat, const QString& problem)
{
    m_chatBox->setEnabled(hasChat);
    m_chatBox->setChecked(hasChat && m_wantsChat);
    m_system->setVisible(m_chatBox->isChecked());
    m_chatBox->setToolTip(m_chat ? tr("Applies the model's own chat template to the prompt.")
                                 : problem);
}

Result<PromptEdit::Loaded> PromptEdit::load(const std::filesystem::path& folder)
{
    auto tokenizer = text::Tokenizer::load(folder);
    if (!tokenizer)
        return tokenizer.error();
    Loaded loaded{.tokenizer = std::move(*tokenizer), .chat = nullptr, .chatProblem = {}};
    auto chat = text::ChatTemplate::load(folder);
    loaded.hasChat = chat || chat.error().code != ErrorCode::NotFound;
    if (chat)
        loaded.chat = std::move(*chat);
    else
        loaded.chatProblem = term(chat.error().message);
    return loaded;
}

void PromptEdit::loadTokenizer()
{
    m_loading.start([folder = m_folder] { return load(folder); },
                    [this](Result<Loaded> loaded) {
                        if (!loaded) {
                            m_count->setToolTip(richText(term(loaded.error().message)));
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
         system = systemMessage().toStdString(), prompts = batchPrompts(text())] {
            std::vector<std::size_t> tokens;
            for (const std::string& prompt : prompts) {
                if (!chat) {
                    tokens.push_back(tokenizer->encode(prompt).size());
                    continue;
                }
                const auto conversation = text::renderPrompt(*chat, system, prompt);
                tokens.push_back(conversation ? tokenizer->encode(*conversation, false).size() : 0);
            }
            return tokens;
        },
        [this](const std::vector<std::size_t>& tokens) { showCounts(tokens); });
}

void PromptEdit::showCounts(const std::vector<std::size_t>& tokens)
{
    const auto number = [](std::size_t count) {
        return QLocale().toString(static_cast<qulonglong>(count));
    };
    QStringList counts;
    for (const std::size_t count : tokens)
        counts << number(count);
    const std::size_t all = std::accumulate(tokens.begin(), tokens.end(), std::size_t{0});
    m_count->setToolTip(
        tokens.size() > 1 ? tr("Tokens of each prompt: %1").arg(counts.join(u" + "_s)) : QString());
    if (tokens.size() > kMostShown)
        m_count->setText(tr("%1 prompts, %2 tokens").arg(number(tokens.size()), number(all)));
    else if (tokens.size() > 1)
        m_count->setText(tr("%1 tokens").arg(counts.join(u" + "_s)));
    else
        m_count->setText(all == 1 ? tr("1 token") : tr("%1 tokens").arg(number(all)));
}

} // namespace ep::ui
