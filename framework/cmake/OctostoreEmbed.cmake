# octostore_embed_files(TARGET SYMBOL FILES file[=name]...)
#   Builds files into TARGET, compressed (gzip -9n gives the same bytes every time), and gives it
#   the function `std::vector<octostore::http::EmbeddedFile> SYMBOL()` in the header "SYMBOL.h"; see
#   http/EmbeddedFiles.h. A file is served as `name`, by default without its folder. Files that a
#   custom command makes are fine.
function(octostore_embed_files target symbol)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FILES")
    find_program(OCTOSTORE_GZIP gzip REQUIRED)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${symbol})
    file(MAKE_DIRECTORY ${folder})

    set(number 0)
    set(compressed "")
    set(blobs "")
    set(declarations "")
    set(rows "")
    foreach(entry IN LISTS arg_FILES)
        string(REGEX MATCH "^([^=]+)(=(.+))?$" parts "${entry}")
        get_filename_component(file "${CMAKE_MATCH_1}" ABSOLUTE)
        set(name "${CMAKE_MATCH_3}")
        if(NOT name)
            get_filename_component(name "${file}" NAME)
        endif()
        set(label octostore_${symbol}_${number})
        set(gzip ${folder}/${number}.gz)
        add_custom_command(OUTPUT ${gzip}
            COMMAND ${OCTOSTORE_GZIP} -9nc ${file} > ${gzip}
            DEPENDS ${file} VERBATIM)
        list(APPEND compressed ${gzip})
        string(APPEND blobs
            "asm(\".section .rodata.${label},\\\"a\\\"\\n\"\n"
            "    \".hidden ${label}_begin\\n.hidden ${label}_end\\n\"\n"
            "    \".globl ${label}_begin\\n.globl ${label}_end\\n\"\n"
            "    \"${label}_begin:\\n.incbin \\\"${gzip}\\\"\\n${label}_end:\\n.previous\\n\");\n")
        string(APPEND declarations
            "extern \"C\" const char ${label}_begin[];\nextern \"C\" const char ${label}_end[];\n")
        string(APPEND rows
            "        {\"${name}\", std::string_view(${label}_begin,\n"
            "            static_cast<std::size_t>(${label}_end - ${label}_begin))},\n")
        math(EXPR number "${number} + 1")
    endforeach()

    file(CONFIGURE OUTPUT ${folder}/${symbol}.h @ONLY CONTENT
"#pragma once\n#include <octostore/http/EmbeddedFiles.h>\n#include <vector>
std::vector<octostore::http::EmbeddedFile> @symbol@();\n")
    file(CONFIGURE OUTPUT ${folder}/${symbol}.cpp @ONLY CONTENT
"#include \"@symbol@.h\"\n#include <cstddef>\n#include <string_view>\n
@blobs@\n@declarations@
std::vector<octostore::http::EmbeddedFile> @symbol@()\n{\n    return {\n@rows@    };\n}\n")
    # The compiler does not report what .incbin reads.
    set_source_files_properties(${folder}/${symbol}.cpp PROPERTIES
        OBJECT_DEPENDS "${compressed}" SKIP_LINTING ON)
    target_sources(${target} PRIVATE ${folder}/${symbol}.cpp)
    target_include_directories(${target} PUBLIC ${folder})
endfunction()
