# SPDX-License-Identifier: GPL-3.0-or-later
# Install locations for `cmake --install`. The program finds the engine and the resources relative
# to itself (EngineLibrary::open(), resourceFolder()), so the prefix can be moved later.
include(GNUInstallDirs)

set(EP_RELEASE_DATE "2026-11-22")
set(ep_resources "${PROJECT_SOURCE_DIR}/resources")

# Folders of linked libraries outside the system's own, such as a downloaded LibTorch.
set_target_properties(energy-profiler ep_engine_plugin PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
if(EP_TORCH AND NOT APPLE) # inside the build folder, from which CMake takes no path
  set_property(TARGET ep_engine_plugin APPEND PROPERTY INSTALL_RPATH "${EP_TORCH}/lib")
endif()

if(APPLE)
  set(EP_BUNDLE_IDENTIFIER "io.github.energy-profiler.EnergyProfiler" CACHE STRING "Of the bundle")
  # LibTorch needs 14. The program carries the version of the Mac that built it, and
  # scripts/package_macos.sh raises this to the version that the libraries in the bundle need.
  set(EP_MACOS_MINIMUM "14.0" CACHE STRING "Oldest macOS that the program itself can run on")
  set(ep_contents "Energy Profiler.app/Contents")
  configure_file("${ep_resources}/macos/Info.plist.in"
                 "${PROJECT_BINARY_DIR}/Info.plist" @ONLY)
  set_property(TARGET energy-profiler APPEND PROPERTY INSTALL_RPATH "@executable_path/../Frameworks")
  set_property(TARGET ep_engine_plugin APPEND PROPERTY INSTALL_RPATH "@loader_path")
  install(TARGETS energy-profiler RUNTIME DESTINATION "${ep_contents}/MacOS")
  install(TARGETS ep_engine_plugin LIBRARY DESTINATION "${ep_contents}/Frameworks")
  install(FILES "${PROJECT_BINARY_DIR}/Info.plist" DESTINATION "${ep_contents}")
  set(ep_share "${ep_contents}/Resources")
  install(PROGRAMS scripts/setup_powermetrics.sh DESTINATION "${ep_share}")
  install(FILES LICENSE DESTINATION "${ep_share}")
else()
  configure_file("${ep_resources}/linux/io.github.energy_profiler.EnergyProfiler.metainfo.xml.in"
                 "${PROJECT_BINARY_DIR}/io.github.energy_profiler.EnergyProfiler.metainfo.xml" @ONLY)
  install(TARGETS energy-profiler RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(TARGETS ep_engine_plugin LIBRARY DESTINATION lib/energy-profiler)
  set(ep_share share/energy-profiler)
  install(FILES "${ep_resources}/linux/energy-profiler.desktop" DESTINATION share/applications)
  install(FILES "${PROJECT_BINARY_DIR}/io.github.energy_profiler.EnergyProfiler.metainfo.xml"
          DESTINATION share/metainfo)
  install(FILES "${ep_resources}/linux/energy-profiler.mime.xml"
          DESTINATION share/mime/packages RENAME energy-profiler.xml)
  install(FILES "${ep_resources}/icons/energy-profiler.svg"
          DESTINATION share/icons/hicolor/scalable/apps)
  foreach(size 48 128 256)
    install(FILES "${ep_resources}/icons/energy-profiler-${size}.png"
            DESTINATION share/icons/hicolor/${size}x${size}/apps RENAME energy-profiler.png)
  endforeach()
  install(FILES README.md DESTINATION share/doc/energy-profiler)
  install(FILES "${ep_resources}/linux/copyright" DESTINATION share/doc/energy-profiler)
endif()
install(DIRECTORY "${ep_resources}/models" "${ep_resources}/schema" "${ep_resources}/demo" "${ep_resources}/python"
        DESTINATION "${ep_share}" PATTERN "*.md" EXCLUDE)

include(EpPackage)
