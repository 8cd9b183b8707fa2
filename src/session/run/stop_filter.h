// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ep::session {

// Finds stop texts in a text that arrives in pieces. A possible beginning of a stop text is held
// back until the next piece, so that no part of a stop text is ever passed on.
class StopFilter {
public:
    StopFilter() = default;
    explicit StopFilter(std::vector<std::string> stops); // empty ones are ignored

    // The text that is certain by now. Once a stop text is complete: the text before the first
    // one, and nothing afterwards.
    std::string push(std::string_view piece);
    std::string flush(); // the held-back text, if the text ended without a stop text
    bool stopped() const { return m_stopped; }

private:
    std::vector<std::string> m_stops;
    std::string m_held;
    bool m_stopped = false;
};

} // namespace ep::session
