#include "solver/cli/explorer.h"

#include <algorithm>
#include <array>
#include <future>
#include <map>
#include <mutex>
#include <new>

#include "bitboard/move_steps.h"
#include "solver/cli/answer_cache.h"
#include "solver/cli/level_stats.h"
#include "solver/cli/numbers.h"
#include "solver/cli/oracle.h"
#include "solver/cli/output.h"
#include "solver/cli/played_line.h"
#include "solver/cli/records.h"
#include "solver/cli/request_target.h"
#include "solver/cli/web_page.h"
#include "solver/game_record.h"

namespace retrosow::cli {
namespace {

constexpr std::string_view kApi = "/api/v1/";
constexpr std::size_t kCacheBytes = std::size_t{64} << 20;
constexpr std::uint64_t kDefaultMaxPlies = 200, kMaxMaxPlies = 1000;
constexpr std::size_t kMaxSteps = 20'000;                // of one move that are listed
constexpr std::uint64_t kMaxCountedPositions = 500'000'000;  // of a level whose values are counted
constexpr std::chrono::seconds kCountingTime{5};         // after which no further level is begun in one request

// What is wrong with a request, other than its parameters.
struct Refusal {
  int status;
  std::string message;
};

int status_of(const Error& error) {
  switch (error.error_class()) {
    case ErrorClass::kUsage:
    case ErrorClass::kLimit: return 400;
    case ErrorClass::kIo: return 404;
    case ErrorClass::kInterrupted: return 503;
    case ErrorClass::kCorrupt:
    case ErrorClass::kUnsupported: return 500;  // of tables
  }
  return 500;
}

// Fails: refusal of a target that is too long, by the status for it.
void check_length(std::string_view target) {
  if (target.size() <= kMaxTargetBytes) return;
  throw Refusal{414, "the URL has " + std::to_string(target.size()) + " bytes; at most " +
                         std::to_string(kMaxTargetBytes) + " are read"};
}

WebAnswer json_answer(int status, const Json& record) {
  WebAnswer answer;
  answer.status = status;
  answer.body = std::make_shared<const std::string>(record_text(record));
  return answer;
}

// One request to the API, with what its handler asks of it.
class Request {
 public:
  // Pre: the parameters are those of the endpoint.
  explicit Request(RequestTarget target)
      : arguments_(*find_verb("serve"), std::move(target.parameters)), choice_(read_rules(arguments_)) {}

  const Arguments& arguments() const { return arguments_; }
  const RuleChoice& choice() const { return choice_; }
  Family family() const { return family_of(choice_.rules.game); }

  const std::string& require(std::string_view parameter) const {
    if (const std::string* value = arguments_.find(parameter)) return *value;
    throw usage_error("parameter '" + std::string(parameter) + "' is needed");
  }
  Board board() const { return read_board(choice_, require("position")); }

 private:
  Arguments arguments_;
  RuleChoice choice_;
};

std::string_view from_name(Knowledge::From from) {
  switch (from) {
    case Knowledge::From::kTables: return "tables";
    case Knowledge::From::kSearch: return "search";
    case Knowledge::From::kNone: return "none";
  }
  return "none";
}

// "mover" or "opponent", and the pit as it is written in his row.
void add_place(Json& step, const Board& board, unsigned pit) {
  const Shape shape = board.shape();
  const bool movers = pit < shape.mover_pits;
  step["side"] = movers ? "mover" : "opponent";
  step["pit"] = movers ? board.shown_pit(pit) : board.after(board.position).shown_pit(pit - shape.mover_pits);
}

Json step_json(const Board& board, const MoveStep& step) {
  switch (step.kind) {
    case MoveStep::Kind::kLift:
    case MoveStep::Kind::kDrop: {
      Json record = {{"do", step.kind == MoveStep::Kind::kLift ? "lift" : "drop"}};
      add_place(record, board, step.pit);
      record["seeds"] = step.seeds;
      return record;
    }
    case MoveStep::Kind::kTake: {
      Json record = {{"do", "take"}};
      add_place(record, board, step.pit);
      record["seeds"] = step.seeds;
      record["to"] = step.to_mover ? "mover" : "opponent";
      return record;
    }
    case MoveStep::Kind::kRepeat: return {{"do", "repeat"}};
  }
  return {};
}

// The options that differ from the game's own, by name.
Json options_json(const RuleSet& rules) {
  Json options = Json::object();
  for (const RuleOption& option : options_of(rules.game)) {
    const std::string value = option_value(rules, option.name);
    if (value != option_value(preset(rules.game), option.name)) options[std::string(option.name)] = value;
  }
  return options;
}

Json table_json(const TableHeader& header) {
  Json record = {{"game", game_name(header.rules.game)},
                 {"rules", canonical_text(header.rules)},
                 {"options", options_json(header.rules)}};
  const bool round = header.index == IndexKind::kKeys;
  record["pits"] = std::max(header.shape.mover_pits, header.shape.opponent_pits);
  record["seeds"] = header.seeds;
  record["kind"] = kind_name(header.kind);
  record["positions"] = header.positions;
  record["digest"] = header.digest.hex();
  record["root"] = round ? Json(format_board(board_of(header.root, header.shape))) : Json(nullptr);
  return record;
}

Json halves_json(unsigned doubled) { return doubled % 2 == 0 ? Json(doubled / 2) : Json(doubled / 2.0); }

// A round of a game record. `positions`: before each move and behind the last one, if there is one; `taken`, `comments`:
// the same, behind an endless sow, too.
Json round_json(const PlayedRound& round) {
  Json moves = Json::array(), positions = Json::array(), taken = Json::array();
  Json comments = Json::array({round.comment});
  Both both = round.held_at_start();
  taken.push_back(both);
  for (const Ply& ply : round.plies()) {
    moves.push_back(ply.pit);
    positions.push_back(format_board(ply.board));
    both[index_of(ply.player)] += ply.captured;
    both[index_of(other(ply.player))] += ply.captured_opponent;
    taken.push_back(both);
    comments.push_back(ply.comment);
  }
  if (round.end() != RoundEnd::kEndlessSow) positions.push_back(format_board(round.board()));
  Json record = {{"start", format_board(round.start())},
                 {"starter", player_name(round.starter())},
                 {"moves", std::move(moves)},
                 {"positions", std::move(positions)},
                 {"taken", std::move(taken)},
                 {"comments", std::move(comments)},
                 {"end", round_end_name(round.end())},
                 {"result", nullptr}};
  if (round.end() != RoundEnd::kNone) {
    const Both doubled = round.doubled_final();
    record["result"] = {halves_json(doubled[0]), halves_json(doubled[1])};
  }
  return record;
}

Json record_json(const GameRecord& record) {
  const PlayedGame& game = record.game;
  const RuleSet& rules = game.rules();
  Json json = {{"game", game_name(rules.game)}, {"rules", canonical_text(rules)}, {"options", options_json(rules)}};
  json["players"] = record.players;
  json["date"] = record.date;
  json["match"] = game.is_match();
  json["captured"] = game.rounds().front().held_at_start();
  Json rounds = Json::array();
  for (std::size_t i = 0; i < game.rounds().size(); ++i) {
    Json round = round_json(game.rounds()[i]);
    if (game.is_match()) round["totals"] = game.standing(i).totals;
    rounds.push_back(std::move(round));
  }
  for (const char* key : {"start", "moves", "positions"}) json[key] = rounds.front()[key];
  json["rounds"] = std::move(rounds);
  const MatchEnd end = game.match_end();
  json["winner"] = end == MatchEnd::kNone ? Json(nullptr) : Json(winner_name(end));
  return json;
}

}  // namespace

WebAnswer error_answer(int status, std::string_view message) {
  return json_answer(status, {{"error", message}, {"status", status}});
}

struct Explorer::Impl {
  explicit Impl(const std::optional<std::filesystem::path>& tables) : oracle(tables) {}

  struct Reply {
    Json record;
    bool final = true;  // the same request will get the same answer
  };
  using Handler = Reply (Impl::*)(const Request&);
  struct Endpoint {
    std::string_view name;
    Handler handler;
    std::vector<std::string> parameters;
  };
  static const std::vector<Endpoint>& endpoints();

  // An answer that is kept, or, where the same is being asked for already, that which the other one gets.
  WebAnswer get(std::string_view text);
  WebAnswer compute(std::string_view text);
  WebAnswer page(std::string_view text) const;
  WebAnswer post(std::string_view text, std::string_view body);
  Reply version(const Request&);
  Reply games(const Request&);
  Reply rules(const Request&);
  Reply tables(const Request&);
  Reply position(const Request&);
  Reply move(const Request&);
  Reply line(const Request&);
  Reply levels(const Request&);

  // The record of a level, counted once. Pre: the lock is held.
  const Json& level(const TableReader& table);
  // What step() answers, or why it does not.
  template <typename Step>
  WebAnswer answered(Step&& step);
  // What a fault says, with the names of files only: what lies around the folder is nobody's business.
  std::string fault_text(const Error& error) const;
  // Why nothing is known, where it is so.
  void add_reason(Json& record, const Knowledge& known) const;
  Json fault_json(const std::filesystem::path& path, const Error& error) const;

  Oracle oracle;
  std::mutex mutex;  // of the next two together: who misses the cache finds what is under way
  AnswerCache cache{kCacheBytes};
  std::map<std::string, std::shared_future<WebAnswer>, std::less<>> under_way;
  std::timed_mutex counting;
  std::map<const TableReader*, Json> counted;
};

const std::vector<Explorer::Impl::Endpoint>& Explorer::Impl::endpoints() {
  // Named one by one, so that no option of a verb that reads a file, now or later, becomes a parameter.
  static const auto rule_parameters = [](std::vector<std::string> names) {
    for (const char* name : {"game", "pits", "seeds-per-pit"}) names.emplace_back(name);
    for (const Game game : {Game::kUrim, Game::kRioKadalis}) {
      for (const RuleOption& option : options_of(game)) names.emplace_back(option.name);
    }
    return names;
  };
  static const std::vector<Endpoint> list = {
      {"version", &Impl::version, {}},
      {"games", &Impl::games, {}},
      {"rules", &Impl::rules, {"game"}},
      {"position", &Impl::position, rule_parameters({"position"})},
      {"tables", &Impl::tables, {}},
      {"move", &Impl::move, rule_parameters({"position", "pit"})},
      {"line", &Impl::line, rule_parameters({"position", "max-plies", "captured"})},
      {"levels", &Impl::levels, rule_parameters({})},
  };
  return list;
}

WebAnswer Explorer::Impl::get(std::string_view text) {
  check_length(text);
  if (!text.starts_with(kApi)) return page(text);
  std::promise<WebAnswer> promise;
  {
    std::unique_lock lock(mutex);
    if (AnswerCache::Body body = cache.find(text)) {
      WebAnswer answer;
      answer.body = std::move(body);
      return answer;
    }
    if (const auto asked = under_way.find(text); asked != under_way.end()) {
      const std::shared_future<WebAnswer> others = asked->second;
      lock.unlock();
      return others.get();
    }
    under_way.emplace(text, promise.get_future().share());
  }
  WebAnswer answer = answered([&] { return compute(text); });
  const std::lock_guard lock(mutex);
  under_way.erase(under_way.find(text));
  promise.set_value(answer);
  return answer;
}

WebAnswer Explorer::Impl::page(std::string_view text) const {
  const RequestTarget target = parse_target(text);
  for (const WebFile& file : web_files()) {
    if (file.path != target.path) continue;
    return {200, file.content_type, std::make_shared<const std::string>(file.contents), file.etag};
  }
  throw Refusal{404, "there is no such page"};
}

WebAnswer Explorer::Impl::compute(std::string_view text) {
  RequestTarget target = parse_target(text);
  const std::string_view name = std::string_view(target.path).substr(kApi.size());
  const auto& list = endpoints();
  const auto endpoint =
      std::find_if(list.begin(), list.end(), [&](const Endpoint& e) { return e.name == name; });
  if (endpoint == list.end()) {
    std::string names;
    for (const Endpoint& e : list) names += (names.empty() ? "" : ", ") + std::string(e.name);
    throw Refusal{404, "no such path; " + std::string(kApi) + " has " + names};
  }
  const std::vector<std::string>& known = endpoint->parameters;
  for (const auto& [parameter, value] : target.parameters) {
    if (std::find(known.begin(), known.end(), parameter) != known.end()) continue;
    std::string names;
    for (const std::string& own : known) names += (names.empty() ? "" : ", ") + own;
    throw usage_error("'" + parameter + "' is no parameter of " + target.path + "; it takes " +
                      (known.empty() ? "none" : names));
  }
  const Request request(std::move(target));
  const Reply reply = (this->*endpoint->handler)(request);
  WebAnswer answer = json_answer(200, reply.record);
  if (reply.final) cache.keep(text, answer.body);
  return answer;
}

WebAnswer Explorer::Impl::post(std::string_view text, std::string_view body) {
  check_length(text);
  const RequestTarget target = parse_target(text);
  if (target.path != std::string(kApi) + "record") {
    throw Refusal{405, "only " + std::string(kApi) + "record takes POST; ask by GET"};
  }
  if (!target.parameters.empty()) {
    throw usage_error("'" + target.parameters.begin()->first + "' is no parameter of record");
  }
  try {
    return json_answer(200, record_json(read_record(body)));
  } catch (const Error& error) {
    // A version of the form that only later programs read is the client's, not a fault here.
    if (error.error_class() == ErrorClass::kUnsupported) throw Refusal{400, error_text(error)};
    throw;
  }
}

Explorer::Impl::Reply Explorer::Impl::version(const Request&) {
  Json record = version_record();
  for (const char* key : {"compiler", "kernels", "kernel"}) record.erase(key);
  return {std::move(record)};
}

Explorer::Impl::Reply Explorer::Impl::games(const Request&) {
  Json games = Json::array();
  for (const Game game : all_games()) games.push_back(game_record(game));
  return {{{"games", std::move(games)}}};
}

Explorer::Impl::Reply Explorer::Impl::rules(const Request& request) {
  static_cast<void>(request.require("game"));
  return {game_record(request.choice().rules.game)};
}

Explorer::Impl::Reply Explorer::Impl::position(const Request& request) {
  const RuleChoice& choice = request.choice();
  const Board board = request.board();
  const Shape shape = board.shape();
  const MoveGenerator generator(choice.rules, shape);
  MoveList list;
  generator.generate(board.position, shape, list);
  std::optional<EndResult> end;
  if (list.legal == 0) end = generator.end(board.position, shape);

  const Knowledge known = oracle.ask(choice, board);
  Json record = position_record(choice, board);
  record["unit"] = unit_of(choice.rules);
  record["pits"] = board.pits;
  record["movers_seeds"] = mover_seeds(board.position, shape);
  record["opponents_seeds"] = opponent_seeds(board.position, shape);
  Json moves = moves_json(request.family(), board, list);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    // Both lists hold every legal move, by ascending pits.
    moves[i]["value"] = known.moves ? Json(known.moves->moves[i].value) : Json(nullptr);
    moves[i]["distance"] = known.plies ? distance_json(known.plies->moves[i]) : Json(nullptr);
  }
  record["moves"] = std::move(moves);
  record["end"] = end_json(end);
  record["value"] = known.value ? Json(*known.value) : Json(nullptr);
  record["outcome"] = known.value ? Json(outcome_name(*known.value)) : Json(nullptr);
  record["best"] = known.moves ? Json(best_pits(board, *known.value, *known.moves)) : Json::array();
  if (known.plies) record["progress"] = progress_pits(board, *known.value, *known.moves, *known.plies);
  record["distance"] = known.plies ? distance_json(known.plies->position) : Json(nullptr);
  record["from"] = from_name(known.from);
  add_reason(record, known);
  return {std::move(record), !known.busy};
}

Explorer::Impl::Reply Explorer::Impl::move(const Request& request) {
  const RuleChoice& choice = request.choice();
  const Board board = request.board();
  const Shape shape = board.shape();
  const unsigned pit = parse_number("parameter pit", request.require("pit"), 1, board.pits);
  MoveList list;
  MoveGenerator(choice.rules, shape).generate(board.position, shape, list);
  unsigned slot = 0;
  while (slot < shape.mover_pits && board.shown_pit(slot) != pit) ++slot;
  if (slot == shape.mover_pits || !has_bit(list.legal, slot)) {
    throw usage_error("pit " + std::to_string(pit) + " of " + format_board(board) + " is not a legal move");
  }
  const SteppedMove stepped = move_steps(choice.rules, board.position, shape, slot);
  Json steps = Json::array();
  for (const MoveStep& step : stepped.steps) {
    if (steps.size() == kMaxSteps) break;
    steps.push_back(step_json(board, step));
  }
  Json record = position_record(choice, board);
  for (const Json& move : moves_json(request.family(), board, list)) {
    if (move["pit"] == pit) record.update(move);
  }
  record["steps"] = std::move(steps);
  if (stepped.steps.size() > kMaxSteps) record["cut"] = true;
  return {std::move(record)};
}

Explorer::Impl::Reply Explorer::Impl::tables(const Request&) {
  Json tables = Json::array(), faults = Json::array();
  if (const TableFolder* folder = oracle.folder()) {
    for (const TableReader& file : folder->files()) tables.push_back(table_json(file.header()));
    for (const TableFolder::Fault& fault : folder->faults()) faults.push_back(fault_json(fault.path, fault.error));
  }
  return {{{"tables", std::move(tables)}, {"faults", std::move(faults)}}};
}

Explorer::Impl::Reply Explorer::Impl::line(const Request& request) {
  const RuleChoice& choice = request.choice();
  const Board board = request.board();
  const std::optional<Captured> captured = read_captured(request.arguments(), choice);
  const std::string* plies = request.arguments().find("max-plies");
  const auto max_plies = static_cast<std::size_t>(
      plies == nullptr ? kDefaultMaxPlies : parse_count("parameter max-plies", *plies, 0, kMaxMaxPlies));

  Knowledge known = oracle.ask(choice, board, true);
  std::optional<PlayedLine> line;
  if (known.plies) {
    try {
      TableProbe tables(*oracle.path(), *oracle.folder(), choice);
      line = play_line(tables, board, captured.value_or(Captured{}), max_plies);
    } catch (const Error& error) {
      // A level further on may not be there, or be damaged.
      if (error.error_class() == ErrorClass::kCorrupt) {
        known = {};
        known.damage = error;
      } else if (error.error_class() == ErrorClass::kIo) {
        Knowledge searched = oracle.search(choice, board);
        known.busy = searched.busy;
        if (searched.value || searched.damage) known = std::move(searched);
      } else {
        throw;
      }
    }
  }
  if (known.value && !line) {
    line = play_moves(choice.rules, board, captured.value_or(Captured{}), *known.value, known.line.value_or(Line{}),
                      max_plies);
    if (known.plies) line->distance = known.plies->position;
  }
  Json record = position_record(choice, board);
  if (line) {
    record = line_record(choice, board, *line, captured);
  } else {
    for (const char* key : {"value", "outcome", "distance"}) record[key] = nullptr;
    record["line"] = Json::array();
    record["plies"] = 0;
    record["end"] = "unknown";
  }
  record["from"] = from_name(known.from);
  add_reason(record, known);
  return {std::move(record), !known.busy};
}

Explorer::Impl::Reply Explorer::Impl::levels(const Request& request) {
  const RuleChoice& choice = request.choice();
  Json levels = Json::array(), left_out = Json::array(), faults = Json::array();
  const std::unique_lock lock(counting, Oracle::kPatience);
  if (!lock.owns_lock()) throw Refusal{503, "other levels are being counted; ask again"};
  const auto until = std::chrono::steady_clock::now() + kCountingTime;
  const TableFolder* folder = oracle.folder();
  for (std::size_t i = 0; folder != nullptr && i < folder->files().size(); ++i) {
    const TableReader& table = folder->files()[i];
    const TableHeader& header = table.header();
    if (header.kind != TableKind::kValues || !same_rules(header.rules, choice.rules)) continue;
    if (choice.pits != 0 && (!equal_rows(header) || header.shape.mover_pits != choice.pits)) continue;
    const bool late = std::chrono::steady_clock::now() > until;
    if (!counted.contains(&table) && (late || header.positions > kMaxCountedPositions)) {
      Json entry = table_json(header);
      entry["why"] = late ? "not counted yet; ask again" : "too large to count; `retrosow stats` does";
      left_out.push_back(std::move(entry));
      continue;
    }
    try {
      levels.push_back(level(table));
    } catch (const Error& error) {
      if (error.error_class() == ErrorClass::kInterrupted) throw;
      faults.push_back(fault_json(table.path(), error));
    }
  }
  return {{{"levels", std::move(levels)}, {"left_out", std::move(left_out)}, {"faults", std::move(faults)}}, false};
}

const Json& Explorer::Impl::level(const TableReader& table) {
  const auto found = counted.find(&table);
  if (found != counted.end()) return found->second;
  const auto ignore = [](std::uint64_t) {};
  LevelStats stats;
  stats.values = count_values(table, ignore);
  if (const TableReader* distances = oracle.folder()->distances_of(table)) {
    stats.longest = find_longest(table, *distances, stats.values.draws, ignore);
  }
  if (const TableReader* guarantees = guarantees_of(*oracle.folder(), table)) {
    stats.forced = count_forced(*guarantees, ignore);
  }
  return counted.emplace(&table, level_record(table.header(), stats)).first->second;
}

Json Explorer::Impl::fault_json(const std::filesystem::path& path, const Error& error) const {
  return {{"file", path.filename().string()}, {"error", fault_text(error)}};
}

void Explorer::Impl::add_reason(Json& record, const Knowledge& known) const {
  if (known.from != Knowledge::From::kNone) return;
  record["why"] = known.damage ? fault_text(*known.damage) : known.why;
  if (known.damage) record["damaged"] = true;
}

std::string Explorer::Impl::fault_text(const Error& error) const {
  std::string text = error_text(error);
  if (!oracle.path()) return text;
  const auto replace_all = [&](const std::string& what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
      text.replace(at, what.size(), by);
    }
  };
  replace_all((*oracle.path() / "").string(), "");
  replace_all(oracle.path()->string(), "the tables");
  return text;
}

template <typename Step>
WebAnswer Explorer::Impl::answered(Step&& step) {
  try {
    return step();
  } catch (const Refusal& refusal) {
    return error_answer(refusal.status, refusal.message);
  } catch (const Error& error) {
    return error_answer(status_of(error), fault_text(error));
  } catch (const std::bad_alloc&) {
    return error_answer(503, "out of memory");
  } catch (const std::exception& error) {
    return error_answer(500, std::string("internal error: ") + error.what());
  }
}

Explorer::Explorer(const std::optional<std::filesystem::path>& tables) : impl_(std::make_unique<Impl>(tables)) {}

Explorer::~Explorer() = default;

WebAnswer Explorer::get(std::string_view target) {
  return impl_->answered([&] { return impl_->get(target); });
}

WebAnswer Explorer::post(std::string_view target, std::string_view body) {
  return impl_->answered([&] { return impl_->post(target, body); });
}

}  // namespace retrosow::cli
