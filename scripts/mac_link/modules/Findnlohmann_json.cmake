# SPDX-License-Identifier: GPL-3.0-or-later
include(HeadersAlone)
ep_headers_alone(nlohmann_json nlohmann/json.hpp nlohmann_json::nlohmann_json 3.11)
