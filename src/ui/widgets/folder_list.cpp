// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/folder_list.h"

#include "ep/ui/file_dialog.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr int kTallest = 84; // pixels; longer lists scroll

} // namespace

FolderList::FolderList(const QStringList& folders, QWidget* parent)
    : QWidget(parent)
    , m_list(new QListWidget(this))
{
    m_list->setObjectName(u"modelFolderList"_s);
    m_list->setAccessibleName(tr("Folders with models"));
    m_list->setMaximumHeight(kTallest);
    m_list->addItems(folders);
    auto* add = new QPushButton(tr("Add…"), this);
    add->setObjectName(u"addFolder"_s);
    auto* remove = new QPushButton(tr("Remove"), this);
    remove->setObjectName(u"removeFolder"_s);
    remove->setEnabled(false);

    auto* buttons = new QVBoxLayout;
    buttons->addWidget(add);
    buttons->addWidget(remove);
    buttons->addStretch();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);

    connect(add, &QPushButton::clicked, this, &FolderList::browse);
    connect(remove, &QPushButton::clicked, this, [this] {
        delete m_list->currentItem();
        Q_EMIT changed();
    });
    connect(m_list, &QListWidget::currentRowChanged, remove,
            [remove](int row) { remove->setEnabled(row >= 0); });
}

QStringList FolderList::folders() const
{
    QStringList all;
    for (int row = 0; row < m_list->count(); ++row)
        all << m_list->item(row)->text();
    return all;
}

void FolderList::browse()
{
    auto* dialog = makeFileDialog(this, tr("Folder with Models"), u"folderDialog"_s);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        if (folders().contains(folder))
            return;
        m_list->addItem(folder);
        Q_EMIT changed();
    });
    dialog->open();
}

} // namespace ep::ui
