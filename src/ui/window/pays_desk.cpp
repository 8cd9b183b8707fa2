// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/pays_desk.h"

#include "dialogs/pays_dialog.h"

#include <QWidget>

#include <utility>

namespace ep::ui {

PaysDesk::PaysDesk(session::Backend backend, std::filesystem::path database,
                   std::function<Choices()> choices, QWidget* window)
    : QObject(window)
    , m_backend(std::move(backend))
    , m_database(std::move(database))
    , m_choices(std::move(choices))
    , m_window(window)
{
}

PaysDesk& PaysDesk::of(const QObject& window)
{
    return *window.findChild<PaysDesk*>(QString(), Qt::FindDirectChildrenOnly);
}

void PaysDesk::open()
{
    if (m_dialog) {
        m_dialog->show();
        m_dialog->raise();
        m_dialog->activateWindow();
        return;
    }
    Choices choices = m_choices();
    m_dialog = new PaysDialog(m_backend, std::move(choices.models), m_database, m_window);
    m_dialog->setStoreTexts(choices.store_texts);
    m_dialog->setRun(choices.run);
    m_dialog->setBusyElsewhere(m_busy);
    connect(m_dialog, &PaysDialog::runningChanged, this, [this](bool running) {
        m_running = running;
        Q_EMIT runningChanged();
    });
    connect(m_dialog, &PaysDialog::pairStored, this, &PaysDesk::pairStored);
    connect(m_dialog, &PaysDialog::cardKept, this, &PaysDesk::cardKept);
    connect(m_dialog, &PaysDialog::runsRequested, this, &PaysDesk::runsRequested);
    // The dialog would cover the runs. The result stays until the dialog is closed.
    connect(m_dialog, &PaysDialog::runsRequested, m_dialog, &QWidget::hide);
    m_dialog->show();
}

void PaysDesk::stop()
{
    if (m_dialog)
        m_dialog->stop();
}

void PaysDesk::setBusyElsewhere(const QString& reason)
{
    m_busy = reason;
    if (m_dialog)
        m_dialog->setBusyElsewhere(reason);
}

} // namespace ep::ui
