// SPDX-License-Identifier: GPL-3.0-or-later
#include "context.h"

#include "ep/json/document.h"
#include "ep/store/store_files.h"

#include <charconv>

namespace ep::api {

Result<store::Store*> Context::store()
{
    if (m_store)
        return m_store.get();
    if (!store::mayExist(m_options.database))
        return Error{ErrorCode::NotFound, "No run is stored yet."};
    auto opened = store::Store::openToRead(m_options.database);
    if (!opened)
        return opened.error();
    m_store = std::move(*opened);
    return m_store.get();
}

Result<const std::vector<RunSummary>*> Context::runs()
{
    const auto opened = store();
    if (!opened) {
        if (opened.error().code != ErrorCode::NotFound)
            return opened.error();
        m_runs.clear();
        return &m_runs;
    }
    const auto version = (*opened)->dataVersion();
    if (!version)
        return version.error();
    if (m_listed != *version) {
        auto listed = (*opened)->list();
        if (!listed)
            return listed.error();
        m_runs = std::move(*listed);
        m_listed = *version;
    }
    return &m_runs;
}

HttpResponse jsonResponse(const Json& json, int status)
{
    HttpResponse response;
    response.status = status;
    response.body = json::textOf(json);
    return response;
}

HttpResponse failure(const Error& error)
{
    switch (error.code) {
    case ErrorCode::InvalidInput:
    case ErrorCode::Unsupported:
    case ErrorCode::NoMemory:
        return errorResponse(422, error.message.english());
    case ErrorCode::NotFound:
        return errorResponse(404, error.message.english());
    case ErrorCode::Cancelled:
        return errorResponse(409, error.message.english());
    case ErrorCode::Io:
    case ErrorCode::Internal:
        break;
    }
    return errorResponse(500, error.message.english());
}

std::optional<std::int64_t> queryInteger(const HttpRequest& request, const std::string& name)
{
    const auto found = request.query.find(name);
    if (found == request.query.end())
        return std::nullopt;
    std::int64_t value = 0;
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
    return value;
}

std::optional<double> queryNumber(const HttpRequest& request, const std::string& name)
{
    const auto found = request.query.find(name);
    if (found == request.query.end())
        return std::nullopt;
    return json::parse(found->second)->get<double>(); // independent of the locale
}

std::string queryText(const HttpRequest& request, const std::string& name,
                      const std::string& standard)
{
    const auto found = request.query.find(name);
    return found == request.query.end() ? standard : found->second;
}

} // namespace ep::api
