# SPDX-License-Identifier: GPL-3.0-or-later
# Headers alone: Debian's are the same on a Mac.
find_path(folder_of_CLI11 CLI/CLI.hpp)
set(CLI11_VERSION 2.4)
if(folder_of_CLI11 AND NOT TARGET CLI11::CLI11)
  add_library(CLI11::CLI11 INTERFACE IMPORTED GLOBAL)
  set_target_properties(CLI11::CLI11 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${folder_of_CLI11}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CLI11 REQUIRED_VARS folder_of_CLI11 VERSION_VAR CLI11_VERSION)
