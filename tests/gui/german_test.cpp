// SPDX-License-Identifier: GPL-3.0-or-later
// German has the longest words: none of them may be cut off, and nothing may remain in English.
#include "gui/window_test.h"
#include "support/folders.h"

#include "ep/ui/charts/heatmap_view.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextDocument>
#include <QToolButton>
#include <QTranslator>
#include <QTreeWidget>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;

class GermanTest : public test::WindowTest {
protected:
    ~GermanTest() override { QApplication::removeTranslator(&m_german); }

    void speakGerman()
    {
        ASSERT_TRUE(m_german.load(QLocale(u"de"_s), u"energy-profiler"_s, u"_"_s, u":/i18n"_s));
        QApplication::installTranslator(&m_german);
        openWindow();
    }

    static int roomFor(const QComboBox& combo)
    {
        QStyleOptionComboBox option;
        option.initFrom(&combo);
        option.subControls = QStyle::SC_All;
        return combo.style()
            ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &combo)
            .width();
    }

    // The text of a visible control if it does not fit; an ellipsis with the whole text in a tool
    // tip counts as fitting. Lists of models and groups hold the user's own words.
    static QString cut(const QWidget& widget)
    {
        if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
            const bool fits = label->wordWrap() || label->sizeHint().width() <= label->width()
                || label->pixmap(Qt::ReturnByValue).width() > 0;
            return fits || !label->toolTip().isEmpty() ? QString() : label->text();
        }
        if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
            const bool fits =
                button->text().isEmpty() || button->sizeHint().width() <= button->width();
            return fits ? QString() : button->text();
        }
        const auto* combo = qobject_cast<const QComboBox*>(&widget);
        if (!combo || combo->objectName() == u"modelCombo"_s
            || combo->objectName() == u"compareBaseline"_s)
            return {};
        const int needed = combo->fontMetrics().horizontalAdvance(combo->currentText());
        return needed > roomFor(*combo) ? combo->currentText() : QString();
    }
    static void expectWhole(QWidget& root)
    {
        QApplication::processEvents();
        root.grab(); // labels get their tool tips when they are painted
        for (const auto* widget : root.findChildren<QWidget*>()) {
            if (widget->isVisible()) {
                EXPECT_EQ(cut(*widget).toStdString(), "")
                    << widget->metaObject()->className() << ' '
                    << widget->objectName().toStdString() << ", " << widget->width() << " wide";
            }
        }
    }

    // Fails if the text has words that no German text has, unless the user or the model wrote it.
    void expectGerman(const QString& text, const QString& where) const
    {
        static const QRegularExpression english(
            u"\\b(the|of|and|is|are|has|have|with|from|this|that|not|than|or)\\b"_s,
            QRegularExpression::CaseInsensitiveOption);
        QTextDocument rich;
        if (Qt::mightBeRichText(text))
            rich.setHtml(text);
        QString plain = rich.isEmpty() ? text : rich.toPlainText();
        for (const QString& own : m_own)
            plain.remove(own);
        EXPECT_FALSE(english.match(plain).hasMatch())
            << where.toStdString() << ": " << plain.toStdString();
    }

    void expectGermanItems(const QAbstractItemModel& model, const QModelIndex& parent,
                           const QString& where) const
    {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                expectGerman(model.headerData(column, Qt::Horizontal, role).toString(), where);
            for (int row = 0; row < model.rowCount(parent); ++row) {
                const QModelIndex at = model.index(row, column, parent);
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                    expectGerman(at.data(role).toString(), where);
                if (column == 0)
                    expectGermanItems(model, at, where);
            }
        }
    }

    // Checks all text below `root` that can be read or heard, whether it is shown or not.
    void expectGermanIn(QWidget& root) const
    {
        QApplication::processEvents();
        for (auto* widget : root.findChildren<QWidget*>()) {
            const QString where =
                QString::fromUtf8(widget->metaObject()->className()) + u' ' + widget->objectName();
            for (const QString& text : {widget->toolTip(), widget->accessibleName(),
                                        widget->accessibleDescription(), widget->windowTitle()})
                expectGerman(text, where);
            if (const auto* label = qobject_cast<const QLabel*>(widget))
                expectGerman(label->text(), where);
            if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
                expectGerman(button->text(), where);
            if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
                for (int tab = 0; tab < tabs->count(); ++tab)
                    expectGerman(tabs->tabText(tab), where);
            }
            if (const auto* combo = qobject_cast<const QComboBox*>(widget))
                expectGermanItems(*combo->model(), {}, where);
            if (const auto* view = qobject_cast<const QAbstractItemView*>(widget);
                view && view->model())
                expectGermanItems(*view->model(), {}, where);
        }
        for (const auto* action : root.findChildren<QAction*>()) {
            for (const QString& text : {action->text(), action->toolTip()})
                expectGerman(text, action->objectName());
        }
    }

    QStringList m_own; // words of the user and of the model

private:
    QTranslator m_german;
};

TEST_F(GermanTest, NoWordIsCutOnAnyPage)
{
    openWindow();
    for (const char* prompt : {"the quick", "brown fox"})
        runToTheEnd(QString::fromUtf8(prompt), 6);
    speakGerman();
    window().showPage(ui::Page::History);
    ASSERT_TRUE(waitForRuns(2));
    table().selectRow(0);
    click("historyOpen");
    ASSERT_TRUE(waitFor([this] { return find<ui::HeatmapView>("runHeatmap").isVisible(); }));
    window().showPage(ui::Page::History);
    table().selectAll();
    click("historyCompare");
    ASSERT_TRUE(waitFor(
        [this] { return find<QAbstractItemView>("compareTable").model()->rowCount() > 0; }));
    auto& views = find<QTabWidget>("analysisViews");
    auto& charts = find<QTabWidget>("compareCharts");
    auto& pages = find<QStackedWidget>("pages");
    for (const QSize size : {QSize(1280, 760), QSize(853, 533), QSize(800, 500)}) {
        window().resize(size);
        for (int page = 0; page < pages.count(); ++page) {
            window().showPage(static_cast<ui::Page>(page));
            QTabWidget* tabs = page == static_cast<int>(ui::Page::Analysis) ? &views
                : page == static_cast<int>(ui::Page::Compare)               ? &charts
                                                                            : nullptr;
            for (int tab = 0; tab < (tabs ? tabs->count() : 1); ++tab) {
                if (tabs)
                    tabs->setCurrentIndex(tab);
                SCOPED_TRACE(std::to_string(size.width()) + ", page " + std::to_string(page)
                             + (tabs ? ", " + tabs->tabText(tab).toStdString() : ""));
                expectWhole(*pages.currentWidget());
            }
        }
    }
}

// Holds in a first window, even if the list is so long that it has a scroll bar.
TEST_F(GermanTest, TheEnergyPerTokenIsInViewOfHistory)
{
    openWindow();
    runToTheEnd(u"the quick"_s, 6);
    speakGerman();
    window().resize(1280, 760);
    window().showPage(ui::Page::History);
    ASSERT_TRUE(waitForRuns(1));
    QApplication::processEvents();
    const int column = historyColumn("joules_per_token");
    const auto& header = *table().horizontalHeader();
    ASSERT_EQ(table().model()->headerData(column, Qt::Horizontal).toString(), u"J/Token"_s);
    const int bar = table().style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    EXPECT_LE(header.sectionViewportPosition(column) + header.sectionSize(column),
              table().viewport()->width() - bar);
}

TEST_F(GermanTest, NoSentenceIsLeftInEnglish)
{
    m_own = {u"der schnelle"_s, u"braune Fuchs"_s, u"scripted detail"_s, u"the test's own source"_s,
             u"asked for by the test"_s};
    openWindow();
    for (const QString& prompt : m_own.first(2))
        runToTheEnd(prompt, 6);
    speakGerman();
    window().showPage(ui::Page::History);
    ASSERT_TRUE(waitForRuns(2));
    table().selectRow(0);
    click("historyOpen");
    ASSERT_TRUE(waitFor([this] { return find<ui::HeatmapView>("runHeatmap").isVisible(); }));
    window().showPage(ui::Page::History);
    table().selectAll();
    click("historyCompare");
    ASSERT_TRUE(waitFor(
        [this] { return find<QAbstractItemView>("compareTable").model()->rowCount() > 0; }));
    auto& views = find<QTabWidget>("analysisViews");
    for (int tab = 0; tab < views.count(); ++tab) {
        window().showPage(ui::Page::Analysis);
        views.setCurrentIndex(tab);
    }
    auto& pages = find<QStackedWidget>("pages");
    for (int page = 0; page < pages.count(); ++page) {
        window().showPage(static_cast<ui::Page>(page));
        QApplication::processEvents();
    }
    expectGermanIn(window());
}

TEST_F(GermanTest, SaysWhyARunDidNotStart)
{
    availableMemory = 1;
    speakGerman();
    window().showPage(ui::Page::Live);
    ASSERT_TRUE(waitForModel());
    typePrompt(u"die Katze"_s);
    click("startStopButton");
    ASSERT_TRUE(waitFor([this] { return !messageOf("liveMessage").isEmpty(); }));
    expectGerman(messageOf("liveMessage"), u"liveMessage"_s);
}

class GermanDemoTest : public GermanTest {
protected:
    ui::WindowServices services() override
    {
        ui::WindowServices all = GermanTest::services();
        all.demoRun = ep::test::sourcePath("resources/demo/demo.eprun");
        return all;
    }
};

TEST_F(GermanDemoTest, TheNotesAreInGerman)
{
    speakGerman();
    window().showWelcome();
    find<QAbstractButton>("welcomeDemoRun").click();
    EXPECT_TRUE(waitFor([this] { return labelText("runNotes").contains(u"Keine Messung"_s); }))
        << labelText("runNotes").toStdString();
}

} // namespace
