// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a study. An accepted study can be planned, written, and read again unchanged.
#include "ep/core/utf8.h"
#include "ep/session/study.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto spec = ep::session::parseStudy(text, "/nonexistent");
    if (!spec) {
        require(!spec.error().message.empty() && ep::isValidUtf8(spec.error().message.english()));
        return 0;
    }
    const auto again = ep::session::parseStudy(ep::session::studyToJson(*spec), "/nonexistent");
    require(again.has_value() && *again == *spec);
    return 0;
}
