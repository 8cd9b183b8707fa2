// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QObject>
#include <QStringList>
#include <QThread>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace ep::store {
class Store;
}

namespace ep::ui {

using RunList = std::shared_ptr<const std::vector<RunSummary>>;

// The stored runs as the window sees them. Lives in the GUI thread; the database is used on a
// thread of its own, where it is opened with the first question. Every call returns at once and is
// answered by a signal; when a newer question of the same kind was asked meanwhile, the older one
// is not answered at all.
class RunRepository : public QObject {
    Q_OBJECT

public:
    enum class Format { Json, Csv };

    explicit RunRepository(std::filesystem::path database, QObject* parent = nullptr);
    ~RunRepository() override; // waits for the question that is being answered

    const std::filesystem::path& database() const { return m_database; }

    void refresh(); // listed or failed
    void open(const QString& idOrItsBeginning); // opened or failed
    void remove(const QStringList& ids); // removed (those that are gone), failed if one is not
    // A JSON file, or a folder with one CSV file for each table: exported or failed.
    void exportRun(const QString& id, Format format, const QString& path);

Q_SIGNALS:
    void listed(const ep::ui::RunList& runs); // newest first
    void opened(const ep::RunPtr& run);
    void removed(const QStringList& ids);
    void exported(const QString& path);
    void failed(const QString& problem);

private:
    struct Worker;
    using Question = std::function<void(Worker&)>;
    void ask(Question question);
    void answer(std::function<void()> inGuiThread); // called on the worker's thread

    std::filesystem::path m_database;
    QThread m_thread;
    std::unique_ptr<Worker> m_worker; // lives in m_thread
    quint64 m_listGeneration = 0;
    quint64 m_openGeneration = 0;
};

} // namespace ep::ui

Q_DECLARE_METATYPE(ep::ui::RunList)
Q_DECLARE_METATYPE(ep::RunPtr)
