// SPDX-License-Identifier: GPL-3.0-or-later
#include "date_format.h"

#include <algorithm>
#include <array>

namespace ep::text::jinja {

namespace {

constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};

std::string padded(int value, std::size_t digits, char fill = '0')
{
    std::string text = std::to_string(value);
    if (text.size() < digits)
        text.insert(0, digits - text.size(), fill);
    return text;
}

template <std::size_t n>
std::string_view nameOf(const std::array<std::string_view, n>& names, int index)
{
    return names[static_cast<std::size_t>(std::clamp(index, 0, static_cast<int>(n) - 1))];
}

std::string converted(const std::tm& time, char conversion)
{
    const int hour12 = time.tm_hour % 12 == 0 ? 12 : time.tm_hour % 12;
    switch (conversion) {
    case 'a':
        return std::string(nameOf(kDays, time.tm_wday).substr(0, 3));
    case 'A':
        return std::string(nameOf(kDays, time.tm_wday));
    case 'b':
    case 'h':
        return std::string(nameOf(kMonths, time.tm_mon).substr(0, 3));
    case 'B':
        return std::string(nameOf(kMonths, time.tm_mon));
    case 'd':
        return padded(time.tm_mday, 2);
    case 'e':
        return padded(time.tm_mday, 2, ' ');
    case 'm':
        return padded(time.tm_mon + 1, 2);
    case 'y':
        return padded(time.tm_year % 100, 2);
    case 'Y':
        return std::to_string(time.tm_year + 1900);
    case 'H':
        return padded(time.tm_hour, 2);
    case 'I':
        return padded(hour12, 2);
    case 'M':
        return padded(time.tm_min, 2);
    case 'S':
        return padded(time.tm_sec, 2);
    case 'p':
        return time.tm_hour < 12 ? "AM" : "PM";
    case 'j':
        return padded(time.tm_yday + 1, 3);
    case 'w':
        return std::to_string(time.tm_wday);
    case 'F':
        return formatDate(time, "%Y-%m-%d");
    case 'T':
        return formatDate(time, "%H:%M:%S");
    case 'R':
        return formatDate(time, "%H:%M");
    case 'D':
        return formatDate(time, "%m/%d/%y");
    case '%':
        return "%";
    default:
        return std::string("%") + conversion;
    }
}

} // namespace

std::string formatDate(const std::tm& time, std::string_view format)
{
    std::string text;
    for (std::size_t at = 0; at < format.size(); ++at) {
        if (format[at] != '%' || at + 1 == format.size()) {
            text += format[at];
            continue;
        }
        ++at;
        if (format[at] == '-' && at + 1 < format.size()) { // glibc extension: no padding
            std::string plain = converted(time, format[++at]);
            plain.erase(0, std::min(plain.find_first_not_of("0 "), plain.size() - 1));
            text += plain;
        } else {
            text += converted(time, format[at]);
        }
    }
    return text;
}

} // namespace ep::text::jinja
