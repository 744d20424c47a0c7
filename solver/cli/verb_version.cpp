// `retrosow version`: what this binary is, and which kernel it uses here.

#include "bitboard/moves.h"
#include "solver/cli/arguments.h"
#include "solver/cli/build_info.h"
#include "solver/cli/output.h"
#include "solver/cli/records.h"
#include "solver/cli/verb.h"
#include "tables/table_file.h"

namespace retrosow::cli {
namespace {

std::string compiler_name() {
#if defined(__clang__)
  return std::string("clang ") + __clang_version__;
#elif defined(__GNUC__)
  return std::string("g++ ") + __VERSION__;
#else
  return "unknown";
#endif
}

int run_version(const Arguments& arguments) {
  if (arguments.json()) {
    print_record(version_record());
  } else {
    std::string names;
    for (const KernelId kernel : available_kernels()) {
      names += (names.empty() ? "" : ", ") + std::string(kernel_name(kernel));
    }
    const std::string chosen(kernel_name(chosen_kernel()));
    print("retrosow " RETROSOW_VERSION "\ncommit    " RETROSOW_COMMIT "\ncompiler  " +
          compiler_name() + "\nkernels   " + names + "; chosen: " + chosen + "\nformat    " +
          std::to_string(kFormatVersion) + "\n");
  }
  return 0;
}

}  // namespace

Json version_record() {
  Json kernels = Json::array();
  for (const KernelId kernel : available_kernels()) kernels.push_back(kernel_name(kernel));
  return {{"version", RETROSOW_VERSION},
          {"commit", RETROSOW_COMMIT},
          {"compiler", compiler_name()},
          {"kernels", std::move(kernels)},
          {"kernel", kernel_name(chosen_kernel())},
          {"format_version", kFormatVersion}};
}

extern const Verb kVersionVerb;
const Verb kVersionVerb = {
    .name = "version",
    .synopsis = "",
    .summary = "version, commit, compiler, kernels, format version",
    .description =
        "Says which version this is, from which commit and compiler, which move kernels this\n"
        "machine can run and which one is chosen, and the version of the table format.",
    .example = "retrosow version --json",
    .run = run_version};

}  // namespace retrosow::cli
