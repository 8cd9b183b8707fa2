// SPDX-License-Identifier: GPL-3.0-or-later
// Reports, and the charts of a comparison, in a German window.
#include "support/sample_run.h"
#include "theme/ui_resources.h"

#include "ep/energy/comparison.h"
#include "ep/ui/report.h"

#include <QApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QTranslator>

#include <gmock/gmock.h>

#include <memory>

namespace {

using namespace ep;
using namespace Qt::Literals::StringLiterals;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class ReportLanguage : public testing::Test {
protected:
    ReportLanguage()
    {
        ui::initResources();
        EXPECT_TRUE(m_german.load(QLocale(u"de"_s), u"energy-profiler"_s, u"_"_s, u":/i18n"_s));
    }
    ~ReportLanguage() override { QApplication::removeTranslator(&m_german); }

    static energy::RunGroup group(const std::string& label, const std::string& id)
    {
        energy::RunGroup group;
        group.label = label;
        energy::ComparedRun& run = group.runs.emplace_back();
        run.run = std::make_shared<const ep::Run>(test::makeSampleRun({.id = id}));
        return group;
    }

    static std::string comparison()
    {
        ui::ReportSubject subject;
        subject.groups = {group("A", "11111111-2222-4333-8444-555555555555"),
                          group("B", "11111111-2222-4333-8444-666666666666")};
        subject.comparison = energy::compare(subject.groups);
        return ui::reportHtml(subject);
    }

    static std::string single()
    {
        ui::ReportSubject subject;
        subject.groups = {group("", "11111111-2222-4333-8444-555555555555")};
        return ui::reportHtml(subject);
    }

    // Lines of a German report with English words. Texts by the user and the model do not count.
    static QStringList englishLines(const std::string& html)
    {
        static const QRegularExpression notText(u"<style.*?</style>|<script.*?</script>|<[^>]*>"_s,
                                                QRegularExpression::DotMatchesEverythingOption);
        static const QRegularExpression english(
            u"\\b(the|of|and|is|are|has|have|with|from|this|that|not|than)\\b"_s,
            QRegularExpression::CaseInsensitiveOption);
        QString text = QString::fromStdString(html).replace(notText, u"\n"_s);
        const RunInfo info = test::makeSampleRun().info;
        for (const std::string& own :
             {info.prompt, info.response, info.notes.english(), info.title})
            if (!own.empty())
                text.remove(QString::fromStdString(own).toHtmlEscaped());
        return text.split(u'\n').filter(english);
    }

    void speakGerman() { QApplication::installTranslator(&m_german); }

private:
    QTranslator m_german;
};

TEST_F(ReportLanguage, AComparisonIsInTheLanguageOfTheWindow)
{
    EXPECT_THAT(comparison(), HasSubstr("Method and provenance"));
    EXPECT_THAT(comparison(),
                HasSubstr("<h1>Comparison: A and B</h1>\n<p>In these runs, B needs "));
    speakGerman();
    const std::string html = comparison();
    for (const char* german : {"<html lang=\"de\">", "Verfahren und Herkunft", "Vergleich: A und B",
                               "Aufsummierte Energie der Token", "Energie, B minus A",
                               "Sekunden seit dem ersten dekodierten Token", "Energie je Token"})
        EXPECT_THAT(html, HasSubstr(german));
    for (const char* english :
         {"Method and provenance", "Comparison:", "Cumulative energy", "Seconds from", "Every dot",
          "Verdict", "Fingerprint", ">Energy<", "There are fewer than 3 repeats", "No p-value",
          "for these runs only", "quality not measured", "Differences without tests"})
        EXPECT_THAT(html, Not(HasSubstr(english)));
}

TEST_F(ReportLanguage, NothingIsLeftInEnglish)
{
    EXPECT_GT(englishLines(single()).size(), 5);
    speakGerman();
    EXPECT_EQ(englishLines(single()).join(u'\n').toStdString(), "");
    EXPECT_EQ(englishLines(comparison()).join(u'\n').toStdString(), "");
}

TEST_F(ReportLanguage, AReportHasAllSequencesOfABatch)
{
    ui::ReportSubject subject;
    subject.groups = {group("", "11111111-2222-4333-8444-555555555555")};
    auto batch = std::make_shared<ep::Run>(*subject.groups[0].runs[0].run);
    batch->info.batch = {{.prompt = "First", .response = "One"},
                         {.prompt = "Second", .response = "Two"}};
    subject.groups[0].runs[0].run = batch;
    speakGerman();
    const std::string html = ui::reportHtml(subject);
    for (const char* text : {"First", "One", "Second", "Two", "Antwort 2"})
        EXPECT_THAT(html, HasSubstr(text));
}

TEST_F(ReportLanguage, NoSentenceOfAComparisonEndsTwice)
{
    EXPECT_THAT(comparison(), HasSubstr("and there are 1 and 1."));
    EXPECT_THAT(comparison(), Not(HasSubstr("1 and 1..")));
    speakGerman();
    EXPECT_THAT(comparison(), HasSubstr("und es gibt 1 und 1."));
    EXPECT_THAT(comparison(), Not(HasSubstr("1 und 1..")));
}

TEST_F(ReportLanguage, ARunIsInTheLanguageOfTheWindow)
{
    EXPECT_THAT(single(), HasSubstr("Power and phases"));
    speakGerman();
    const std::string html = single();
    for (const char* german : {"Leistung und Phasen", "Lauf:", "Energie jedes dekodierten Tokens",
                               "Energie nach Phase und Abschnitt", "Die Joule sind"})
        EXPECT_THAT(html, HasSubstr(german));
    for (const char* english :
         {"Power and phases", "The joules are", "Energy by", "Weights in", "Tokens in", ">Figure<"})
        EXPECT_THAT(html, Not(HasSubstr(english)));
}

} // namespace
