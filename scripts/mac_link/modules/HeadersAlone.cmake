# SPDX-License-Identifier: GPL-3.0-or-later
# Replaces packages that only have headers: Debian's are the same as a Mac's. A macro, since
# find_package_handle_standard_args sets variables where it is called.
include(FindPackageHandleStandardArgs)

macro(ep_headers_alone package header target version)
  find_path(folder_of_${package} ${header})
  set(${package}_VERSION ${version})
  if(folder_of_${package} AND NOT TARGET ${target})
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${folder_of_${package}}")
  endif()
  find_package_handle_standard_args(${package} REQUIRED_VARS folder_of_${package} VERSION_VAR ${package}_VERSION)
endmacro()
