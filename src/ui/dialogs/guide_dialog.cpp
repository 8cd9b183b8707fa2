// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/guide_dialog.h"

#include "theme/design.h"
#include "theme/ui_resources.h"
#include "widgets/assembly.h"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QImage>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextLayout>
#include <QToolButton>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr QSize kGuideSize(860, 640);

// Shows pages without pictures, since the program contains only the text.
class GuideText : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;

    QVariant loadResource(int type, const QUrl& name) override
    {
        if (type == QTextDocument::ImageResource) {
            QImage none(1, 1, QImage::Format_ARGB32_Premultiplied);
            none.fill(Qt::transparent);
            return none;
        }
        return QTextBrowser::loadResource(type, name);
    }
};

// The anchor that a heading has on the web: "Live: make a run" is #live-make-a-run.
QString anchorOf(const QString& heading)
{
    QString anchor;
    for (const QChar letter : heading.toLower()) {
        if (letter.isLetterOrNumber() || letter == u'-' || letter == u'_')
            anchor += letter;
        else if (letter.isSpace())
            anchor += u'-';
    }
    return anchor;
}

} // namespace

GuideDialog::GuideDialog(QWidget* parent)
    : QDialog(parent)
    , m_text(named(new GuideText(this), u"guideText"_s, tr("User Guide")))
    , m_back(iconButton(u"guideBack"_s, "back"_L1, tr("Back"), this))
    , m_forward(iconButton(u"guideForward"_s, "forward"_L1, tr("Forward"), this))
    , m_search(named(new QLineEdit(this), u"guideSearch"_s, tr("Find on this page")))
{
    initResources();
    prepareDialog(*this, u"guideDialog"_s, tr("User Guide"));
    resize(kGuideSize);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(2 * kGrid);
    m_search->setPlaceholderText(tr("Find on this page"));
    m_search->setClearButtonEnabled(true);
    auto* contents = named(new QPushButton(tr("Contents"), this), u"guideContents"_s);
    contents->setAutoDefault(false);
    auto* tools = inRow({m_back, m_forward, contents, Stretch{}, {m_search, 1}});
    auto* buttons = dialogButtons(*this, QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false); // Return searches
    inColumn(this, {tools, {m_text, 1}, buttons});

    m_back->setEnabled(false);
    m_forward->setEnabled(false);
    connect(m_text, &QTextBrowser::backwardAvailable, m_back, &QWidget::setEnabled);
    connect(m_text, &QTextBrowser::forwardAvailable, m_forward, &QWidget::setEnabled);
    connect(m_back, &QToolButton::clicked, m_text, &QTextBrowser::backward);
    connect(m_forward, &QToolButton::clicked, m_text, &QTextBrowser::forward);
    connect(m_text, &QTextBrowser::anchorClicked, this, &GuideDialog::follow);
    connect(m_search, &QLineEdit::returnPressed, this, &GuideDialog::findNext);
    const QUrl first(u"qrc:/guide/user-guide.md"_s);
    connect(contents, &QPushButton::clicked, this, [this, first] { follow(first); });
    follow(first);
}

void GuideDialog::open(QWidget& window, const QString& page)
{
    auto* dialog = window.findChild<GuideDialog*>();
    if (!dialog)
        dialog = new GuideDialog(&window);
    if (!page.isEmpty())
        dialog->follow(QUrl(page));
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

// Follows links within the guide; other pages are opened on the web, if they exist there.
void GuideDialog::follow(const QUrl& link)
{
    const QUrl target = m_text->source().resolved(link);
    if (target.scheme() != u"qrc") {
        QDesktopServices::openUrl(target);
        return;
    }
    const QUrl page = target.adjusted(QUrl::RemoveFragment);
    if (page != m_text->source().adjusted(QUrl::RemoveFragment)) {
        if (!QFileInfo::exists(u':' + page.path()))
            return;
        m_text->setSource(page, QTextDocument::MarkdownResource);
    }
    if (target.hasFragment())
        showHeading(target.fragment());
    else
        m_text->verticalScrollBar()->setValue(0);
}

void GuideDialog::showHeading(const QString& fragment)
{
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != fragment)
            continue;
        m_text->setTextCursor(QTextCursor(block));
        const QRect at = m_text->cursorRect();
        QScrollBar* bar = m_text->verticalScrollBar();
        bar->setValue(bar->value() + at.top() - kGrid);
        return;
    }
}

void GuideDialog::findNext()
{
    const QString words = m_search->text();
    if (words.isEmpty() || m_text->find(words))
        return;
    m_text->moveCursor(QTextCursor::Start); // continues from the top
    m_text->find(words);
}

} // namespace ep::ui
