// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/api/server.h"

#include <QObject>
#include <QThread>

#include <cstdint>
#include <memory>

namespace ep::ui {

// The local API of the window: a server in its own thread, so that reading the database for a
// request never blocks the window. GUI thread.
class ApiSwitch : public QObject {
    Q_OBJECT

public:
    // The port in `options` is set by set().
    ApiSwitch(session::Backend backend, api::Options options, QObject* parent = nullptr);
    ~ApiSwitch() override; // a run in progress is stored as cancelled

    void set(bool on,
             int port); // returns immediately; switching on is followed by listening() or failed()
    bool on() const { return m_on; }
    bool running() const { return m_running; } // a run requested by a program
    void setBusyElsewhere(bool busy); // such runs then wait
    void setStoreTexts(bool store); // for future runs; otherwise only hashes

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
