// `retrosow serve`: the explorer, a local web page and its JSON API.

#include "solver/cli/arguments.h"
#include "solver/cli/explorer.h"
#include "solver/cli/http_server.h"
#include "solver/cli/numbers.h"
#include "solver/cli/output.h"
#include "solver/cli/signals.h"
#include "solver/cli/verb.h"

namespace retrosow::cli {
namespace {

constexpr unsigned kDefaultPort = 8080;
constexpr const char* kDefaultHost = "127.0.0.1";

std::vector<OptionGroup> serve_options() {
  return {{"Server",
           {{"tables", "DIR", "Folder with table files. Default: none, every answer is searched for."},
            {"port", "N",
             "Port, 0 to 65535; 0 picks one that is free. Default " + std::to_string(kDefaultPort) + "."},
            {"host", "ADDRESS",
             "Address to listen on. Default " + std::string(kDefaultHost) +
                 ", which only this machine reaches; with 0.0.0.0 everyone on the network does."}}}};
}

int run_serve(const Arguments& arguments) {
  std::optional<std::filesystem::path> tables;
  if (const std::string* folder = arguments.find("tables")) tables = *folder;
  unsigned port = kDefaultPort;
  if (const std::string* text = arguments.find("port")) {
    port = static_cast<unsigned>(parse_count("option --port", *text, 0, 65535));
  }
  const std::string* host = arguments.find("host");

  Explorer explorer(tables);
  std::function<void(const std::string&)> log;
  if (arguments.verbose()) log = [](const std::string& line) { complain(line); };
  HttpServer server(explorer, host == nullptr ? kDefaultHost : *host, port, log);
  if (arguments.json()) {
    print_record({{"url", server.url()},
                  {"port", server.port()},
                  {"tables", tables ? Json(tables->string()) : Json(nullptr)}});
  } else {
    print(server.url() + "\n");
    flush_output();
  }
  server.serve(interrupted);
  return error_exit_code(ErrorClass::kInterrupted);
}

}  // namespace

extern const Verb kServeVerb;
const Verb kServeVerb = {
    .name = "serve",
    .synopsis = "[--tables DIR] [options]",
    .summary = "the explorer: a local web page and JSON API",
    .description =
        "Serves a web page on which positions are looked at and played, and the JSON API behind it\n"
        "(solver/web/API.md), until Ctrl-C or SIGTERM ends it with exit code 130. Prints the URL once it\n"
        "listens. Values come from the table files in DIR; what they do not hold is searched for within a\n"
        "small budget. The folder is read once, at the start. Nothing outside it is ever read.",
    .example =
        "retrosow serve --tables tables-urim\n"
        "retrosow serve --tables tables-rio --port 0 --json",
    .options = serve_options,
    .run = run_serve};

}  // namespace retrosow::cli
