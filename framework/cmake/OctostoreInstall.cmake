# `cmake --install BUILD`: the server (component `server`) and what plugins are built with (`sdk`).
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/OctoStore)
set(OCTOSTORE_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/octostore)
set(OCTOSTORE_PROGRAM ${CMAKE_INSTALL_BINDIR}/octostore)

install(TARGETS octostore EXPORT OctoStoreTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT server NAMELINK_COMPONENT sdk)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/framework/include/octostore
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sdk
    # Of the commands' own libraries, which are not installed.
    PATTERN client EXCLUDE PATTERN bench EXCLUDE)
install(EXPORT OctoStoreTargets NAMESPACE octostore:: DESTINATION ${package_dir} COMPONENT sdk)

configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/framework/cmake/OctostoreConfig.cmake.in
    ${PROJECT_BINARY_DIR}/OctoStoreConfig.cmake
    INSTALL_DESTINATION ${package_dir}
    PATH_VARS OCTOSTORE_PLUGIN_DIR OCTOSTORE_PROGRAM)
# Before 1.0 a minor version may change the interfaces.
write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/OctoStoreConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/OctoStoreConfig.cmake
    ${PROJECT_BINARY_DIR}/OctoStoreConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/framework/cmake/OctostoreAddPlugin.cmake
    DESTINATION ${package_dir} COMPONENT sdk)

# The suite every backend passes, for backends that are written elsewhere. As objects: its tests
# register themselves, and of a static library the linker would take only what somebody calls.
if(OCTOSTORE_TESTS)
    install(TARGETS octostore_backend_conformance EXPORT OctoStoreConformanceTargets
        OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/octostore-conformance COMPONENT sdk)
    install(EXPORT OctoStoreConformanceTargets NAMESPACE octostore::
        DESTINATION ${package_dir} COMPONENT sdk)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/tests/conformance/backend
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/octostore-conformance/conformance COMPONENT sdk
        FILES_MATCHING PATTERN "*.h")
endif()
