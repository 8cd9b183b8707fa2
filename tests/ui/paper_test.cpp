// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/html_page.h"
#include "report/paper.h"

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>
#include <QTextDocument>
#include <QTextLayout>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ep::ui {
namespace {

// A report with two levels of headings, tables and long paragraphs.
std::string reportOf(int rows, const std::string& word)
{
    HtmlPage page(word, HtmlPage::Charts::Image);
    page.paragraph(word);
    page.heading(word);
    page.table({word, word},
               std::vector<std::vector<std::string>>(static_cast<std::size_t>(rows),
                                                     {word, word + '\n' + word}));
    page.subheading(word);
    page.table({word, "1"}, std::vector<std::vector<std::string>>(7, {word, "2"}));
    for (int part = 0; part < 6; ++part) {
        page.subheading(word);
        std::string text;
        for (int i = 0; i < 40 + 7 * rows; ++i)
            text += word + ' ';
        page.paragraph(text);
    }
    page.heading(word);
    page.note(word);
    return page.html();
}

struct LaidOut {
    QTextDocument document;
    std::vector<PaperStrip> strips;
    std::vector<std::size_t> pages;
    double height = 0.0;
};

void layOut(LaidOut& result, const std::string& html, QPageSize::PageSizeId size)
{
    result.document.setHtml(QString::fromStdString(html));
    const QSizeF page = QPageSize(size).size(QPageSize::Point);
    result.height = page.height() - 100.0;
    result.document.setDocumentMargin(0.0);
    result.document.setTextWidth(page.width() - 100.0);
    result.strips = stripsOf(result.document, result.height);
    result.pages = pagesOf(result.strips, result.height);
}

TEST(Paper, NoPageEndsWithAHeadingInAnyLayout)
{
    int layouts = 0;
    int pages = 0;
    for (const QPageSize::PageSizeId size :
         {QPageSize::A4, QPageSize::A5, QPageSize::Letter, QPageSize::Legal}) {
        for (const char* word : {"Energy", "Energieverbrauchsmessung des Rechners",
                                 "\u96fb\u529b\u91cf", "\u0627\u0644\u0637\u0627\u0642\u0629"}) {
            for (int rows = 1; rows < 60; rows += 3) {
                LaidOut laid;
                layOut(laid, reportOf(rows, word), size);
                ++layouts;
                ASSERT_GT(laid.strips.size(), 20U);
                for (std::size_t i = 1; i < laid.strips.size(); ++i)
                    ASSERT_GE(laid.strips[i].top, laid.strips[i - 1].bottom - 0.5) << i;
                for (std::size_t page = 0; page < laid.pages.size(); ++page) {
                    const bool last = page + 1 == laid.pages.size();
                    const std::size_t first = laid.pages[page];
                    const std::size_t end = last ? laid.strips.size() : laid.pages[page + 1];
                    ASSERT_GT(end, first);
                    ASSERT_FALSE(laid.strips[end - 1].withNext) << word << ", " << rows << " rows";
                    ASSERT_LE(laid.strips[end - 1].bottom - laid.strips[first].top, laid.height);
                    // A section that does not begin the page must fit on it completely.
                    bool section = false;
                    for (std::size_t i = first + 1; i < end; ++i)
                        section = section || laid.strips[i].beginsSection;
                    ASSERT_TRUE(!section || last || laid.strips[end].beginsSection);
                    ++pages;
                }
            }
        }
    }
    EXPECT_EQ(layouts, 4 * 4 * 20);
    EXPECT_GT(pages, 3 * layouts);
}

TEST(Paper, WithoutItHeadingsWouldEndPages)
{
    int stranded = 0;
    for (int rows = 1; rows < 60; ++rows) {
        LaidOut laid;
        layOut(laid, reportOf(rows, "Energy"), QPageSize::A4);
        for (PaperStrip& strip : laid.strips)
            strip.withNext = false;
        const std::vector<PaperStrip> marked = stripsOf(laid.document, laid.height);
        for (const std::size_t first : pagesOf(laid.strips, laid.height))
            stranded += first > 0 && marked[first - 1].withNext ? 1 : 0;
    }
    EXPECT_GT(stranded, 0); // otherwise the test above proves nothing
}

TEST(Paper, ARowThatIsHigherThanAPageIsDivided)
{
    std::string text;
    for (int line = 0; line < 400; ++line)
        text += "line\n";
    HtmlPage page("Title", HtmlPage::Charts::Image);
    page.table({"A", "B"}, {{"short", text}}, true);
    LaidOut laid;
    layOut(laid, page.html(), QPageSize::A4);
    EXPECT_GT(laid.pages.size(), 2U);
    EXPECT_GT(laid.strips.size(), 300U);
}

TEST(Paper, WhatStaysTogetherMayBeHigherThanAPage)
{
    std::vector<PaperStrip> strips;
    for (int i = 0; i < 10; ++i)
        strips.push_back({i * 10.0, i * 10.0 + 10.0, false, i < 9});
    EXPECT_EQ(pagesOf(strips, 30.0), (std::vector<std::size_t>{0, 3, 6, 9}));
    EXPECT_TRUE(pagesOf({}, 30.0).empty());
}

TEST(Paper, PrintsEveryPage)
{
    LaidOut laid;
    layOut(laid, reportOf(30, "Energy"), QPageSize::A4);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setPageSize(QPageSize(QPageSize::A4));
        QTextDocument document;
        document.setHtml(QString::fromStdString(reportOf(30, "Energy")));
        printOnPaper(document, {}, writer);
    }
    const QByteArray pages = "/Type /Page\n";
    EXPECT_GE(buffer.data().count(pages), 3);
}

} // namespace
} // namespace ep::ui
