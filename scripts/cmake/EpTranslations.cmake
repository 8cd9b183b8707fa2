# SPDX-License-Identifier: GPL-3.0-or-later
# Translations of the window, if Qt's lrelease is installed (Debian: qt6-l10n-tools); without it
# the program only speaks English. Sets ep_translations to a resource file, or to nothing.
set(ep_translations "")
find_program(EP_LRELEASE lrelease
             PATHS /usr/lib/qt6/bin "${QT6_INSTALL_PREFIX}/bin" "${QT6_INSTALL_PREFIX}/libexec"
             NO_DEFAULT_PATH)
find_program(EP_LRELEASE NAMES lrelease6 lrelease-qt6)
# The tool may be a stub that calls the one of another Qt which is not installed.
if(EP_LRELEASE)
  execute_process(COMMAND "${EP_LRELEASE}" -version RESULT_VARIABLE ep_lrelease_result
                  OUTPUT_QUIET ERROR_QUIET)
  if(NOT ep_lrelease_result EQUAL 0)
    set(EP_LRELEASE "")
  endif()
endif()
file(GLOB ep_ts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/resources/translations/*.ts")
if(EP_LRELEASE)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/i18n")
  set(ep_files "")
  foreach(ts IN LISTS ep_ts)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ts}")
    get_filename_component(name "${ts}" NAME_WE)
    set(qm "${PROJECT_BINARY_DIR}/i18n/${name}.qm")
    # At configure time, since the resource compiler looks for the file before anything is built.
    # Only if out of date: each build configures, and a new file would link the program again.
    if("${ts}" IS_NEWER_THAN "${qm}")
      execute_process(COMMAND "${EP_LRELEASE}" -silent "${ts}" -qm "${qm}" COMMAND_ERROR_IS_FATAL ANY)
    endif()
    string(APPEND ep_files "        <file>${name}.qm</file>\n")
  endforeach()
  set(ep_translations "${PROJECT_BINARY_DIR}/i18n/i18n.qrc")
  file(CONFIGURE OUTPUT "${ep_translations}" CONTENT
"<RCC>
    <qresource prefix=\"/i18n\">
${ep_files}    </qresource>
</RCC>
" @ONLY)
endif()
