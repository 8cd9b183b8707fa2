// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/viz/scene.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ep::ui {

// A self-contained HTML page: no scripts, no external links, all text escaped here.
class HtmlPage {
public:
    // Svg: charts inside the page. Image: <img src="chart:0"> and so on, for callers that paint
    // them.
    enum class Charts { Svg, Image };

    HtmlPage(std::string title, Charts charts);

    void heading(std::string_view text);
    void subheading(std::string_view text);
    void setNested(bool nested) { m_level = nested ? 1 : 0; } // for all following headings
    void paragraph(std::string_view text) { element("p", text); }
    void note(std::string_view text) { element("p", text, "note"); } // smaller and muted
    void warning(std::string_view text, bool serious)
    {
        element("p", text, serious ? "warning serious" : "warning");
    }
    void list(const std::vector<std::string>& items);
    // The first column is text, the others are figures unless `textual`. Cells may contain line
    // breaks.
    void table(const std::vector<std::string>& columns,
               const std::vector<std::vector<std::string>>& rows, bool textual = false);
    void chart(viz::Scene scene);

    const std::vector<viz::Scene>& scenes() const { return m_scenes; }
    std::string html() const;
    const std::string& body() const { return m_body; } // without a style sheet

private:
    void element(const char* tag, std::string_view text, const char* kind = nullptr);

    std::string m_title;
    Charts m_charts;
    std::size_t m_level = 0; // level of headings
    int m_sections = 0; // number of sections so far
    std::string m_body;
    std::vector<viz::Scene> m_scenes;
};

} // namespace ep::ui
