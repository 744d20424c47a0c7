# For libraries that bring no CMake package: an imported target `target` from a header and a library, and
# <target>_FOUND. Installed beside retrosowConfig.cmake, which looks for them in the same way.
function(retrosow_find_library target header library)
  if(NOT TARGET ${target})
    find_path(${target}_INCLUDE_DIR ${header})
    find_library(${target}_LIBRARY ${library})
    mark_as_advanced(${target}_INCLUDE_DIR ${target}_LIBRARY)
    if(NOT ${target}_INCLUDE_DIR OR NOT ${target}_LIBRARY)
      set(${target}_FOUND OFF PARENT_SCOPE)
      return()
    endif()
    add_library(${target} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES
      IMPORTED_LOCATION "${${target}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${${target}_INCLUDE_DIR}")
  endif()
  set(${target}_FOUND ON PARENT_SCOPE)
endfunction()
