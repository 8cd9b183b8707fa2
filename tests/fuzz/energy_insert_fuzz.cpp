// SPDX-License-Identifier: GPL-3.0-or-later
// Server answers into which the proxy inserts an energy: nothing else changes, wherever they are
// cut, and JSON stays JSON.
#include "energy_insert.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using ep::api::EnergyInsert;

std::string passed(EnergyInsert::Form form, const char* dialect, std::string_view answer,
                   std::size_t piece, const std::string& energy)
{
    EnergyInsert insert(form, *ep::attach::dialectFromId(dialect));
    std::string text;
    for (std::size_t at = 0; at < answer.size(); at += piece)
        text += insert.pass(answer.substr(at, piece));
    return text + insert.end(energy);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::size_t piece = 1 + data[0] % 61;
    const std::string_view answer(reinterpret_cast<const char*>(data + 1), size - 1);
    for (const auto form :
         {EnergyInsert::Form::Object, EnergyInsert::Form::Lines, EnergyInsert::Form::Events}) {
        for (const char* dialect : {"openai-chat", "anthropic"}) {
            if (passed(form, dialect, answer, piece, {}) != answer)
                std::abort();
            const std::string with = passed(form, dialect, answer, piece, R"({"joules":1.5})");
            if (with != passed(form, dialect, answer, answer.size() + 1, R"({"joules":1.5})"))
                std::abort();
            const auto json = nlohmann::json::parse(answer, nullptr, false);
            if (form == EnergyInsert::Form::Object && json.is_object()
                && nlohmann::json::parse(with, nullptr, false)
                        .value("energy_profiler", nlohmann::json())
                    != nlohmann::json{{"joules", 1.5}})
                std::abort();
        }
    }
    return 0;
}
