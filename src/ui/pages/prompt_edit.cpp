// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/prompt_edit.h"

#include "text.h"

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
    , m_count(new QLabel(this))
{
    m_edit->setObjectName(u"promptEdit"_s);
    m_edit->setPlaceholderText(tr("What the model is to continue"));
    m_edit->setAccessibleName(tr("Prompt"));
    m_edit->setTabChangesFocus(true);
    m_edit->setMinimumHeight(m_edit->fontMetrics().lineSpacing() * kVisibleLines);
    m_count->setObjectName(u"promptTokenCount"_s);
    m_count->setAlignment(Qt::AlignRight);
    setFocusProxy(m_edit);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_count);

    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &PromptEdit::count);
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        m_pause.start();
        Q_EMIT textChanged();
    });
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
    m_counting.drop();
    m_count->clear();
    if (!folder.empty())
        loadTokenizer();
    else
        m_loading.drop();
}

void PromptEdit::loadTokenizer()
{
    m_loading.start([folder = m_folder] { return model::Tokenizer::load(folder); },
                    [this](Result<TokenizerPtr> loaded) {
                        if (!loaded) {
                            m_count->setToolTip(toQString(loaded.error().message));
                            return;
                        }
                        m_count->setToolTip({});
                        m_tokenizer = *loaded;
                        count();
                    });
}

void PromptEdit::count()
{
    if (!m_tokenizer)
        return;
    m_counting.start(
        [tokenizer = m_tokenizer, text = text().toStdString()] {
            return text.empty() ? std::size_t{0} : tokenizer->encode(text).size();
        },
        [this](std::size_t tokens) {
            m_count->setText(
                tokens == 1
                    ? tr("1 token")
                    : tr("%1 tokens").arg(QLocale().toString(static_cast<qulonglong>(tokens))));
        });
}

} // namespace ep::ui
