# Makes the Debian package, unpacks it and runs what is in it.
#
#   cmake -DBUILD=… -DWORK=… -P package.cmake
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(ignored ${CMAKE_CPACK_COMMAND} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${WORK}/made)
file(GLOB package ${WORK}/made/retrosow_*.deb)
run(depends dpkg-deb -f ${package} Depends)
foreach(library libc6 libstdc\\+\\+6 libtbb12 libxxhash0 libzstd1 libboost-program-options)
  if(NOT depends MATCHES "${library}")
    message(FATAL_ERROR "the package does not depend on ${library}, but on ${depends}")
  endif()
endforeach()
run(ignored dpkg-deb -x ${package} ${WORK}/unpacked)
set(retrosow ${WORK}/unpacked/usr/bin/retrosow)
run(solved ${retrosow} solve 2,2/2,2 --json)
string(JSON value GET "${solved}" value)
if(NOT value EQUAL 8)
  message(FATAL_ERROR "${solved}")
endif()
foreach(file lib/libretrosow.so.0 include/retrosow.h share/man/man1/retrosow.1
    share/zsh/vendor-completions/_retrosow share/doc/retrosow/LICENSE share/doc/retrosow/copyright
    lib/cmake/retrosow/retrosowConfig.cmake)
  if(NOT EXISTS ${WORK}/unpacked/usr/${file})
    message(FATAL_ERROR "the package has no ${file}")
  endif()
endforeach()
file(REMOVE_RECURSE ${WORK})
