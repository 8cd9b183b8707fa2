# SPDX-License-Identifier: GPL-3.0-or-later
# Replaces the CMake files of a Mac's Qt: frameworks from the wheels, headers from Debian 13's Qt
# (a newer Qt still exports what they declare), and this machine's moc and rcc.
set(cache "$ENV{EP_MAC_CACHE}")
set(headers "${cache}/debian/usr/include/x86_64-linux-gnu/qt6")
file(STRINGS "${headers}/QtCore/qtcoreversion.h" line REGEX "QTCORE_VERSION_STR")
string(REGEX REPLACE ".*\"(([0-9]+)\\.([0-9]+).*)\".*" "\\1" Qt6_VERSION "${line}")
string(REGEX REPLACE "^([0-9]+)\\.([0-9]+).*" "\\1" Qt6Core_VERSION_MAJOR "${Qt6_VERSION}")
string(REGEX REPLACE "^([0-9]+)\\.([0-9]+).*" "\\2" Qt6Core_VERSION_MINOR "${Qt6_VERSION}")
set(QT6_INSTALL_PREFIX "${cache}/qt")

set(uses_Gui Core)
set(uses_Widgets Gui)
set(uses_OpenGL Gui)
set(uses_OpenGLWidgets OpenGL Widgets)
set(uses_Charts OpenGLWidgets)
set(uses_Network Core)
set(uses_WebSockets Network)
set(uses_Test Core)

function(ep_import_qt module)
  if(TARGET Qt6::${module})
    return()
  endif()
  set(framework "${cache}/qt/lib/Qt${module}.framework")
  if(NOT EXISTS "${framework}" OR NOT EXISTS "${headers}/Qt${module}")
    return()
  endif()
  set(used "")
  foreach(other IN LISTS uses_${module})
    ep_import_qt(${other})
    list(APPEND used Qt6::${other})
  endforeach()
  string(TOUPPER "${module}" upper)
  add_library(Qt6::${module} SHARED IMPORTED GLOBAL)
  set_target_properties(Qt6::${module} PROPERTIES
    FRAMEWORK TRUE
    IMPORTED_LOCATION "${framework}/Versions/A/Qt${module}"
    IMPORTED_SONAME "@rpath/Qt${module}.framework/Versions/A/Qt${module}"
    INTERFACE_COMPILE_DEFINITIONS "QT_${upper}_LIB;QT_NO_DEBUG"
    INTERFACE_INCLUDE_DIRECTORIES "${headers};${headers}/Qt${module}"
    INTERFACE_LINK_LIBRARIES "${used}")
endfunction()

foreach(tool moc rcc)
  if(NOT TARGET Qt6::${tool})
    add_executable(Qt6::${tool} IMPORTED GLOBAL)
    set_target_properties(Qt6::${tool} PROPERTIES IMPORTED_LOCATION "/usr/lib/qt6/libexec/${tool}")
  endif()
endforeach()
foreach(module IN LISTS Qt6_FIND_COMPONENTS)
  ep_import_qt(${module})
  if(TARGET Qt6::${module})
    set(Qt6_${module}_FOUND TRUE)
  endif()
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Qt6 REQUIRED_VARS headers VERSION_VAR Qt6_VERSION HANDLE_COMPONENTS)
