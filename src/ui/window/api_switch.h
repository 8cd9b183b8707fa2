// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/api/server.h"

#include <QObject>
#include <QThread>

#include <cstdint>
#include <memory>

namespace ep::ui {

// The local API of the window: a server in a thread of its own, so that reading the database for a
// request never holds up the window. GUI thread.
class ApiSwitch : public QObject {
    Q_OBJECT

public:
    // Of `options` the port comes with set().
    ApiSwitch(session::Backend backend, api::Options options, QObject* parent = nullptr);
    ~ApiSwitch() override; // a run that goes on is stored as cancelled

    void set(bool on, int port); // returns at once; listening() or failed() follows a switch on
    bool on() const { return m_on; }
    bool running() const { return m_running; } // a run that a program asked for
    void setBusyElsewhere(bool busy); // then such runs wait
    void setStoreTexts(bool store); // of runs to come; else only hashes

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
    Worker* m_worker = nullptr; // lives in the thread
    bool m_on = false;
    bool m_running = false;
    bool m_busyElsewhere = false;
    int m_port = 0;
};

} // namespace ep::ui
