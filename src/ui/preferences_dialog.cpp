// SPDX-License-Identifier: GPL-3.0-or-later
#include "preferences_dialog.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QVBoxLayout>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

PreferencesDialog::PreferencesDialog(const Settings& settings, QWidget* parent)
    : QDialog(parent)
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

void PreferencesDialog::writeSettings(Settings& settings) const
{
    settings.intervalMs = m_interval->value();
    settings.threads = m_threads->value();
    settings.sparsityThreshold = m_sparsity->value();
}

} // namespace ep::ui
