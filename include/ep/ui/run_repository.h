// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/machine_record.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/run_tree.h"
#include "ep/core/thread_clock.h"
#include "ep/energy/comparison.h"
#include "ep/energy/ledger.h"
#include "ep/ui/run_reader.h"

#include <QObject>
#include <QStringList>
#include <QThread>

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace ep::store {
struct PruneRule;
struct RunEdit;
struct StoreSize;
} // namespace ep::store

namespace ep::session {
struct Explanation;
}

namespace ep::ui {

using RunList = std::shared_ptr<const std::vector<RunSummary>>;
using TotalsPtr = std::shared_ptr<const std::vector<ComponentTotal>>;
using BreakdownPtr = std::shared_ptr<const RunBreakdown>;
using TracePtr = std::shared_ptr<const RunTrace>;
using StoreSizePtr = std::shared_ptr<const store::StoreSize>;
using QualityList = std::shared_ptr<const std::vector<QualityRecord>>;
using ExplanationPtr = std::shared_ptr<const session::Explanation>;
using RunGroups = std::shared_ptr<const std::vector<energy::RunGroup>>;

// The stored runs as seen by the window. Lives on the GUI thread; the database is used on a
// separate thread, where it is opened at the first request. Every call returns immediately and is
// answered by a signal; if a newer request of the same kind has been made meanwhile, the older one
// is not answered.
class RunRepository : public RunReader {
    Q_OBJECT

public:
    enum class Format { Json, Csv, CsvZip, Trace };

    explicit RunRepository(std::filesystem::path database, QObject* parent = nullptr);
    ~RunRepository() override; // waits for the current request

    const std::filesystem::path& database() const { return m_database; }
    const ThreadClock& threadClock() const { return m_threadClock; } // the database thread's clock

    void refresh(); // answered by listed or failed
    // How often to check for changes by other processes, in milliseconds; a slow disk is checked
    // less often. A shorter interval than before checks at once.
    void setPollInterval(int ms);
    // Answered by opened or failed. Another open() interrupts an earlier one.
    void open(const QString& idOrItsBeginning);
    // Answers documents; opening another run cancels their open questions.
    void read(const CancelToken& cancel, RunReader::Question question) override;
    void record(const AdviceRecord& advice); // answered by failed, or not at all
    // Hides runs until restore() or the end of the program. Answered by removed or failed.
    void remove(const QStringList& ids);
    void restore(const QStringList& ids); // like refresh()
    void edit(const QStringList& ids, const store::RunEdit& changes); // like refresh()
    void measure(); // answered by measured or failed
    void prune(const store::PruneRule& rule); // answered by removed (possibly none) or failed
    // Deletes the runs that any of the rules selects, like prune(); no signal if there are none.
    void retain(const std::vector<store::PruneRule>& rules);
    // Opens the only run of a file, importing it if it does not exist; or all runs of a database.
    // Answered by fileOpened or failed.
    void openFile(const QString& file);
    // Replaces the database by the newest backup. Answered by restored and listed, or by failed.
    void restoreBackup();
    void vacuum(); // answered by vacuuming until 1, then measured, or failed
    // Saves the report of a run as HTML, or as PDF if the path ends in .pdf. Answered by exported
    // or failed.
    void saveReport(const QString& id, const QString& path);
    // Which runs count as repeats of each other: only the given ones, all stored ones, or none.
    enum class Repeats { Named, Stored, None };
    // Compares 2 to 4 runs, or more if they form at most 4 groups of repeats: compared or failed.
    // Another compare() interrupts an earlier one.
    void compare(const QStringList& ids, Repeats repeats);
    // Imports files with the JSON of runs, and run databases: imported, then listed; or failed.
    void importFiles(const QStringList& files);
    // Writes a JSON or trace file, a zip archive, or a folder with one CSV file per table:
    // exported or failed.
    void exportRun(const QString& id, Format format, const QString& path);

Q_SIGNALS:
    // Emitted before each listed(): measurements of the models, newest first.
    void qualitiesListed(const ep::ui::QualityList& qualities);
    // Newest first. Also emitted after another process has changed the database.
    void listed(const ep::ui::RunList& runs);
    // run: without layers, components and operations; totals: what a heatmap needs.
    void opened(const ep::RunPtr& run, const ep::ui::TotalsPtr& totals);
    void noticed(const ep::Message& sentence); // why nothing can be changed
    void measured(const ep::ui::StoreSizePtr& size);
    void vacuuming(double fraction);
    void removed(const QStringList& ids);
    void exported(const QString& path);
    void compared(const ep::ui::RunGroups& groups);
    void imported(const QStringList& ids,
                  int skipped); // skipped: number of runs that already exist
    // ids: the runs in the file; added: number of new ones.
    void fileOpened(const QString& file, const QStringList& ids, int added);
    void failed(const ep::Error& error);
    // The database cannot be read, but there is a backup.
    void unreadable(const ep::Error& error);
    void restored(const QString& backup, const QString& before);

private:
    struct Worker;
    void post(std::function<void(Worker&)> job); // the worker's thread calls job
    void ask(std::function<void(Worker&)> question); // before any cleaning
    void answer(std::function<void()> inGuiThread); // call it on the worker's thread
    void change(std::function<Status(store::Store&)> change, std::function<void()> done);
    void take(std::vector<store::PruneRule> rules, std::function<void(const QStringList&)> done);
    void watch(); // watches for changes by other processes
    void emptyTrash();
    void backUp(); // if a backup is due and nothing is being measured

    std::filesystem::path m_database;
    CancelToken m_opening; // cancels the opening of a run
    std::deque<CancelToken> m_reading; // tokens of the unanswered questions, in order
    CancelToken m_comparing;
    CancelToken m_cleaning; // cancels work that gives way to requests
    CancelToken m_closing;
    bool m_listed = false; // listed at least once
    QThread m_thread;
    ThreadClock m_threadClock;
    std::unique_ptr<Worker> m_worker; // lives on m_thread
    quint64 m_listGeneration = 0;
    quint64 m_openGeneration = 0;
    quint64 m_compareGeneration = 0;
};

} // namespace ep::ui

Q_DECLARE_METATYPE(ep::ui::RunList)
Q_DECLARE_METATYPE(ep::ui::TotalsPtr)
Q_DECLARE_METATYPE(ep::ui::BreakdownPtr)
Q_DECLARE_METATYPE(ep::ui::TracePtr)
Q_DECLARE_METATYPE(ep::ui::StoreSizePtr)
Q_DECLARE_METATYPE(ep::ui::ExplanationPtr)
Q_DECLARE_METATYPE(ep::ui::RunGroups)
Q_DECLARE_METATYPE(ep::RunPtr)
