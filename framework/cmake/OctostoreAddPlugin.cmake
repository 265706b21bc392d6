# octostore_add_plugin(NAME SOURCES ... [LINK ...])
#   A plugin or backend of your own, built against an installed OctoStore: the loadable NAME.so. One
#   of the sources uses OCTOSTORE_PLUGIN (octostore/plugin/Door.h). `cmake --install` puts it where
#   the server looks; `plugins.enabled` must name it.
function(octostore_add_plugin name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
    add_library(${name} MODULE ${arg_SOURCES})
    # Hidden: two plugins may have classes of one name. Complete: what is missing is an error of the
    # linker, not of the first call.
    set_target_properties(${name} PROPERTIES
        PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_compile_features(${name} PRIVATE cxx_std_20)
    target_link_libraries(${name} PRIVATE octostore::octostore ${arg_LINK})
    target_link_options(${name} PRIVATE -Wl,--no-undefined)
    install(TARGETS ${name} LIBRARY DESTINATION ${OCTOSTORE_PLUGIN_DIR})
endfunction()
