# run(RESULT command word ...): runs it in WORK; RESULT is its standard output without the last line end. A command that
# fails ends the script, with what it said.
function(run result)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE code
    OUTPUT_STRIP_TRAILING_WHITESPACE WORKING_DIRECTORY ${WORK})
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${code}\n${output}\n${errors}")
  endif()
  set(${result} "${output}" PARENT_SCOPE)
endfunction()
