// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/api/server.h"

#include <QObject>
#include <QThread>

namespace ep::ui {

// The window's local API: a server on its own thread, so that reading the database for a request
// never blocks the window. GUI thread.
class ApiSwitch : public QObject {
    Q_OBJECT

public:
    // options: set() sets their port.
    ApiSwitch(session::Backend backend, api::Options options, QObject* parent = nullptr);
    ~ApiSwitch() override; // stores a run in progress as cancelled

    void set(bool on,
             int port); // returns immediately; switching on is followed by listening() or failed()
    bool on() const { return m_on; }
    bool running() const { return m_running; } // whether a run for a program is in progress
    void setBusyElsewhere(bool busy); // runs requested by programs then wait
    void setStoreTexts(bool store); // for future runs; false: only hashes

Q_SIGNALS:
    void listening(const QString& address);
    void failed(const QString& problem);
    void runningChanged();
    void runStored(const QString& runId);

private:
    struct Worker;

    session::Backend m_backend;
    api::Options m_options;
    QThread m_thread;
    Worker* m_worker = nullptr; // lives on m_thread
    bool m_on = false;
    bool m_running = false;
    bool m_busyElsewhere = false;
    int m_port = 0;
};

} // namespace ep::ui
