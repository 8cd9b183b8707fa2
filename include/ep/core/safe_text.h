// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// Text that others wrote (a model, a prompt, an imported run), made safe for where it goes. Every
// output of the program goes through one of these.
namespace ep {

// A terminal: whatever could steer it or turn the order of characters around (C0 and C1 controls
// but line feed and tab, DEL, bidi controls), and bytes that are no UTF-8, become U+FFFD.
std::string terminalText(std::string_view text);

// JSON on a terminal: the same characters, which JSON can only hold in strings, are escaped, so
// that the document says the same.
std::string terminalJson(std::string_view json);

// XML, SVG and HTML, in content and in quoted attributes: markup is escaped; what XML 1.0 does not
// allow, and bytes that are no UTF-8, become U+FFFD.
std::string xmlText(std::string_view text);

// A cell of a CSV table (RFC 4180). A spreadsheet runs a text that begins with =, +, -, @, a tab
// or a carriage return as a formula: an apostrophe before it prevents that, unless Raw is wanted.
enum class CsvText { Quoted, Raw };
bool isFormula(std::string_view text);
std::string csvCell(std::string_view text, CsvText formulas = CsvText::Quoted);

} // namespace ep
