// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ep::session {

// Looks for stop texts in a text that arrives in pieces. What might be the beginning of a stop text
// is held back until the next piece tells, so that nothing of a stop text is ever passed on.
class StopFilter {
public:
    StopFilter() = default;
    explicit StopFilter(std::vector<std::string> stops); // empty ones are ignored

    // The part that is certain now. Once a stop text is complete, what came before the first one,
    // and nothing any more after that.
    std::string push(std::string_view piece);
    std::string flush(); // what was held back, when the text ends without a stop text
    bool stopped() const { return m_stopped; }

private:
    std::vector<std::string> m_stops;
    std::string m_held;
    bool m_stopped = false;
};

} // namespace ep::session
