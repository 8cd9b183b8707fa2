// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/frame_pace.h"
#include "pages/model_picker.h"
#include "pages/repeat_course.h"
#include "pages/run_form.h"

#include "ep/session/pays_runner.h"
#include "ep/session/profiler.h"
#include "ep/session/repeat_loop.h"
#include "ep/ui/models/live_counters.h"
#include "ep/ui/settings.h"

#include <QWidget>

#include <memory>
#include <optional>

class QPushButton;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace ep::ui {

class ComparisonView;
class LiveView;
class MessageBar;

// Starts a run and shows it in progress, with its settings folded away. The profiler delivers its
// events frame by frame, as often as FramePace allows. GUI thread.
class LivePage : public QWidget {
    Q_OBJECT

public:
    LivePage(session::Backend backend, std::vector<std::filesystem::path> bundledModels,
             ProbeSources probe, std::filesystem::path database, QWidget* parent = nullptr);

    void readSettings(const Settings& settings);
    void writeSettings(Settings& settings) const;

    bool running() const;
    bool canStart() const;
    bool canStop() const;
    const LiveCounters& counters() const { return m_counters; }
    int askedIntervalMs() const { return m_preferences.run.interval_ms; }

    session::RunRequest request() const; // describes the next run
    void start();
    void prepare() { m_profiler->prepare(); } // opens the engine, for the first run
    const std::shared_ptr<session::Profiler>& profiler() const { return m_profiler; }
    // Shows the runs of a study that uses profiler(); nextOfStudy() precedes each of them.
    void followStudy(bool running);
    void nextOfStudy() { clearRun(false, true); }
    // Repeats the run of the form for some seconds, until its energy is known. experiment: unless
    // empty, instead of that in the form.
    void startUntilKnown(const QString& experiment = {});
    void ask(RepeatQuestion question) { m_course->ask(question); } // for the next repeated run
    void recordCommand(); // asks for a command and records it
    void compareWith(); // asks what the next run is compared with, and measures pairs
    void stop();
    // Why no run can start now although none is in progress here; empty: a run can start.
    void setBusyElsewhere(const QString& reason) { m_form->setBusyElsewhere(reason); }
    void chooseModel(const std::filesystem::path& folder) { m_form->models().choose(folder); }
    void setPrompt(const QString& text) { m_form->prompt().setText(text); }
    // Prepares a run like this one that also stops at this text or rule.
    void tryStop(const RunInfo& run, const QString& stop);
    // Fills in the form as for this run, for which canRecordAgain() must hold, with an idle
    // baseline of at least this many seconds.
    void repeatRun(const RunInfo& run, double baselineSeconds = 0.0);
    QString prompt() const;
    void setPreferences(const Settings& settings); // for the next run
    void newRun() { m_form->prompt().focusEditor(); } // prepares for the next prompt
    const std::vector<ModelChoice>& models() const { return m_form->models().choices(); }
    bool knowsSensors() const { return m_form->power().probed(); }
    bool lacksSensor() const { return m_form->power().lacksSensor(); }
    void useModelledPower() { m_form->power().chooseModelled(); }
    void showWarning(const QString& sentence); // about a problem that will matter at the end
    void setHidden(bool hidden); // the window is minimised or covered
    void setChoicesShown(bool shown);
    bool showsRun() const; // rather than only choices, or a comparison
    bool choicesShown() const { return !m_form->isHidden(); }
    RunForm& form() { return *m_form; }
    ComparisonView& comparison() { return *m_comparison; }

Q_SIGNALS:
    void runStarting(); // emitted before anything is known about the run
    void stateChanged(); // canStart(), canStop(), running()
    void countersChanged();
    void edited(); // a setting of the next run changed
    void runFinished(const ep::RunPtr& run, bool saved);
    void analysisRequested(const ep::RunPtr& run); // for the run that has ended
    // The runs that were repeated until their energy was known have ended; `run` is the last one.
    void repeated(const ep::RunPtr& run);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override; // accepts a model folder and selects it
    void dropEvent(QDropEvent* event) override;

private:
    QLayout* buildTools();
    void startComparison(const session::PaysSpec& spec, const session::RunRequest& run,
                         const QString& equal);
    void startRequest(session::RunRequest request,
                      const std::optional<session::UntilKnown>& until = {});
    void connectProfiler();
    void connectComparison();
    void foldForRun();
    void showView(QWidget& view);
    void offerModelled();
    void onStarted(const session::RunStarted& started);
    void onToken(const session::TokenComplete& token);
    void onFinished(const session::RunFinished& finished);
    void onFailed(const Error& error);
    void drawFrame();
    void showCourse();
    void endRun();
    void startRound(int number, int runs);
    void clearRun(bool repeats, bool further); // like LiveView::clear()
    void coolDown(int milliseconds);

    std::shared_ptr<session::Profiler> m_profiler;
    session::RepeatLoop m_loop;
    std::filesystem::path m_database;
    std::filesystem::path m_python; // folder of the modules that Python programs import
    QStringList m_commands; // recorded commands, newest first
    bool m_recordsPython = true;
    Settings m_preferences; // for the next run: interval, threads, threshold
    std::optional<double> m_recordingShare; // share in the last run
    RunPtr m_ended; // the last run
    bool m_unfoldAtEnd = false;
    std::optional<session::UntilKnown> m_until; // goal of the running repetition
    bool m_offered = false;
    bool m_ignoreMemory = false; // the next run loads its model even if it seems too large
    LiveCounters m_counters;
    std::vector<session::TokenComplete> m_pending; // since the last frame
    FramePace m_pace;
    bool m_hidden = false;
    RunForm* m_form;
    MessageBar* m_message;
    MessageBar* m_offer; // offers the modelled source if no sensor works
    LiveView* m_view;
    ComparisonView* m_comparison; // replaces m_view while pairs are measured, and afterwards
    QStackedWidget* m_views;
    RepeatCourse* m_course;
    QToolButton* m_choices;
    QPushButton* m_compare;
    QPushButton* m_analyse;
    QSplitter* m_splitter;
};

} // namespace ep::ui
