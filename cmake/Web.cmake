# embed_page(<room>): the page of HTML reports, web/dist/report.html, made by npm and put into the room's page.cpp.
# All build folders share it: packages are installed only when package-lock.json changed.
set(web ${PROJECT_SOURCE_DIR}/web)
file(GLOB web_sources CONFIGURE_DEPENDS ${web}/src/*)
add_custom_command(OUTPUT ${web}/dist/report.html
                   COMMAND ${web}/run build
                   DEPENDS ${web_sources} ${web}/run ${web}/build.mjs ${web}/package.json ${web}/package-lock.json
                   COMMENT "Making the page of HTML reports"
                   VERBATIM)

function(embed_page room)
  set_source_files_properties(${room}/page.cpp PROPERTIES COMPILE_DEFINITIONS DRAGNET_PAGE="${web}/dist/report.html"
                              OBJECT_DEPENDS ${web}/dist/report.html)
endfunction()
