# What is installed, and where: headers under include/retrosow, so that #include "bitboard/position.h" has a root
# of its own; retrosow.h of the C library beside it.
include(GNUInstallDirs)
option(RETROSOW_INSTALL "Install the program, the libraries and their documents" ${PROJECT_IS_TOP_LEVEL})

set(RETROSOW_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/retrosow)

# retrosow_install_library(target component [header ...]): the target as retrosow::<component> of the CMake package's
# component of that name, and its headers, relative to the current folder.
function(retrosow_install_library target component)
  if(NOT RETROSOW_INSTALL)
    return()
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${component})
  install(TARGETS ${target} EXPORT retrosow-${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT retrosow-${component} NAMESPACE retrosow:: DESTINATION ${RETROSOW_CMAKE_DIR}
    FILE retrosow-${component}-targets.cmake)
  if(ARGN)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    install(FILES ${ARGN} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/retrosow/${folder})
  endif()
endfunction()

# retrosow_install_documents(file ...)
function(retrosow_install_documents)
  if(RETROSOW_INSTALL)
    install(FILES ${ARGN} DESTINATION ${CMAKE_INSTALL_DOCDIR})
  endif()
endfunction()
