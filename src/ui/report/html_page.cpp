// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/html_page.h"

#include "report/paper.h"
#include "text.h"

#include "ep/core/safe_text.h"
#include "ep/ui/terms.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep::ui {

namespace {

constexpr std::array<const char*, 4> kHeadings{"h2", "h3", "h4", "h5"};

constexpr const char* kStyle = R"(
body { font: 15px/1.5 system-ui, "Helvetica Neue", "DejaVu Sans", sans-serif; color: #1d2023;
       background: #fff; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0.2rem; }
h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #e3e6e9; }
h3 { font-size: 1.1rem; margin-bottom: 0.3rem; }
h4, h5 { font-size: 1rem; margin-bottom: 0.3rem; }
table { border-collapse: collapse; margin: 0.6rem 0; font-size: 0.9rem; }
th, td { padding: 3px 10px; border-bottom: 1px solid #e3e6e9; vertical-align: top; text-align: left;
         white-space: pre-line; overflow-wrap: anywhere; }
th { background: #f4f5f6; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
p.note { color: #5a6168; font-size: 0.85rem; }
p.warning { border-left: 4px solid #b35a00; background: #fdf3e7; padding: 6px 10px; margin: 6px 0; }
p.serious { border-left-color: #a6232b; background: #fbebec; }
svg { max-width: 100%; height: auto; margin: 0.6rem 0; }
@media print { body { margin: 0; } svg, table { break-inside: avoid; } }
)";

// For print, and for renderers with limited style support: sizes are in points.
constexpr const char* kPaperStyle = R"(
body { font-size: 9pt; color: #1d2023; }
h2.section { page-break-before: always; }
h1 { font-size: 16pt; } h2 { font-size: 12pt; } h3 { font-size: 10pt; }
th, td { font-size: 7pt; padding: 2px; border-bottom: 1px solid #e3e6e9; }
p.note { color: #5a6168; font-size: 8pt; }
p.warning { background-color: #fdf3e7; } p.serious { background-color: #fbebec; }
)";

std::string withBreaks(std::string_view text)
{
    std::string escaped = xmlText(text);
    for (std::size_t at = 0; (at = escaped.find('\n', at)) != std::string::npos; at += 4)
        escaped.replace(at, 1, "<br>");
    return escaped;
}

} // namespace

HtmlPage::HtmlPage(std::string title, Charts charts)
    : m_title(std::move(title))
    , m_charts(charts)
{
    element("h1", m_title);
}

void HtmlPage::element(const char* tag, std::string_view text, const char* kind)
{
    m_body += std::string("<") + tag + (kind ? std::string(" class=\"") + kind + "\">" : ">")
        + withBreaks(text) + "</" + tag + ">\n";
}

void HtmlPage::heading(std::string_view text)
{
    // On paper, each section begins a page, except the first, which follows the title.
    const bool breaks = m_charts == Charts::Image && m_level == 0 && m_sections++ > 0;
    element(kHeadings.at(m_level), text, breaks ? "section" : nullptr);
}

void HtmlPage::subheading(std::string_view text)
{
    element(kHeadings.at(m_level + 1), text);
}

void HtmlPage::list(const std::vector<std::string>& items)
{
    m_body += "<ul>\n";
    for (const std::string& item : items)
        element("li", item);
    m_body += "</ul>\n";
}

void HtmlPage::table(const std::vector<std::string>& columns,
                     const std::vector<std::vector<std::string>>& rows, bool textual)
{
    // A column of sentences is not a column of figures, and gets more room on paper.
    constexpr std::size_t kLongestFigure = 40;
    const auto sentences = [&rows](std::size_t column) {
        return std::ranges::any_of(rows, [column](const auto& cells) {
            return column < cells.size() && cells[column].size() > kLongestFigure;
        });
    };
    const auto row = [&](const char* tag, const std::vector<std::string>& cells) {
        m_body += "<tr>";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const bool sentence = i > 0 && sentences(i);
            const bool figure = i > 0 && !textual && !sentence;
            const bool wide = sentence && m_charts == Charts::Image;
            m_body += std::string("<") + tag
                + (figure     ? " class=\"n\" align=\"right\">"
                       : wide ? " width=\"40%\">"
                              : ">")
                + withBreaks(cells[i]) + "</" + tag + ">";
        }
        m_body += "</tr>\n";
    };
    m_body += "<table>\n";
    if (!columns.empty())
        row("th", columns);
    for (const auto& cells : rows)
        row("td", cells);
    m_body += "</table>\n";
}

void HtmlPage::chart(viz::Scene scene)
{
    scene.summary = term(scene.summary).toStdString();
    if (m_charts == Charts::Svg) {
        m_body += viz::toSvg(scene, viz::ScenePalette::light());
    } else {
        m_body += "<p><img src=\"" + scenePictureName(m_scenes.size()).toStdString() + "\"></p>\n";
    }
    m_scenes.push_back(std::move(scene));
}

std::string HtmlPage::html() const
{
    // Translators: enter the code of your language.
    return "<!DOCTYPE html>\n<html lang=\"" + said("en")
        + "\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + xmlText(m_title)
        + "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>"
        + (m_charts == Charts::Svg ? kStyle : kPaperStyle) + "</style>\n</head>\n<body>\n" + m_body
        + "</body>\n</html>\n";
}

} // namespace ep::ui
