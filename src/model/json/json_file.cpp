// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_reader.h"

#include "ep/core/format.h"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace ep::model {

using Json = nlohmann::json;

namespace {

std::string placeIn(std::string_view text, std::size_t byte)
{
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t newline = before.rfind('\n');
    const std::size_t column =
        before.size() - (newline == std::string_view::npos ? 0 : newline + 1);
    return "line " + std::to_string(line) + ", column "
        + std::to_string(std::max<std::size_t>(column, 1));
}

} // namespace

Result<std::string> readTextFile(const std::filesystem::path& file, std::uint64_t maxBytes)
{
    std::error_code problem;
    const auto size = std::filesystem::file_size(file, problem);
    if (problem == std::errc::no_such_file_or_directory || problem == std::errc::not_a_directory) {
        return Error{ErrorCode::NotFound, "There is no file " + file.string() + "."};
    }
    if (problem) {
        return Error{ErrorCode::Io,
                     "Cannot read " + file.string() + " (" + problem.message() + ")."};
    }
    if (size > maxBytes) {
        return Error{ErrorCode::InvalidInput,
                     file.string() + " is " + formatBytes(static_cast<std::int64_t>(size))
                         + " large, more than a file of this kind can be: check that it is the "
                           "right one."};
    }
    std::string text(static_cast<std::size_t>(size), '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream || static_cast<std::uint64_t>(stream.gcount()) != size) {
        return Error{ErrorCode::Io,
                     "Cannot read " + file.string() + ": check that you may read it."};
    }
    return text;
}

Result<Json> parseJson(std::string_view text)
{
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& problem) {
        return Error{ErrorCode::InvalidInput, "not valid JSON at " + placeIn(text, problem.byte)};
    } catch (const Json::out_of_range&) { // "1e999"
        return Error{ErrorCode::InvalidInput, "not valid JSON: a number in it is too large"};
    }
}

Result<Json> readJsonFile(const std::filesystem::path& file, std::uint64_t maxBytes)
{
    const Result<std::string> text = readTextFile(file, maxBytes);
    if (!text)
        return text.error();
    auto json = parseJson(*text);
    if (!json) {
        return Error{ErrorCode::InvalidInput,
                     file.string() + " is " + json.error().message + ": download it again."};
    }
    if (!json->is_object()) {
        return Error{ErrorCode::InvalidInput,
                     file.string() + " does not hold a JSON object: download it again."};
    }
    return json;
}

} // namespace ep::model
