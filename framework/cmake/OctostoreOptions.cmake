# What every target of this project is compiled with: one interface target, no directory-wide flags.

set(OCTOSTORE_SANITIZER "none" CACHE STRING "none, address (with undefined) or thread")
option(OCTOSTORE_WERROR "Warnings are errors" ON)

# Everything that is run lies where an installed tree has it, so $ORIGIN finds it in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(octostore_options INTERFACE)
add_library(octostore::options ALIAS octostore_options)
target_compile_features(octostore_options INTERFACE cxx_std_20)
target_compile_options(octostore_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align
    -Wformat=2 -fno-omit-frame-pointer
    $<$<BOOL:${OCTOSTORE_WERROR}>:-Werror>
    # When it inlines, GCC 12 sees an overlap in "literal" + std::string where there is none, and
    # members of variants used uninitialised that are not.
    "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict;-Wno-maybe-uninitialized>"
    # In a batch GCC takes the files for headers, and what one of them has in its unnamed namespace
    # for global in the next.
    "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage;-Wno-shadow;-Wshadow=local>"
    $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>)

# Targets with the property OCTOSTORE_TEST are compiled for a short build: it is the product that
# has to be fast, and undefined behaviour is looked for in the product.
define_property(TARGET PROPERTY OCTOSTORE_TEST)
set(is_test "$<BOOL:$<TARGET_PROPERTY:OCTOSTORE_TEST>>")
target_compile_options(octostore_options INTERFACE "$<${is_test}:-O0>")

if(OCTOSTORE_SANITIZER STREQUAL "address")
    target_compile_options(octostore_options INTERFACE
        -fsanitize=address "$<$<NOT:${is_test}>:-fsanitize=undefined>" -fno-sanitize-recover=all
        # Poco keeps the status of any answer in an enumeration, also one that it does not know.
        -fno-sanitize=enum)
    target_link_options(octostore_options INTERFACE -fsanitize=address,undefined)
elseif(OCTOSTORE_SANITIZER STREQUAL "thread")
    target_compile_options(octostore_options INTERFACE -fsanitize=thread)
    target_link_options(octostore_options INTERFACE -fsanitize=thread)
elseif(NOT OCTOSTORE_SANITIZER STREQUAL "none")
    message(FATAL_ERROR "OCTOSTORE_SANITIZER is none, address or thread, not ${OCTOSTORE_SANITIZER}")
endif()
