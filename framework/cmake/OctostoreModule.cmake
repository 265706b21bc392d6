# octostore_add_module(NAME [FILE name] SOURCES ... [LINK ...])
#   A plugin or backend: an OBJECT library `octostore_NAME` (alias octostore::NAME), which tests
#   link, and from it the loadable NAME.so (or FILE.so) in the plugin directory. Dashes in
#   NAME become underscores in target names.
function(octostore_add_module name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILE" "SOURCES;LINK")
    if(NOT arg_FILE)
        set(arg_FILE ${name})
    endif()
    string(REPLACE "-" "_" target octostore_${name})
    string(REPLACE "octostore_" "octostore::" alias ${target})

    add_library(${target} OBJECT ${arg_SOURCES})
    add_library(${alias} ALIAS ${target})
    set_target_properties(${target} PROPERTIES
        POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${target} PUBLIC octostore::octostore octostore::options ${arg_LINK})

    # The door (plugin/Door.h) is compiled into the .so only: tests link several modules at once.
    add_library(${target}_module MODULE Module.cpp)
    set_target_properties(${target}_module PROPERTIES
        PREFIX "" OUTPUT_NAME ${arg_FILE} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/octostore
        BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN/..")
    target_link_libraries(${target}_module PRIVATE ${target})
    target_link_options(${target}_module PRIVATE
        $<$<STREQUAL:${OCTOSTORE_SANITIZER},none>:-Wl,--no-undefined>)
    install(TARGETS ${target}_module
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/octostore COMPONENT server)
    set_property(GLOBAL APPEND PROPERTY OCTOSTORE_MODULES ${target}_module)
endfunction()

# octostore_speed_up_test(TARGET)
#   Half of the time of compiling a test goes into reading GoogleTest's headers; all tests share one
#   precompiled copy.
function(octostore_speed_up_test target)
    set_target_properties(${target} PROPERTIES OCTOSTORE_TEST ON)
    target_precompile_headers(${target} REUSE_FROM octostore_test_headers)
endfunction()

# octostore_add_test(NAME SOURCES ... [LINK ...] [LABELS ...] [TIMEOUT seconds] [COST seconds])
#   A GoogleTest program, run as one ctest test. The default label is `quick`. Those that take long
#   say so: they start first, so that none of them runs alone at the end.
function(octostore_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;COST" "SOURCES;LINK;LABELS")
    if(NOT arg_LABELS)
        set(arg_LABELS quick)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 3600) # a guard against hangs, not a measure
    endif()
    if(NOT arg_COST)
        set(arg_COST 1)
    endif()
    add_executable(${name} ${arg_SOURCES})
    octostore_speed_up_test(${name})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name} PRIVATE
        octostore::octostore octostore::options ${arg_LINK} GTest::gmock GTest::gtest_main)
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} COST ${arg_COST}
        ENVIRONMENT "OCTOSTORE_TEST_PROGRAM=$<TARGET_FILE:octostore_program>")
endfunction()
