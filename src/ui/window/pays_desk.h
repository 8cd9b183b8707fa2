// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/library.h"
#include "ep/session/backend.h"
#include "ep/session/events.h"

#include <QObject>
#include <QPointer>

#include <filesystem>
#include <functional>
#include <vector>

class QWidget;

namespace ep::ui {

class PaysDialog;

// The dialog "Which Is Cheaper Here?" of a window: one at a time, beside the pages. GUI thread.
class PaysDesk : public QObject {
    Q_OBJECT

public:
    struct Choices {
        std::vector<model::ModelListing> models;
        session::RunRequest run; // initial values of the fields
        bool store_texts = true;
    };
    PaysDesk(session::Backend backend, std::filesystem::path database,
             std::function<Choices()> choices, QWidget* window);

    static PaysDesk& of(const QObject& window);

    void open(); // or brings it to the front
    bool running() const { return m_running; }
    void stop();
    void setBusyElsewhere(const QString& reason); // why nothing can run now; empty: something can

Q_SIGNALS:
    void runningChanged();
    void pairStored();
    void cardKept();
    void runsRequested(const QString& experiment);

private:
    session::Backend m_backend;
    std::filesystem::path m_database;
    std::function<Choices()> m_choices;
    QWidget* m_window;
    QPointer<PaysDialog> m_dialog;
    QString m_busy;
    bool m_running = false;
};

} // namespace ep::ui
