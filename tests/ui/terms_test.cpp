// SPDX-License-Identifier: GPL-3.0-or-later
// Words from the areas below the window, in the window's languages.
#include "report/why_section.h"
#include "support/sample_run.h"
#include "theme/ui_resources.h"

#include "ep/core/format.h"
#include "ep/core/run_figure.h"
#include "ep/energy/comparison.h"
#include "ep/energy/diagnosis.h"
#include "ep/power/source.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/viz/cost_tree.h"
#include "ep/viz/metric.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>
#include <utility>

namespace ep::ui {
namespace {

using namespace Qt::Literals::StringLiterals;

class TermsTest : public testing::Test {
protected:
    void SetUp() override
    {
        initResources();
        ASSERT_TRUE(m_german.load(QLocale(u"de"_s), u"energy-profiler"_s, u"_"_s, u":/i18n"_s));
    }
    void expectTranslated(std::string_view word)
    {
        EXPECT_FALSE(m_german.translate("ep::terms", std::string(word).c_str()).isEmpty()) << word;
    }

    QTranslator m_german;
};

// Switches of the command line cannot be typed into a window.
TEST_F(TermsTest, TextsOfTheTerminalLoseItsSwitches)
{
    struct Case {
        Message text;
        const char* english;
        const char* german;
    };
    const std::array kCases{
        Case{"The times have no zone and were read as UTC; state the time zone (--zone) if they "
             "are in another.",
             "The times have no zone and were read as UTC; state the time zone if they are in "
             "another.",
             "Die Zeiten haben keine Zone und wurden als UTC gelesen; geben Sie die Zeitzone an, "
             "wenn sie eine andere haben."},
        Case{{"row %1: %2", 2,
              "this log has no times; state the interval of its rows with --period SECONDS."},
             "row 2: this log has no times; state the interval of its rows.",
             "Zeile 2: Dieses Protokoll hat keine Zeiten; geben Sie den Abstand der Zeilen an."},
        Case{{"%1 is not a file; name a database file with --db.", "/a b.db"},
             "/a b.db is not a file; choose a database.",
             "/a b.db ist keine Datei; wählen Sie eine Datenbank."},
        Case{"A sentence of nobody, with --dtype auto.",
             "A sentence of nobody, in the format As stored.",
             "A sentence of nobody, in the format As stored."}};
    for (const Case& c : kCases)
        EXPECT_EQ(term(c.text).toStdString(), c.english);
    QCoreApplication::installTranslator(&m_german);
    for (const Case& c : kCases)
        EXPECT_EQ(term(c.text).toStdString(), c.german);
    QCoreApplication::removeTranslator(&m_german);
}

// Stored numbers have a decimal point; the window writes numbers in the style of its language.
TEST_F(TermsTest, NumbersInSentencesHaveTheDecimalPointOfTheLanguage)
{
    QCoreApplication::installTranslator(&m_german);
    setNumberStyle({.decimal_point = ','});
    EXPECT_EQ(
        term({"Other programs used %1 of the processor during the run.", "99.4 %"}).toStdString(),
        "Andere Programme belegten während des Laufs 99,4 % des Prozessors.");
    setNumberStyle({});
    QCoreApplication::removeTranslator(&m_german);
}

TEST_F(TermsTest, EveryWordOfChartsAndTablesIsTranslated)
{
    for (const viz::HeatmapMetric metric : viz::kHeatmapMetrics)
        expectTranslated(viz::title(metric));
    for (const viz::CostMetric metric : viz::kCostMetrics)
        expectTranslated(viz::title(metric));
    for (std::size_t i = 0; i < kComponentCount; ++i)
        expectTranslated(viz::title(static_cast<Component>(i)));
    for (std::size_t i = 0; i < kOperationCount; ++i)
        expectTranslated(viz::title(static_cast<Operation>(i)));
    for (std::size_t i = 0; i < kPhaseCount; ++i)
        expectTranslated(viz::title(static_cast<Phase>(i)));
    for (std::size_t i = 0; i < kSectionCount; ++i)
        expectTranslated(viz::title(static_cast<Section>(i)));
    for (const RunFigureFacts& figure : kRunFigures)
        expectTranslated(figure.title);
    // Figures need a translation both as tool tips and as column headings.
    for (const RunFigureFacts& figure : kRunFigures) {
        expectTranslated(figure.explanation);
        expectTranslated(heading(figure.figure));
    }
    // Dialog buttons, for when Qt's own translation is not installed.
    for (const char* button : {"OK", "Cancel", "Close", "Save"})
        EXPECT_FALSE(m_german.translate("QPlatformTheme", button).isEmpty()) << button;
    for (const Depth depth : {Depth::None, Depth::Module, Depth::Deep})
        expectTranslated(name(depth));
    for (const auto normalisation :
         {energy::Normalisation::PerRun, energy::Normalisation::PerToken,
          energy::Normalisation::PerInputToken, energy::Normalisation::PerMillionParameters})
        expectTranslated(title(normalisation));
    for (int i = 0; i <= static_cast<int>(energy::Verdict::Different); ++i)
        expectTranslated(title(static_cast<energy::Verdict>(i)));
    for (int i = 0; i <= static_cast<int>(energy::NodeVerdict::Higher); ++i)
        expectTranslated(title(static_cast<energy::NodeVerdict>(i)));
}

TEST_F(TermsTest, EveryWordOfTheAnswerIsTranslated)
{
    for (const energy::CauseFacts& cause : energy::kCauses) {
        for (const char* word : {cause.title, cause.verdict, cause.evidence, cause.settles})
            expectTranslated(word);
    }
    for (const auto pressure :
         {ThermalPressure::Unknown, ThermalPressure::Nominal, ThermalPressure::Moderate,
          ThermalPressure::Heavy, ThermalPressure::Trapping, ThermalPressure::Sleeping})
        expectTranslated(name(pressure));
}

TEST_F(TermsTest, EveryTextOfTheRooflineIsTranslated)
{
    for (const bool ofTime : {false, true}) {
        for (const auto origin : {energy::CostOrigin::Measured, energy::CostOrigin::Fitted,
                                  energy::CostOrigin::Unknown}) {
            energy::Diagnosis diagnosis;
            diagnosis.of_time = ofTime;
            diagnosis.costs.ceilings = origin;
            const viz::ChartFrame frame = rooflineOf(diagnosis, "run", {}).frame;
            for (const std::string& text : {frame.title, frame.x_title, frame.empty, frame.note})
                expectTranslated(text);
        }
    }
}

TEST_F(TermsTest, TheResolutionOfEverySourceIsTranslated)
{
    QCoreApplication::installTranslator(&m_german);
    int said = 0;
    for (const power::SourceReport& source : power::probeSources()) {
        if (source.resolution.empty())
            continue;
        ++said;
        EXPECT_NE(term(source.resolution).toStdString(), source.resolution) << source.kind;
    }
    EXPECT_GT(said, 5);
    QCoreApplication::removeTranslator(&m_german);
}

TEST_F(TermsTest, ArgumentsAreTranslatedToo)
{
    QCoreApplication::installTranslator(&m_german);
    EXPECT_EQ(term({"Layer %1", 3}), u"Schicht 3"_s);
    EXPECT_EQ(term({"The devices differ (%1). A rail covers only its own device: compare energies "
                    "only if the source covers both.",
                    "cpu / mps"}),
              u"Die Geräte unterscheiden sich (cpu / mps). Eine Schiene erfasst nur ihr eigenes "
              "Gerät: Vergleichen Sie Energien nur, wenn die Quelle beide erfasst."_s);
    EXPECT_EQ(
        term(sequence(
            {Message("%1 (%2 % interval from %3 to %4)", "-5.1 %", "95", "-9 %", "-1 %"),
             Message("%1, %2 corrected for %3 tests", Message("may be chance"), "p = 0.07", 3)},
            "; ")),
        u"-5.1 % (95-%-Intervall von -9 % bis -1 %); kann Zufall sein, p = 0.07 korrigiert für "
        "3 Tests"_s);
    EXPECT_EQ(term("There is no folder %2"), u"There is no folder %2"_s);
    EXPECT_EQ(term("%1 of 2 and 0.5"), u"%1 of 2 and 0.5"_s);
    // A text is not taken apart: it may be a guest's.
    EXPECT_EQ(term("Layer 3"), u"Layer 3"_s);
    QCoreApplication::removeTranslator(&m_german);
    EXPECT_EQ(term({"There is no folder %1", "/models"}), u"There is no folder /models"_s);
}

// Each clause is translated, in all forms that comparisons of one, two and more repeats need.
TEST_F(TermsTest, EverySentenceOfAComparisonIsTranslated)
{
    QCoreApplication::installTranslator(&m_german);
    std::set<std::string> seen;
    const auto expectGerman = [&](const Message& text) {
        if (seen.insert(text.english()).second) {
            for (const char* english :
                 {" the ", " of ", " and ", " are ", " is ", "lower", "higher"})
                EXPECT_FALSE(term(text).contains(QLatin1String(english)))
                    << term(text).toStdString();
        }
    };
    for (const int repeats : {1, 2, 3, 8}) {
        std::vector<energy::RunGroup> groups;
        for (const double factor : {1.0, 1.004, 1.3}) {
            energy::RunGroup& group = groups.emplace_back();
            for (int i = 0; i < repeats; ++i) {
                auto run =
                    std::make_shared<ep::Run>(test::makeSampleRun({.id = std::to_string(i)}));
                run->info.prompt += factor > 1.0 ? " longer" : "";
                run->info.device = factor > 1.0 ? "mps" : "cpu";
                run->info.depth = factor > 1.1 ? Depth::Deep : Depth::Module;
                run->info.power.source = factor > 1.1 ? "rapl" : "modelled";
                const double joules = factor * (1.0 + 0.01 * i * i);
                run->metrics.joules_per_token = joules;
                run->metrics.tokens_per_second = 1.0 / joules;
                group.runs.emplace_back().run = std::move(run);
            }
        }
        const energy::Comparison all = energy::compare(groups);
        for (const energy::ComparisonWarning& warning : all.warnings)
            expectGerman(warning.text);
        for (const std::string& setting : all.differs_in)
            expectGerman(setting);
        expectGerman(energy::explainTree(all));
        for (std::size_t g = 0; g < groups.size(); ++g) {
            expectGerman(energy::qualitySentence(all, g));
            expectGerman(energy::answerOf(all, g));
            for (const energy::MetricRow& row : all.rows) {
                expectGerman(energy::sentenceOf(all, row, g));
                if (row.groups[g].test)
                    expectGerman(row.groups[g].test->reason);
            }
            for (const energy::DifferenceNode& node : all.tree)
                expectGerman(energy::sentenceOf(all, node, g));
        }
    }
    EXPECT_GT(seen.size(), 30U);
    QCoreApplication::removeTranslator(&m_german);
}

TEST_F(TermsTest, ProvenanceIsSaidInTheLanguageOfTheWindow)
{
    EXPECT_EQ(provenanceLabel(Provenance::Modelled), u"modelled"_s);
    QCoreApplication::installTranslator(&m_german);
    EXPECT_EQ(provenanceLabel(Provenance::Modelled), u"modelliert"_s);
    EXPECT_EQ(term("a word of nobody"), u"a word of nobody"_s);
    for (const Provenance provenance :
         {Provenance::Measured, Provenance::Attributed, Provenance::Calibrated,
          Provenance::Modelled, Provenance::Imported, Provenance::Missing}) {
        EXPECT_FALSE(provenanceExplanation(provenance).contains(u"sensor"_s)
                     && !provenanceExplanation(provenance).contains(u"Sensor"_s));
    }
    QCoreApplication::removeTranslator(&m_german);
}

} // namespace
} // namespace ep::ui
