// SPDX-License-Identifier: GPL-3.0-or-later
// Takes pictures of the real window for inspection: window_gallery OUT_FOLDER [MODELS_FOLDER
// [DATABASE]] With a database: only of its runs, in History, Compare and Insights. In the language
// of the system, as with LANG=de_DE.UTF-8.
#include "gallery_import.h"
#include "support/folders.h"
#include "text.h"
#include "theme/ui_resources.h"

#include "ep/power/source.h"
#include "ep/ui/charts/pipeline_view.h"
#include "ep/ui/charts/selection_controller.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/charts/treemap_view.h"
#include "ep/ui/main_window.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QCommandLinkButton>
#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTranslator>

#include <cstdio>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;

constexpr int kPatienceMs = 120'000;

class Gallery {
public:
    Gallery(const QString& out, const std::filesystem::path& models,
            const std::filesystem::path& database = {})
        : m_out(out)
        , m_settings(withFastSamples(m_folder.filePath(u"settings.ini"_s)))
        , m_window({.backend = session::realBackend(),
                    .probeSources = [] { return power::probeSources(); },
                    .database = database.empty()
                        ? std::filesystem::path(m_folder.path().toStdString()) / "runs.db"
                        : database,
                    .bundledModels = {models},
                    .demoRun = ep::test::sourcePath("resources/demo/demo.eprun"),
                    .collectDiagnostics = [] { return std::string("== Program\n…"); }},
                   m_settings)
    {
        m_window.show();
    }

    bool make()
    {
        if (!wait([this] { return find<QComboBox>("modelCombo")->count() > 0; }))
            return false;
        m_start = find<QPushButton>("startStopButton")->text();
        welcomePicture();
        settingsPictures();
        dialogPicture(u"actionAbout"_s, u"aboutDialog"_s);
        picture(u"live-empty"_s, ui::Page::Live);
        picture(u"analysis-empty"_s, ui::Page::Analysis);
        picture(u"history-empty"_s, ui::Page::History);
        if (!sensorDoctor())
            return false;

        if (!run(u"The garden behind the house was"_s, u"none"_s, 24, 24)
            || !run(u"Every morning the old captain would"_s, u"modelled"_s, 4000, 30))
            return false;
        auto* depth = find<QComboBox>("depthCombo");
        depth->setCurrentIndex(depth->count() - 1); // including operations
        start(u"Once upon a time there was a small mouse who lived in a library and"_s,
              u"modelled"_s, 4000); // until the context is full: about 490 tokens
        frames();
        if (!wait([this] { return tokens() >= 60; }))
            return false;
        picture(u"live-running"_s, ui::Page::Live);
        if (!wait([this] { return idle(); }))
            return false;
        picture(u"live-finished"_s, ui::Page::Live);
        if (!openDemo())
            return false;
        auto* pipeline = find<ui::PipelineView>("pipeline");
        pipeline->setExpanded(Phase::Decode, true);
        picture(u"analysis"_s, ui::Page::Analysis);
        analysisViews();
        auto* views = find<QTabWidget>("analysisViews");
        views->setCurrentIndex(2);
        ui::SelectionController* charts = pipeline->controller();
        charts->selectTokens(viz::TokenRange{8, 14});
        picture(u"analysis-timeline"_s, ui::Page::Analysis);
        auto* below = find<QComboBox>("timelineBelow");
        below->setCurrentIndex(1);
        picture(u"analysis-phases"_s, ui::Page::Analysis);
        below->setCurrentIndex(0);
        charts->selectTokens(viz::TokenRange{10, 12});
        charts->zoomToSelection();
        charts->selectPart(2, Component::QProj);
        picture(u"analysis-timeline-zoomed"_s, ui::Page::Analysis);
        views->setCurrentIndex(0);
        picture(u"analysis-chosen"_s, ui::Page::Analysis);
        charts->clear();
        charts->zoomToFit();
        m_window.showPage(ui::Page::History);
        QTest::qWait(300);
        find<QTableView>("historyTable")->selectRow(0);
        picture(u"history"_s, ui::Page::History);
        dialogPicture(u"actionLibrary"_s, u"modelLibrary"_s);
        dialogPicture(u"actionPreferences"_s, u"preferencesDialog"_s);
        dialogPicture(u"actionNewStudy"_s, u"studyDialog"_s);
        dialogPicture(u"actionPalette"_s, u"commandPalette"_s);
        return importPower();
    }

    // Compares the runs of each experiment with one another.
    bool makeOfStored()
    {
        auto* table = find<QTableView>("historyTable");
        if (!wait([table] { return table->model()->rowCount() > 0; }))
            return false;
        find<QAction>("historyTrendAction")->trigger();
        m_window.showPage(ui::Page::History);
        QTest::qWait(300);
        table->selectRow(0);
        picture(u"stored-history"_s, ui::Page::History);
        QStringList experiments;
        int column = 0;
        while (table->model()->headerData(column, Qt::Horizontal) != u"Experiment"_s)
            ++column;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            experiments << table->model()->index(row, column).data().toString();
        QStringList names = experiments;
        names.removeDuplicates();
        for (const QString& name : names) {
            m_window.showPage(ui::Page::History);
            QItemSelection rows;
            for (int row = 0; row < experiments.size(); ++row) {
                const QModelIndex at = table->model()->index(row, 0);
                if (experiments[row] == name)
                    rows.select(at, at);
            }
            table->selectionModel()->select(
                rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
            QTest::qWait(200);
            auto* figures = find<QTableWidget>("compareTable");
            figures->setRowCount(0);
            find<QToolButton>("historyCompare")->click();
            if (!wait([figures] { return figures->rowCount() > 0; }))
                return false;
            auto* tabs = find<QTabWidget>("compareCharts");
            for (int tab = 0; tab < tabs->count(); ++tab) {
                tabs->setCurrentIndex(tab);
                picture(u"compare-%1-%2"_s.arg(name).arg(tab), ui::Page::Compare);
            }
        }
        picture(u"insights"_s, ui::Page::Insights);
        return true;
    }

private:
    // Fast sampling, since the runs of the gallery are short.
    static QString withFastSamples(const QString& file)
    {
        QSettings(file, QSettings::IniFormat).setValue(u"power/interval_ms"_s, 10);
        return file;
    }

    // Opens the recorded demo run: it is long and has several rails.
    bool openDemo()
    {
        auto* title = find<QLabel>("runTitle");
        const QString before = title->text();
        m_window.showWelcome();
        find<QCommandLinkButton>("welcomeDemoRun")->click();
        return wait([&] { return title->isVisible() && title->text() != before; });
    }

    template <typename T>
    T* find(const char* name)
    {
        return m_window.findChild<T*>(QString::fromUtf8(name));
    }
    void inBothThemes(const std::function<void(const QString&)>& work)
    {
        for (const char* theme : {"Light", "Dark"}) {
            m_window.findChild<QAction*>(u"actionTheme"_s + QLatin1String(theme))->trigger();
            QTest::qWait(150);
            work(QString::fromLatin1(theme).toLower());
        }
    }
    static bool wait(const std::function<bool()>& condition)
    {
        return QTest::qWaitFor(condition, kPatienceMs);
    }
    int tokens() { return find<ui::TokenStreamView>("liveTokenStream")->count(); }
    bool idle() { return find<QPushButton>("startStopButton")->text() == m_start; }

    void start(const QString& prompt, const QString& source, int maxTokens)
    {
        m_window.showPage(ui::Page::Live);
        auto* power = find<QComboBox>("powerCombo");
        power->setCurrentIndex(power->findData(source));
        find<QPlainTextEdit>("promptEdit")->setPlainText(prompt);
        find<QSpinBox>("maxTokens")->setValue(maxTokens);
        find<QPushButton>("startStopButton")->click();
    }

    // Makes a run, and stops it once there are more than `enough` tokens.
    bool run(const QString& prompt, const QString& source, int maxTokens, int enough)
    {
        start(prompt, source, maxTokens);
        if (!wait([&] { return idle() || tokens() > enough; }))
            return false;
        if (!idle())
            find<QPushButton>("startStopButton")->click();
        return wait([this] { return idle(); });
    }

    // Takes pictures of the dialog and of the load that it measures, in both themes.
    bool sensorDoctor()
    {
        m_window.findChild<QAction*>(u"actionMachine"_s)->trigger();
        auto* dialog = find<QDialog>("machineDialog");
        auto* cards = dialog->findChild<QScrollArea*>(u"sensorCards"_s);
        auto* measure = dialog->findChild<QPushButton*>(u"sensorMeasure"_s);
        const auto ready = [&] { return cards->widget() && measure->isEnabled(); };
        if (!wait(ready))
            return false;
        measure->click();
        if (!wait(ready))
            return false;
        inBothThemes([&](const QString& theme) {
            dialog->grab().save(u"%1/sensor-doctor-%2.png"_s.arg(m_out, theme));
        });
        dialog->close();
        return true;
    }

    // Imports someone else's power recording with one request: the dialog and the resulting run.
    bool importPower()
    {
        QDialog* dialog = test::openImportOfPower(m_window, m_folder.path());
        if (!dialog)
            return false;
        inBothThemes([&](const QString& theme) {
            dialog->grab().save(u"%1/import-power-%2.png"_s.arg(m_out, theme));
        });
        auto* title = find<QLabel>("runTitle");
        dialog->findChild<QPushButton*>(u"powerImport"_s)->click();
        if (!wait([&] { return title->text().contains(u"base.csv"_s); }))
            return false;
        find<QTabWidget>("analysisViews")->setCurrentIndex(2);
        picture(u"imported-timeline"_s, ui::Page::Analysis);
        return true;
    }

    // Takes pictures of the tabs of Analysis, with a selected token and layer.
    void analysisViews()
    {
        auto* views = find<QTabWidget>("analysisViews");
        auto* inner = find<QTabWidget>("tokenViews");
        for (int i = 1; i < views->count(); ++i) {
            views->setCurrentIndex(i);
            const QString name = u"analysis-"_s + views->tabText(i).toLower().replace(u' ', u'-');
            if (!views->widget(i)->isAncestorOf(inner)) {
                picture(name, ui::Page::Analysis);
                continue;
            }
            for (int part = 0; part < inner->count(); ++part) {
                inner->setCurrentIndex(part);
                picture(name + QString::number(part), ui::Page::Analysis);
            }
            find<QSlider>("tokenSlider")->setValue(10);
            QTest::qWait(500);
            inner->setCurrentIndex(0);
            picture(name + u"-chosen"_s, ui::Page::Analysis);
        }
        auto* treemap = find<ui::TreemapView>("treemap");
        for (int i = 1; i < views->count(); ++i)
            if (views->widget(i)->isAncestorOf(treemap))
                views->setCurrentIndex(i);
        treemap->setFocus();
        QTest::keyClick(treemap, Qt::Key_Right);
        QTest::keyClick(treemap, Qt::Key_Return);
        picture(u"analysis-treemap-inside"_s, ui::Page::Analysis);
        views->setCurrentIndex(0);
    }

    // Takes pictures of a run in progress, for a short animation.
    void frames()
    {
        constexpr int kFrames = 36;
        constexpr int kFrameMs = 120;
        for (int i = 0; i < kFrames; ++i) {
            QTest::qWait(kFrameMs);
            m_window.grab().save(u"%1/frame-%2.png"_s.arg(m_out).arg(i, 2, 10, QChar(u'0')));
        }
    }

    // Takes pictures of a page in both themes and three sizes.
    void picture(const QString& name, ui::Page page)
    {
        m_window.showPage(page);
        if (QWidget* focused = QApplication::focusWidget())
            focused->clearFocus();
        inBothThemes([&](const QString& theme) {
            for (const QSize size : {QSize(1280, 800), QSize(2560, 1440), QSize(800, 500)}) {
                m_window.resize(size);
                QTest::qWait(150);
                const QString file = u"%1/%2-%3-%4.png"_s.arg(m_out, name, theme).arg(size.width());
                if (!m_window.grab().save(file))
                    std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
            }
        });
        m_window.resize(1280, 800);
    }

    void welcomePicture()
    {
        m_window.showWelcome();
        inBothThemes([this](const QString& theme) {
            m_window.grab().save(u"%1/welcome-%2.png"_s.arg(m_out, theme));
        });
        m_window.showPage(ui::Page::Live);
    }

    void settingsPictures()
    {
        m_window.findChild<QAction*>(u"actionPreferences"_s)->trigger();
        auto* dialog = find<QDialog>("preferencesDialog");
        auto* titles = dialog->findChild<QListWidget*>(u"settingsTitles"_s);
        for (int row = 0; row < titles->count(); ++row) {
            titles->setCurrentRow(row);
            QTest::qWait(100);
            dialog->grab().save(u"%1/settings-%2.png"_s.arg(m_out).arg(row));
        }
        dialog->close();
        QTest::qWait(50);
    }

    // Takes pictures of a menu's dialog in both themes.
    void dialogPicture(const QString& action, const QString& dialog)
    {
        inBothThemes([&](const QString& theme) {
            m_window.findChild<QAction*>(action)->trigger();
            QTest::qWait(600);
            auto* shown = m_window.findChild<QDialog*>(dialog);
            const QString file = u"%1/%2-%3.png"_s.arg(m_out, dialog, theme);
            if (!shown || !shown->grab().save(file))
                std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
            if (shown)
                shown->close();
            QTest::qWait(50);
        });
    }

    QString m_out;
    QString m_start; // text of the button in the window's language
    QTemporaryDir m_folder;
    ui::SettingsStore m_settings;
    ui::MainWindow m_window;
};

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (argc < 2) {
        std::fprintf(stderr, "usage: window_gallery OUT_FOLDER [MODELS_FOLDER]\n");
        return 2;
    }
    ui::initResources();
    QTranslator translator;
    if (translator.load(QLocale(), u"energy-profiler"_s, u"_"_s, u":/i18n"_s))
        QApplication::installTranslator(&translator);
    ui::useNumberStyle(EnergyUnit::Joules);
    const QString out = QString::fromLocal8Bit(argv[1]);
    QDir().mkpath(out);
    Gallery gallery(out, argc > 2 ? argv[2] : ep::test::sourcePath("resources/models"),
                    argc > 3 ? argv[3] : "");
    if (argc > 3 ? gallery.makeOfStored() : gallery.make())
        return 0;
    std::fprintf(stderr, "the window did not get as far as it should\n");
    return 1;
}
