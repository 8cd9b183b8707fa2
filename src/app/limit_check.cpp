// SPDX-License-Identifier: GPL-3.0-or-later
#include "limit_check.h"

#include "exit_status.h"
#include "terminal.h"

#include "ep/core/format.h"

#include <algorithm>

namespace ep::app {

void LimitOption::addTo(CLI::App& command)
{
    command
        .add_option("--fail-if", texts,
                    "Exit with status 1 if a limit such as \"joules_per_token > +5%\" is exceeded "
                    "for certain, with 3 if that is not known; may be repeated")
        ->type_name("LIMIT")
        ->allow_extra_args(false);
}

Status LimitOption::read()
{
    for (const std::string& text : texts) {
        const auto limit = energy::parseLimit(text);
        if (!limit)
            return limit.error();
        limits.push_back(*limit);
    }
    return {};
}

double LimitOption::error() const
{
    return energy::kIntervalError / static_cast<double>(std::max<std::size_t>(1, texts.size()));
}

int statusOfLimit(const energy::DifferenceLimit& limit, const std::string& text,
                  const std::optional<energy::SideTest>& test, double baseline,
                  const std::string& name)
{
    const energy::LimitCheck check = energy::checkLimit(limit, test, baseline);
    if (check == energy::LimitCheck::Within)
        return kExitDone;
    const std::string figure = std::string(title(limit.metric)) + ' '
        + (test ? differenceText(*test).english() : std::string(kMissingText));
    if (check == energy::LimitCheck::Exceeded) {
        printError(name + " exceeds the limit '" + text + "': " + figure + '.');
        return kExitExceeded;
    }
    const std::string reason = !test ? "the figure is not available on both sides."
        : test->interval             ? figure + "; more repeats or pairs would tell."
                                     : figure + ", and fewer than 3 repeats have no interval.";
    printError("It is not known whether " + name + " exceeds the limit '" + text + "': " + reason);
    return kExitNotKnown;
}

int worseStatus(int one, int other)
{
    const auto rank = [](int status) {
        return status == kExitExceeded ? 2 : status == kExitNotKnown ? 1 : 0;
    };
    return rank(one) < rank(other) ? other : one;
}

} // namespace ep::app
