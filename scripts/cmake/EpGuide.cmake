# SPDX-License-Identifier: GPL-3.0-or-later
# The pages of the user guide (Help > User Guide). Sets ep_guide to a resource file.
file(GLOB ep_guide_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.md")
set(ep_guide_files "")
foreach(page IN LISTS ep_guide_pages)
  get_filename_component(name "${page}" NAME)
  string(APPEND ep_guide_files "        <file alias=\"${name}\">${page}</file>\n")
endforeach()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/guide")
set(ep_guide "${PROJECT_BINARY_DIR}/guide/guide.qrc")
file(CONFIGURE OUTPUT "${ep_guide}" CONTENT
"<RCC>
    <qresource prefix=\"/guide\">
${ep_guide_files}    </qresource>
</RCC>
" @ONLY)
