// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/stop_filter.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ep::session {

StopFilter::StopFilter(std::vector<std::string> stops)
    : m_stops(std::move(stops))
{
    std::erase(m_stops, std::string());
}

std::string StopFilter::push(std::string_view piece)
{
    if (m_stopped)
        return {};
    m_held += piece;
    std::size_t first = std::string::npos; // position of the first stop text
    for (const std::string& stop : m_stops)
        first = std::min(first, m_held.find(stop));
    if (first != std::string::npos) {
        m_stopped = true;
        m_held.resize(first);
        return std::exchange(m_held, {});
    }
    std::size_t held = 0; // longest suffix of the text that begins a stop text
    for (const std::string& stop : m_stops) {
        for (std::size_t length = std::min(stop.size() - 1, m_held.size()); length > held;
             --length) {
            if (m_held.ends_with(std::string_view(stop).substr(0, length)))
                held = length;
        }
    }
    std::string certain = m_held.substr(0, m_held.size() - held);
    m_held.erase(0, certain.size());
    return certain;
}

std::string StopFilter::flush()
{
    return std::exchange(m_held, {});
}

} // namespace ep::session
