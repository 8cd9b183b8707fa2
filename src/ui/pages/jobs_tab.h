// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"
#include "widgets/drawn_when_seen.h"

#include "ep/session/jobs.h"
#include "ep/ui/run_repository.h"

#include <map>
#include <set>
#include <vector>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace ep::ui {

class SceneView;

// Requests that belong together and what they cost: a tree of jobs with their requests and, for
// the selected job, the energy by request and by role of the text. Jobs can be merged and renamed,
// and requests separated from them, by the tags `job:NAME` of the runs.
class JobsTab : public DrawnWhenSeen {
    Q_OBJECT

public:
    explicit JobsTab(RunRepository& repository, QWidget* parent = nullptr);

    // `shown`: some of `runs`, which keeps them alive.
    void setRuns(const RunList& runs, const std::vector<const RunSummary*>& shown);

Q_SIGNALS:
    void openRequested(const QString& id);

private:
    struct Chosen {
        std::set<std::size_t> jobs; // selected jobs, or jobs of selected requests
        QStringList requests; // selected requests
    };
    void draw() override; // groups the runs on another thread
    void show(std::vector<session::Job> jobs);
    void addJob(const session::Job& job);
    Chosen chosen() const;
    void selectionChanged();
    void showJob(const session::Job& job);
    const RunSummary* runOf(const std::string& id) const;
    QStringList runsOf(const std::set<std::size_t>& jobs) const;
    void askForName(const QString& title, const QString& name, const QStringList& runs);
    void nameJob(const QStringList& runs, const QString& name); // names the job of all these runs
    QString freeName() const; // a name that no job has yet

    RunRepository& m_repository;
    RunList m_runs;
    std::vector<const RunSummary*> m_shown;
    std::map<std::string, const RunSummary*> m_byId;
    std::vector<session::Job> m_jobs; // in the order of the tree
    QTreeWidget* m_tree;
    SceneView* m_requests;
    SceneView* m_texts;
    QLabel* m_facts;
    QPushButton* m_rename;
    QPushButton* m_merge;
    QPushButton* m_split;
    LatestJob m_grouping;
};

} // namespace ep::ui
