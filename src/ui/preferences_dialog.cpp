// SPDX-License-Identifier: GPL-3.0-or-later
#include "preferences_dialog.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

PreferencesDialog::PreferencesDialog(const Settings& settings, QWidget* parent)
    : QDialog(parent)
    , m_folders(new QListWidget(this))
    , m_interval(new QSpinBox(this))
    , m_threads(new QSpinBox(this))
    , m_sparsity(new QDoubleSpinBox(this))
{
    setObjectName(u"preferencesDialog"_s);
    setWindowTitle(tr("Preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_interval->setObjectName(u"intervalMs"_s);
    m_interval->setRange(10, 10'000);
    m_interval->setSuffix(tr(" ms"));
    m_interval->setValue(settings.intervalMs);
    m_threads->setObjectName(u"threads"_s);
    m_threads->setRange(0, 1024);
    m_threads->setSpecialValueText(tr("all cores"));
    m_threads->setValue(settings.threads);
    m_sparsity->setObjectName(u"sparsityThreshold"_s);
    m_sparsity->setRange(0.0, 1'000'000.0);
    m_sparsity->setDecimals(4);
    m_sparsity->setSingleStep(0.005);
    m_sparsity->setValue(settings.sparsityThreshold);

    auto* form = new QFormLayout;
    form->addRow(tr("Look for models also in"), buildFolders(settings));
    form->addRow(tr("Ask for a power sample every"), m_interval);
    form->addRow(tr("Threads on the CPU"), m_threads);
    form->addRow(tr("An activation counts as zero below"), m_sparsity);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(buttons);
}

QWidget* PreferencesDialog::buildFolders(const Settings& settings)
{
    m_folders->setObjectName(u"modelFolderList"_s);
    m_folders->setAccessibleName(tr("Folders with models"));
    m_folders->setMaximumHeight(120);
    m_folders->addItems(settings.modelFolders);
    auto* box = new QWidget(this);
    auto* add = new QPushButton(tr("Add…"), box);
    add->setObjectName(u"addFolder"_s);
    auto* remove = new QPushButton(tr("Remove"), box);
    remove->setObjectName(u"removeFolder"_s);
    remove->setEnabled(false);
    connect(add, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Folder with Models"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, this,
                [this](const QString& folder) { m_folders->addItem(folder); });
        dialog->open();
    });
    connect(remove, &QPushButton::clicked, this, [this] { delete m_folders->currentItem(); });
    connect(m_folders, &QListWidget::currentRowChanged, remove,
            [remove](int row) { remove->setEnabled(row >= 0); });

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(add);
    buttons->addWidget(remove);
    buttons->addStretch();
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_folders);
    layout->addLayout(buttons);
    return box;
}

void PreferencesDialog::writeSettings(Settings& settings) const
{
    settings.modelFolders.clear();
    for (int row = 0; row < m_folders->count(); ++row)
        settings.modelFolders << m_folders->item(row)->text();
    settings.intervalMs = m_interval->value();
    settings.threads = m_threads->value();
    settings.sparsityThreshold = m_sparsity->value();
}

} // namespace ep::ui
