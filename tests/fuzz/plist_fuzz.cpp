// SPDX-License-Identifier: GPL-3.0-or-later
//
// Any bytes, in any pieces, through splitter, reader and conversion. The first byte chooses the
// size of the pieces; the result must not depend on it.
#include "ep/power/plist_splitter.h"
#include "ep/power/powermetrics_document.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

struct Outcome {
    std::vector<std::string> documents;
    std::string message;
    bool operator==(const Outcome&) const = default;
};

Outcome split(std::string_view bytes, std::size_t piece)
{
    ep::power::PlistSplitter splitter;
    Outcome outcome;
    const auto drain = [&] {
        while (const auto document = splitter.next())
            outcome.documents.emplace_back(*document);
    };
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        splitter.append(bytes.substr(at, piece));
        drain();
    }
    splitter.finish();
    drain();
    outcome.message = splitter.message();
    return outcome;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::size_t piece = std::max<std::size_t>(1, data[0]);
    const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    const auto outcome = split(bytes, piece);
    if (outcome != split(bytes, bytes.size() + 1))
        std::abort();
    for (const auto& xml : outcome.documents) {
        const auto document = ep::power::readPowermetricsDocument(xml);
        if (!document) {
            if (document.error().message.empty())
                std::abort();
            continue;
        }
        const auto sample = ep::power::toPowerSample(*document, {0, 1}, 1);
        if (sample && sample->total_mw == std::nullopt)
            std::abort();
    }
    return 0;
}
