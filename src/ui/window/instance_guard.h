// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>

class QLocalServer;

namespace ep::ui {

// Allows one window per run database and user. A second instance passes its arguments to the first
// and ends; if the first does not answer, it opens its own window, which the database supports.
// GUI thread.
class InstanceGuard : public QObject {
    Q_OBJECT

public:
    explicit InstanceGuard(const std::filesystem::path& database, QObject* parent = nullptr);
    ~InstanceGuard() override;

    // True: another process shows that database, has received `path` (may be empty) and comes to
    // the front. Waits for one or two seconds at most.
    bool handOver(const QString& path);
    // From now on, this process receives the requests. False if that is impossible.
    bool listen();
    const QString& name() const { return m_name; }

Q_SIGNALS:
    void asked(const QString& path); // another process asks to come to the front and open `path`

private:
    void answer();

    QString m_name;
    std::unique_ptr<QLocalServer> m_server;
};

} // namespace ep::ui
