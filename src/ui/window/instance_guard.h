// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>

class QLocalServer;

namespace ep::ui {

// One window for each run database and user. A second start hands what it was asked to open over to
// the first and ends; where the first does not answer, the second opens a window of its own, which
// the database allows. GUI thread.
class InstanceGuard : public QObject {
    Q_OBJECT

public:
    explicit InstanceGuard(const std::filesystem::path& database, QObject* parent = nullptr);
    ~InstanceGuard() override;

    // True: another process shows that database, has heard `path` (may be empty) and comes forward.
    // Waits for it for a second or two at most.
    bool handOver(const QString& path);
    // From now on this process is the one that is asked. False where that cannot be.
    bool listen();
    const QString& name() const { return m_name; }

Q_SIGNALS:
    void asked(const QString& path); // by another process, to come forward and open it

private:
    void answer();

    QString m_name;
    std::unique_ptr<QLocalServer> m_server;
};

} // namespace ep::ui
