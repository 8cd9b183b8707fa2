# SPDX-License-Identifier: GPL-3.0-or-later
# Headers alone: Debian's are the same on a Mac.
find_path(folder_of_nlohmann_json nlohmann/json.hpp)
set(nlohmann_json_VERSION 3.11)
if(folder_of_nlohmann_json AND NOT TARGET nlohmann_json::nlohmann_json)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED GLOBAL)
  set_target_properties(nlohmann_json::nlohmann_json PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${folder_of_nlohmann_json}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(nlohmann_json REQUIRED_VARS folder_of_nlohmann_json VERSION_VAR nlohmann_json_VERSION)
