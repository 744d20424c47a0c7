# Writes build_info.h with the version and the commit, at build time and only when they have changed.
#
#   cmake -DSOURCE_DIR=… -DVERSION=… -DTEMPLATE=build_info.h.in -DOUTPUT=… [-DGIT=…] -P build_info.cmake
#
# The commit is `unknown` without git or outside a repository, and ends in -dirty where tracked files differ
# from it.
set(RETROSOW_VERSION "${VERSION}")
set(RETROSOW_COMMIT "unknown")

function(run_git output_variable)
  execute_process(COMMAND "${GIT}" -C "${SOURCE_DIR}" ${ARGN}
    OUTPUT_VARIABLE output ERROR_QUIET RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(result EQUAL 0)
    set(${output_variable} "${output}" PARENT_SCOPE)
  else()
    set(${output_variable} "failed" PARENT_SCOPE)
  endif()
endfunction()

if(GIT)
  # The prefix is empty at the top of a repository: sources unpacked somewhere inside another one are not its.
  run_git(prefix rev-parse --show-prefix)
  if(prefix STREQUAL "")
    run_git(commit rev-parse --short=12 --verify HEAD)
    if(NOT commit STREQUAL "failed")
      set(RETROSOW_COMMIT "${commit}")
      run_git(changes status --porcelain --untracked-files=no)
      if(NOT changes STREQUAL "")
        string(APPEND RETROSOW_COMMIT "-dirty")
      endif()
    endif()
  endif()
endif()

configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)  # leaves the file alone if it would not change
