# SPDX-License-Identifier: GPL-3.0-or-later
# Read after project(): sets how programs, libraries and modules are given an rpath.
foreach(language C CXX)
  foreach(kind SHARED_LIBRARY SHARED_MODULE EXECUTABLE)
    set(CMAKE_${kind}_RUNTIME_${language}_FLAG "-Wl,-rpath,")
  endforeach()
endforeach()
