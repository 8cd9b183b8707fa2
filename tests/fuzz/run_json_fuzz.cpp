// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of a run as read by `runs import`. Accepted input must be written again unchanged.
#include "ep/store/run_json.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
    const auto run = ep::store::runFromJson(text);
    if (!run)
        return 0;
    const std::string written = ep::store::runToJson(*run, -1);
    std::istringstream again(written);
    const auto second = ep::store::runFromJson(again);
    if (!second || ep::store::runToJson(*second, -1) != written) {
        std::fprintf(stderr, "not read back: %s\n",
                     second ? "another text" : second.error().message.english().c_str());
        std::abort();
    }
    return 0;
}
