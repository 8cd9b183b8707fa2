// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader sees: the accessibility tree of every view.
#include "gui/window_test.h"

#include "ep/ui/charts/painted_view.h"

#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QListWidget>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <set>
#include <vector>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;

struct Node {
    QAccessible::Role role = QAccessible::NoRole;
    std::string name;
    std::string value;
    std::string widget; // class and object name
};

bool interactive(QAccessible::Role role)
{
    static const std::set<QAccessible::Role> kRoles{
        QAccessible::PushButton, QAccessible::CheckBox,       QAccessible::RadioButton,
        QAccessible::ButtonMenu, QAccessible::ButtonDropDown, QAccessible::ComboBox,
        QAccessible::SpinBox,    QAccessible::EditableText,   QAccessible::Slider,
        QAccessible::Table,      QAccessible::Tree,           QAccessible::List,
        QAccessible::PageTab,    QAccessible::Chart,          QAccessible::Terminal,
    };
    return kRoles.contains(role);
}

// Whether a node of this role is read as a whole: its parts need no names.
bool whole(QAccessible::Role role)
{
    return role == QAccessible::ComboBox || role == QAccessible::SpinBox
        || role == QAccessible::Table || role == QAccessible::Tree || role == QAccessible::List;
}

// On X11 and Wayland a combo box is named by its label; without one, its name is its value, so
// that a missing name would go unnoticed.
QString nameOf(QAccessibleInterface& at)
{
    const auto* combo = qobject_cast<QComboBox*>(at.object());
    if (!combo)
        return at.text(QAccessible::Name);
    if (!combo->accessibleName().isEmpty())
        return combo->accessibleName();
    for (const auto* label : combo->window()->findChildren<QLabel*>()) {
        if (label->buddy() == combo)
            return label->text();
    }
    return {};
}

void collect(QAccessibleInterface* at, std::vector<Node>& nodes)
{
    if (!at || !at->isValid() || at->state().invisible)
        return;
    const QAccessible::Role role = at->role();
    const auto* widget = qobject_cast<QWidget*>(at->object());
    if (interactive(role)) {
        Node node{role, nameOf(*at).toStdString(), at->text(QAccessible::Value).toStdString(), {}};
        if (widget)
            node.widget = std::string(widget->metaObject()->className()) + ' '
                + widget->objectName().toStdString();
        nodes.push_back(node);
    }
    if (whole(role))
        return;
    for (int i = 0; i < at->childCount(); ++i)
        collect(at->child(i), nodes);
}

class AccessibilityTest : public test::WindowTest {
protected:
    // Until the page in front has been laid out: before, tool bars show extensions without a name.
    bool waitForTree(std::size_t least)
    {
        return waitFor([&] {
            std::vector<Node> nodes;
            collect(QAccessible::queryAccessibleInterface(
                        find<QStackedWidget>("pages").currentWidget()),
                    nodes);
            return nodes.size() >= least
                && std::ranges::none_of(nodes, [](const Node& node) { return node.name.empty(); });
        });
    }
    // The visible accessibility tree below the widget; every node has a name, and informative ones
    // also have a value.
    std::vector<Node> treeOf(QWidget& root)
    {
        std::vector<Node> nodes;
        collect(QAccessible::queryAccessibleInterface(&root), nodes);
        for (const Node& node : nodes) {
            EXPECT_FALSE(node.name.empty())
                << node.widget << ", role " << node.role << ", value " << node.value;
            const bool says = node.role == QAccessible::ComboBox
                || node.role == QAccessible::SpinBox || node.role == QAccessible::Slider
                || node.role == QAccessible::Chart;
            EXPECT_TRUE(!says || !node.value.empty()) << node.widget << ' ' << node.name;
        }
        for (const auto* chart : root.findChildren<ui::PaintedView*>()) {
            EXPECT_FALSE(chart->accessibleName().isEmpty()) << chart->metaObject()->className();
            EXPECT_FALSE(chart->accessibleDescription().isEmpty())
                << chart->accessibleName().toStdString();
        }
        return nodes;
    }

    static int count(const std::vector<Node>& nodes, QAccessible::Role role)
    {
        return static_cast<int>(std::count_if(nodes.begin(), nodes.end(),
                                              [&](const Node& node) { return node.role == role; }));
    }

    static bool has(const std::vector<Node>& nodes, QAccessible::Role role, const std::string& name)
    {
        return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
            return node.role == role && node.name == name;
        });
    }

    // Reads each tab of the widget in turn, and the tabs inside it.
    void readTabs(QTabWidget& tabs, std::size_t least)
    {
        for (int i = 0; i < tabs.count(); ++i) {
            tabs.setCurrentIndex(i);
            SCOPED_TRACE(tabs.tabText(i).toStdString());
            EXPECT_GE(treeOf(tabs).size(), least);
            for (auto* inner : tabs.currentWidget()->findChildren<QTabWidget*>())
                readTabs(*inner, 1);
        }
    }

    void openWithRuns()
    {
        openWindow();
        for (const char* prompt : {"the quick", "brown fox"})
            runToTheEnd(QString::fromUtf8(prompt), 6);
    }
};

TEST_F(AccessibilityTest, LiveBeforeAndAfterARun)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    EXPECT_GE(treeOf(find<QWidget>("livePage")).size(), 8U);
    runToTheEnd(u"hello"_s, 4);
    const auto nodes = treeOf(find<QWidget>("livePage"));
    EXPECT_TRUE(has(nodes, QAccessible::Chart, "Heatmap of layers and components"));
    EXPECT_TRUE(has(nodes, QAccessible::Chart, "Power over time"));
    EXPECT_TRUE(has(nodes, QAccessible::PushButton, "Start"));
    EXPECT_TRUE(has(nodes, QAccessible::ComboBox, "Metric"));
}

TEST_F(AccessibilityTest, EachTabOfAnalysis)
{
    openWithRuns();
    press(Qt::Key_2, Qt::ControlModifier);
    readTabs(find<QTabWidget>("analysisViews"), 5);
    EXPECT_GE(treeOf(find<QWidget>("analysisPage")).size(), 15U);
    find<QTabWidget>("analysisViews").setCurrentIndex(0);
    find<QAction>("showComponentTable").trigger();
    const auto nodes = treeOf(find<QWidget>("analysisPage"));
    EXPECT_GE(count(nodes, QAccessible::Chart), 3);
    EXPECT_TRUE(has(nodes, QAccessible::Table, "Layers and components as a table"));
}

TEST_F(AccessibilityTest, HistoryCompareAndInsights)
{
    openWithRuns();
    press(Qt::Key_3, Qt::ControlModifier);
    ASSERT_TRUE(waitForRuns(2));
    table().selectAll();
    auto& pages = find<QStackedWidget>("pages");
    EXPECT_TRUE(waitForTree(10));
    treeOf(*pages.currentWidget());
    click("historyCompare");
    ASSERT_TRUE(waitFor(
        [this] { return find<QAbstractItemView>("compareTable").model()->rowCount() > 0; }));
    EXPECT_TRUE(waitForTree(8));
    treeOf(*pages.currentWidget());
    readTabs(find<QTabWidget>("compareCharts"), 2);
    press(Qt::Key_5, Qt::ControlModifier);
    EXPECT_TRUE(waitForTree(2));
    treeOf(*pages.currentWidget());
}

TEST_F(AccessibilityTest, EveryPageOfTheSettings)
{
    openWindow();
    ASSERT_TRUE(waitForModel());
    find<QAction>("actionPreferences").trigger();
    auto& dialog = find<QDialog>("preferencesDialog");
    auto& titles = find<QListWidget>("settingsTitles");
    for (int row = 0; row < titles.count(); ++row) {
        titles.setCurrentRow(row);
        SCOPED_TRACE(titles.item(row)->text().toStdString());
        EXPECT_GE(treeOf(dialog).size(), 3U);
    }
    QTest::keyClick(&dialog, Qt::Key_Escape);
}

} // namespace
