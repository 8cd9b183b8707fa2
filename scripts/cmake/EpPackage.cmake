# SPDX-License-Identifier: GPL-3.0-or-later
# A Debian package by CPack: `cpack -G DEB` in the build folder, or scripts/package_linux.sh. Its
# dependencies are those of the release it is built on (dpkg-shlibdeps), so each release has its
# own package, with the release's number in the file name.
if(APPLE)
  return()
endif()

set(ep_release "")
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release ep_os REGEX "^(ID|VERSION_ID)=")
  string(REGEX REPLACE ".*VERSION_ID=\"?([0-9.]+).*" "\\1" ep_os_version "${ep_os}")
  if(ep_os MATCHES "ID=debian")
    set(ep_release "~deb${ep_os_version}")
  elseif(ep_os MATCHES "ID=ubuntu")
    set(ep_release "~ubuntu${ep_os_version}")
  endif()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME energy-profiler)
set(CPACK_PACKAGE_VENDOR "The Energy Profiler authors")
set(CPACK_PACKAGE_CONTACT "The Energy Profiler authors <energy-profiler@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shows where the joules of a transformer's inference go")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "shows where the joules of a transformer's inference go
 Runs a transformer model on this machine, reads the machine's power sensors meanwhile, and shows the
 energy by phase, token, layer, component and tensor operation: live, and afterwards across runs.
 Comes with a small model and a recorded run to try.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "1${ep_release}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened at run time, so no library names them: Wayland's platform plugin, and a font.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-wayland, fonts-dejavu-core | fonts-noto-core, hicolor-icon-theme")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
include(CPack)
