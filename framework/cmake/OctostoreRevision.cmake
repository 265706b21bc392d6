# octostore_revision(OUT): the commit this tree is at, in twelve digits; "unknown" when it is no clone,
# as an unpacked archive is. Asked when the build is configured; -DOCTOSTORE_REVISION=... overrules it.
function(octostore_revision out)
    set(revision unknown)
    find_program(OCTOSTORE_GIT git)
    if(DEFINED OCTOSTORE_REVISION)
        set(revision ${OCTOSTORE_REVISION})
    elseif(OCTOSTORE_GIT AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
        # Without the look at .git, an archive in somebody else's clone would tell of that clone.
        execute_process(COMMAND ${OCTOSTORE_GIT} rev-parse --short=12 HEAD
            WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
            OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
        if(NOT failed)
            set(revision ${answer})
        endif()
    endif()
    # For whoever wants to make the same build again.
    set(OCTOSTORE_CONFIGURED_REVISION ${revision} CACHE INTERNAL "")
    set(${out} ${revision} PARENT_SCOPE)
endfunction()
