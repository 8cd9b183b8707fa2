// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/help_dialogs.h"

#include "text.h"
#include "theme/design.h"
#include "theme/ui_resources.h"
#include "widgets/assembly.h"

#include "ep/session/environment.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QIcon>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSysInfo>
#include <QTableWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolButton>

#include <vector>

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

constexpr int kAboutIconSize = 64;

struct Part {
    QString name;
    QString use;
    QString licence;
};

std::vector<Part> parts()
{
    const auto tr = [](const char* text) {
        return QCoreApplication::translate("ep::ui::AboutDialog", text);
    };
    return {
        {u"Qt %1"_s.arg(QLatin1StringView(qVersion())), tr("Windows, threads, processes"),
         u"LGPL-3.0"_s},
        {u"Qt Charts"_s, tr("Power chart"), u"GPL-3.0"_s},
        {u"LibTorch %1"_s.arg(toQString(session::builtWithTorch())), tr("Tensor computation"),
         u"BSD-3-Clause"_s},
        {u"SQLite"_s, tr("Run database"), tr("Public domain")},
        {u"nlohmann/json"_s, tr("JSON"), u"MIT"_s},
        {u"Expat"_s, tr("Property lists of powermetrics"), u"MIT"_s},
        {u"libzip"_s, tr("Zip archives"), u"BSD-3-Clause"_s},
        {u"PCRE2, utf8proc"_s, tr("Tokenizers"), u"BSD-3-Clause, MIT"_s},
        {u"CLI11"_s, tr("Command line"), u"BSD-3-Clause"_s},
    };
}

QTableWidget* partsTable(QWidget* parent)
{
    const std::vector<Part> all = parts();
    auto* table = named(new QTableWidget(static_cast<int>(all.size()), 3, parent), u"aboutParts"_s,
                        AboutDialog::tr("Libraries used by the program"));
    table->setHorizontalHeaderLabels(
        {AboutDialog::tr("Library"), AboutDialog::tr("Purpose"), AboutDialog::tr("Licence")});
    prepareTable(*table);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    for (int row = 0; row < table->rowCount(); ++row) {
        const Part& part = all[static_cast<std::size_t>(row)];
        table->setItem(row, 0, new QTableWidgetItem(part.name));
        table->setItem(row, 1, new QTableWidgetItem(part.use));
        table->setItem(row, 2, new QTableWidgetItem(part.licence));
    }
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

// Facts about the program that a bug report needs, one per line.
QString versionsText()
{
    const QString commit = toQString(session::builtFromCommit());
    return u"Energy Profiler %1\ncommit %2\nLibTorch %3\nQt %4 (built with %5)\n%6, %7\n"_s.arg(
        toQString(session::applicationVersion()), commit.isEmpty() ? u"unknown"_s : commit,
        toQString(session::builtWithTorch()), QLatin1StringView(qVersion()),
        QLatin1StringView(QT_VERSION_STR), QSysInfo::prettyProductName(),
        QSysInfo::currentCpuArchitecture());
}

QString plain(QString text)
{
    return text.remove(u'&').remove(u"…"_s);
}

void addRow(QTableWidget& table, const QString& place, const QString& what, const QString& keys)
{
    const int row = table.rowCount();
    table.insertRow(row);
    table.setItem(row, 0, new QTableWidgetItem(place));
    table.setItem(row, 1, new QTableWidgetItem(what));
    table.setItem(row, 2, new QTableWidgetItem(keys));
}

void addMenuActions(QTableWidget& table, const QString& place, const QList<QAction*>& actions)
{
    for (const QAction* action : actions) {
        if (const QMenu* menu = action->menu()) {
            const QString title = plain(menu->title());
            addMenuActions(table, place.isEmpty() ? title : place + u" › "_s + title,
                           menu->actions());
        } else if (!action->shortcut().isEmpty()) {
            addRow(table, place, plain(action->text()),
                   QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText));
        }
    }
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

AboutDialog::AboutDialog(const std::filesystem::path& database, QWidget* parent)
    : QDialog(parent)
{
    prepareDialog(*this, u"aboutDialog"_s, tr("About Energy Profiler"));
    auto* icon = new QLabel(this);
    icon->setPixmap(QIcon(u":/icons/energy-profiler-128.png"_s).pixmap(kAboutIconSize));
    auto* name =
        new QLabel(tr("Energy Profiler %1").arg(toQString(session::applicationVersion())), this);
    name->setObjectName(u"aboutVersion"_s);
    setType(*name, TypeSize::Title, true);
    auto* text = new QLabel(
        tr("Shows where the joules of a transformer's inference go.\n\nFree software under the GNU "
           "General Public License, version 3 or later; it comes without any warranty.\n\nRuns are "
           "stored in %1")
            .arg(pathText(database)),
        this);
    text->setObjectName(u"aboutText"_s);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* commit = new QLabel(tr("Commit %1")
                                  .arg(session::builtFromCommit().empty()
                                           ? tr("unknown")
                                           : toQString(session::builtFromCommit())),
                              this);
    commit->setObjectName(u"aboutCommit"_s);
    commit->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* buttons = dialogButtons(*this, QDialogButtonBox::Close);
    auto* copy = named(buttons->addButton(tr("&Copy Versions"), QDialogButtonBox::ActionRole),
                       u"aboutCopy"_s);
    connect(copy, &QPushButton::clicked, this,
            [] { QGuiApplication::clipboard()->setText(versionsText()); });
    auto* layout = new QGridLayout(this);
    layout->addWidget(icon, 0, 0, 3, 1, Qt::AlignTop);
    layout->addWidget(name, 0, 1);
    layout->addWidget(commit, 1, 1);
    layout->addWidget(text, 2, 1);
    layout->addWidget(partsTable(this), 3, 0, 1, 2);
    layout->addWidget(buttons, 4, 0, 1, 2);
    layout->setRowStretch(3, 1);
    layout->setColumnStretch(1, 1);
    resize(600, 520);
}

ShortcutSheet::ShortcutSheet(const QMenuBar& menus, QWidget* parent)
    : QDialog(parent)
{
    prepareDialog(*this, u"shortcutSheet"_s, tr("Keyboard Shortcuts"));
    auto* table = named(new QTableWidget(0, 3, this), u"shortcutTable"_s);
    table->setHorizontalHeaderLabels({tr("Context"), tr("Action"), tr("Keys")});
    prepareTable(*table);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setAlternatingRowColors(true);
    addMenuActions(*table, {}, menus.actions());
    addRow(*table, tr("History"), tr("Open the selected run"), tr("Return"));
    addRow(*table, tr("History"), tr("Delete the selected runs"),
           QKeySequence(QKeySequence::Delete).toString(QKeySequence::NativeText));
    addRow(*table, tr("Charts"), tr("Move the cursor"), tr("Arrow keys, Home, End"));
    addRow(*table, tr("Charts"), tr("Expand or select the item under the cursor"), tr("Return"));
    addRow(*table, tr("Charts"), tr("Zoom in, out"), tr("W, S or +, −"));
    addRow(*table, tr("Charts"), tr("Earlier, later"), tr("A, D"));
    addRow(*table, tr("Charts"), tr("Show the selection, show all"), tr("F, 0"));
    addRow(*table, tr("Charts"), tr("Clear one level of the selection"), tr("Escape"));
    addRow(*table, tr("Charts over time"), tr("Select a range, zoom to it"),
           tr("Drag, Shift+drag"));
    addRow(*table, tr("Charts over time"), tr("Pan, zoom at the pointer"),
           tr("Wheel, Ctrl+wheel or pinch"));
    addRow(*table, tr("Charts over time"), tr("Clear the selection"), tr("Double click"));
    addRow(*table, tr("Text"), tr("Select several tokens"), tr("Shift+click, Shift+arrows"));
    addRow(*table, tr("Live power"), tr("Follow the newest samples"), tr("F"));
    addRow(*table, tr("Live power"), tr("Last minute, all"), tr("M, A"));
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);

    auto* buttons = dialogButtons(*this, QDialogButtonBox::Close);
    inColumn(this, {table, buttons});
    resize(720, 560);
}

} // namespace ep::ui
