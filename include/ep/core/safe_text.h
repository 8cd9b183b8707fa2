// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// Makes text from outside (a model, a prompt, an imported run) safe for its destination. All
// output of the program passes through one of these functions.
namespace ep {

// For a terminal: characters that could control it or reverse the text direction (C0 and C1
// controls except line feed and tab, DEL, bidi controls) and invalid UTF-8 become U+FFFD.
std::string terminalText(std::string_view text);

// For JSON on a terminal: escapes the same characters, which can only occur in strings, so that
// the document keeps its meaning.
std::string terminalJson(std::string_view json);

// For XML, SVG and HTML, in content and quoted attributes: markup is escaped; characters not
// allowed in XML 1.0, those that terminalText() replaces, and invalid UTF-8 become U+FFFD.
std::string xmlText(std::string_view text);

// For a cell of a CSV table (RFC 4180). Spreadsheets evaluate text that begins with =, +, -, @, a
// tab or a carriage return as a formula; an apostrophe in front prevents that, unless Raw is
// requested.
enum class CsvText { Quoted, Raw };
bool isFormula(std::string_view text);
std::string csvCell(std::string_view text, CsvText formulas = CsvText::Quoted);

} // namespace ep
