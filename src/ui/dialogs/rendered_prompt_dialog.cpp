// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/rendered_prompt_dialog.h"

#include "theme/design.h"
#include "widgets/assembly.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSyntaxHighlighter>

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

// Uses the accent of the palette, which is visible in both themes.
class SpecialTokens : public QSyntaxHighlighter {
public:
    SpecialTokens(QStringList tokens, const QColor& colour, QTextDocument* document)
        : QSyntaxHighlighter(document)
    {
        m_format.setForeground(colour);
        m_format.setFontWeight(QFont::Bold);
        tokens.removeAll(QString());
        // Longest first, because one token may be a prefix of another.
        std::sort(tokens.begin(), tokens.end(),
                  [](const QString& a, const QString& b) { return a.size() > b.size(); });
        for (QString& token : tokens)
            token = QRegularExpression::escape(token);
        m_pattern.setPattern(tokens.join(u'|'));
    }

protected:
    void highlightBlock(const QString& text) override
    {
        if (m_pattern.pattern().isEmpty())
            return;
        for (auto found = m_pattern.globalMatch(text); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            setFormat(static_cast<int>(match.capturedStart()),
                      static_cast<int>(match.capturedLength()), m_format);
        }
    }

private:
    QRegularExpression m_pattern;
    QTextCharFormat m_format;
};

} // namespace

RenderedPromptDialog::RenderedPromptDialog(const QString& prompt, const QStringList& specialTokens,
                                           QWidget* parent)
    : QDialog(parent)
{
    setObjectName(u"renderedPrompt"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Rendered Prompt"));
    resize(80 * kGrid, 60 * kGrid);
    auto* text = named(new QPlainTextEdit(this), u"renderedText"_s, tr("What the model gets"));
    text->setReadOnly(true);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setTabChangesFocus(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    new SpecialTokens(specialTokens, palette().color(QPalette::Link), text->document());
    text->setPlainText(prompt);

    auto* buttons = dialogButtons(*this, QDialogButtonBox::Close);
    auto* copy =
        named(buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole), u"copyRendered"_s);
    connect(copy, &QPushButton::clicked, this,
            [prompt] { QApplication::clipboard()->setText(prompt); });
    inColumn(this, {{text, 1}, buttons});
}

} // namespace ep::ui
