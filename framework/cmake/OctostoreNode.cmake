# octostore_node_packages(FOLDER [HINT])
#   Installs into FOLDER/node_modules what package-lock.json of the calling directory names, again when
#   that file changes; what needs them depends on FOLDER/node_modules/.package-lock.json. Finds
#   OCTOSTORE_NODE and OCTOSTORE_NPM; without them the configuration stops and says HINT: what else to
#   do. No scripts of packages run: nothing needs them, and one reports installations to its maker.
function(octostore_node_packages folder)
    find_program(OCTOSTORE_NPM npm)
    find_program(OCTOSTORE_NODE NAMES node nodejs)
    if(NOT OCTOSTORE_NPM OR NOT OCTOSTORE_NODE)
        message(FATAL_ERROR
            "${CMAKE_CURRENT_SOURCE_DIR} needs node and npm (Debian: nodejs npm)${ARGN}")
    endif()
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${folder}/node_modules/.package-lock.json
        COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/package.json
            ${CMAKE_CURRENT_SOURCE_DIR}/package-lock.json ${folder}
        COMMAND ${OCTOSTORE_NPM} ci --ignore-scripts --no-audit --no-fund --silent
        DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/package.json ${CMAKE_CURRENT_SOURCE_DIR}/package-lock.json
        WORKING_DIRECTORY ${folder} VERBATIM)
endfunction()
