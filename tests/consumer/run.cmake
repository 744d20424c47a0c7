# Installs into a scratch folder, moves what was installed, and builds and runs projects of others against it.
#
#   cmake -DBUILD=… -DSOURCE=… -DWORK=… -DGENERATOR=… -DCC=… -DCXX=… -P run.cmake
#
# What they say is compared with `retrosow probe --json` of the installed program.
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(urim_positions 0,2,0,1,3,0/1,0,2,0,0,1 1,0,0,1,0,0/2,0,1,0,0,1 0,0,0,0,0,0/1,0,0,0,2,0 3,0,0,0,0,1/0,0,0,0,0,0)
set(rio_positions 4,4/4,4)
# Rule options with their defaults, as the C library takes them.
set(options_urim remainder=row)
set(options_rio-kadalis endless-sow=forbid)

function(expect_equal what found expected)
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "${what}: found\n${found}\nexpected\n${expected}")
  endif()
endfunction()

# Compares what a probe program says with the installed retrosow, in every key that it prints.
function(expect_probe_of program folder game)
  foreach(position IN LISTS ARGN)
    run(found ${program} ${folder} ${game} ${options_${game}} ${position})
    run(expected ${retrosow} probe --tables ${folder} --game ${game} ${position} --json)
    foreach(key position value distance moves best progress)
      string(JSON left GET "${found}" ${key})
      string(JSON right GET "${expected}" ${key})
      expect_equal("${program} ${position}, ${key}" "${left}" "${right}")
    endforeach()
    string(JSON moves LENGTH "${found}" moves)
    math(EXPR compared "${compared} + ${moves}")
  endforeach()
  set(compared ${compared} PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

# Installed under one name, used under another.
run(ignored ${CMAKE_COMMAND} -E env DESTDIR=${WORK}/stage ${CMAKE_COMMAND} --install ${BUILD} --prefix /opt/retrosow)
file(RENAME ${WORK}/stage/opt/retrosow ${WORK}/moved)
file(GLOB_RECURSE left_over ${WORK}/stage/*)
expect_equal("outside of the prefix" "${left_over}" "")
set(prefix ${WORK}/moved)
set(retrosow ${prefix}/bin/retrosow)
file(GLOB_RECURSE installed RELATIVE ${prefix} ${prefix}/*)
foreach(file share/man/man1/retrosow.1 share/bash-completion/completions/retrosow share/fish/vendor_completions.d/retrosow.fish
    share/zsh/site-functions/_retrosow share/doc/retrosow/LICENSE share/doc/retrosow/GUIDE.md share/doc/retrosow/RULES.md
    share/doc/retrosow/FORMAT.md share/doc/retrosow/JSON.md share/doc/retrosow/RECORD.md share/doc/retrosow/API.md
    share/doc/retrosow/PYTHON.md share/doc/retrosow/README.md include/retrosow.h include/retrosow/bitboard/position.h)
  if(NOT file IN_LIST installed)
    message(FATAL_ERROR "${file} is not installed, but\n${installed}")
  endif()
endforeach()
foreach(file IN LISTS installed)
  if(file MATCHES "\\.(cmake|pc)$")
    file(READ ${prefix}/${file} text)
    foreach(place ${BUILD} ${SOURCE} /opt/retrosow)
      string(FIND "${text}" "${place}" at)
      expect_equal("${place} in ${file}" "${at}" -1)
    endforeach()
  endif()
endforeach()

run(ignored ${retrosow} build --seeds 10 --distance --out tables --threads 1)
run(ignored ${retrosow} build --game rio-kadalis --pits 2 --distance --out rounds --threads 1)
set(compared 0)

# C by CMake; there is no C++ compiler for it.
run(ignored ${CMAKE_COMMAND} -E env CXX=no-such-compiler ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/tests/consumer/c
  -B c -DCMAKE_C_COMPILER=${CC} -DCMAKE_PREFIX_PATH=${prefix})
run(ignored ${CMAKE_COMMAND} --build c)
expect_probe_of(c/probe tables urim ${urim_positions})
expect_probe_of(c/probe rounds rio-kadalis ${rio_positions})

# C++ by CMake, and C with the static library.
run(ignored ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/tests/consumer/cpp -B cpp
  -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${prefix})
run(ignored ${CMAKE_COMMAND} --build cpp)
expect_probe_of(cpp/probe_static tables urim ${urim_positions})
run(solved cpp/solve own-tables 2,2,2/2,2,2)
expect_equal("solve" "${solved}" "3 3")

# By pkg-config: C, C without any shared library, C++.
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  file(GLOB pkgconfig_dir ${prefix}/lib*/pkgconfig ${prefix}/lib/*/pkgconfig)
  get_filename_component(library_dir ${pkgconfig_dir} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${pkgconfig_dir})
  function(flags_of result)
    run(flags ${PKG_CONFIG} ${ARGN})
    separate_arguments(flags UNIX_COMMAND "${flags}")
    set(${result} ${flags} PARENT_SCOPE)
  endfunction()
  flags_of(shared --cflags --libs retrosow)
  run(ignored ${CC} ${SOURCE}/tests/consumer/c/probe.c -o probe ${shared})
  flags_of(static --static --cflags --libs retrosow)
  run(ignored ${CC} -static ${SOURCE}/tests/consumer/c/probe.c -o probe_static ${static})
  expect_probe_of(./probe_static tables urim ${urim_positions})
  flags_of(cxx --cflags --libs retrosow-tables)
  run(ignored ${CXX} ${SOURCE}/tests/consumer/cpp/value.cpp -o value ${cxx})
  run(value ./value tables 1,0,0,1,0,0/2,0,1,0,0,1)
  run(expected ${retrosow} probe --tables tables --json 1,0,0,1,0,0/2,0,1,0,0,1)
  string(JSON expected GET "${expected}" value)
  expect_equal("value" "${value}" "${expected}")
  set(ENV{LD_LIBRARY_PATH} ${library_dir})
  expect_probe_of(./probe tables urim ${urim_positions})

  # The example of the guide, word for word.
  file(READ ${SOURCE}/solver/GUIDE.md guide)
  string(REGEX MATCH "\n```c\n([^`]*)\n```\n.*\n\\$ ./progress\n([^`]*)\n```" ignored "${guide}")
  set(expected "${CMAKE_MATCH_2}")
  file(WRITE ${WORK}/progress.c "${CMAKE_MATCH_1}\n")
  run(ignored ${CC} -std=c99 -Wall -Wextra -Wpedantic -Werror progress.c -o progress ${shared})
  run(found ./progress)
  expect_equal("the guide's example" "${found}" "${expected}")
endif()
if(compared LESS 20)
  message(FATAL_ERROR "only ${compared} moves were compared")
endif()
file(REMOVE_RECURSE ${WORK})
