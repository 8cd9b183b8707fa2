// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/about_dialog.h"

#include "text.h"
#include "theme/design.h"
#include "widgets/assembly.h"

#include "ep/session/environment.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QSysInfo>
#include <QTableWidget>

#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

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

} // namespace

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

} // namespace ep::ui
