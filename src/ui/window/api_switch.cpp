// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/api_switch.h"

#include "ep/core/start_thread.h"
#include "ep/ui/terms.h"

#include <utility>

namespace ep::ui {

// The part that lives on the API's thread.
struct ApiSwitch::Worker : public QObject {
    std::unique_ptr<api::Server> server;
};

ApiSwitch::ApiSwitch(session::Backend backend, api::Options options, QObject* parent)
    : QObject(parent)
    , m_backend(std::move(backend))
    , m_options(std::move(options))
{
    m_thread.setObjectName(QStringLiteral("api"));
}

ApiSwitch::~ApiSwitch()
{
    m_thread.quit();
    m_thread.wait();
}

void ApiSwitch::set(bool on, int port)
{
    if (on == m_on && (!on || port == m_port))
        return;
    m_on = on;
    m_port = port;
    if (m_worker == nullptr) {
        m_worker = new Worker;
        m_worker->moveToThread(&m_thread);
        connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
        if (const Status started = startThread(m_thread); !started) {
            delete std::exchange(m_worker, nullptr);
            m_on = false;
            Q_EMIT failed(term(started.error().message));
            return;
        }
    }
    api::Options options = m_options;
    options.port = static_cast<std::uint16_t>(port);
    const auto change = [this, worker = m_worker, on, options = std::move(options),
                         backend = m_backend, busy = m_busyElsewhere] {
        worker->server.reset();
        // Signals to this object are queued: it lives in the window's thread.
        QMetaObject::invokeMethod(this, [this] {
            m_running = false;
            Q_EMIT runningChanged();
        });
        if (!on)
            return;
        auto server = std::make_unique<api::Server>(options, backend);
        connect(server.get(), &api::Server::runStored, this, &ApiSwitch::runStored);
        connect(server.get(), &api::Server::runningChanged, this, [this](bool running) {
            m_running = running;
            Q_EMIT runningChanged();
        });
        server->setBusyElsewhere(busy);
        if (const Status status = server->listen(); !status) {
            const QString problem = term(status.error().message);
            QMetaObject::invokeMethod(this, [this, problem] {
                m_on = false;
                Q_EMIT failed(problem);
            });
            return;
        }
        const QString address = QStringLiteral("http://127.0.0.1:%1").arg(server->port());
        QMetaObject::invokeMethod(this, [this, address] { Q_EMIT listening(address); });
        worker->server = std::move(server);
    };
    QMetaObject::invokeMethod(m_worker, change);
}

void ApiSwitch::setStoreTexts(bool store)
{
    m_options.store_texts = store;
    if (m_worker == nullptr)
        return;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, store] {
        if (worker->server)
            worker->server->setStoreTexts(store);
    });
}

void ApiSwitch::setBusyElsewhere(bool busy)
{
    m_busyElsewhere = busy;
    if (m_worker == nullptr)
        return;
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, busy] {
        if (worker->server)
            worker->server->setBusyElsewhere(busy);
    });
}

} // namespace ep::ui
