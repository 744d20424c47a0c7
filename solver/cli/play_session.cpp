#include "solver/cli/play_session.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "solver/cli/input.h"
#include "solver/cli/numbers.h"
#include "solver/cli/record_file.h"
#include "solver/cli/signals.h"
#include "tables/table_listing.h"

namespace retrosow::cli {
namespace {

constexpr unsigned kLinePlies = 60;

const char kHelp[] =
    "  N             sow pit N\n"
    "  h  hint       a best move\n"
    "  v  values     what every move is worth\n"
    "  l  line       best play from here\n"
    "  u  undo       take your last move back\n"
    "  b  board      the board again\n"
    "  d  draw       end play that goes on for ever: what is on the board is split evenly\n"
    "  c  TEXT       a comment on the last move, for the record\n"
    "  s  save FILE  save the game (s! FILE writes over a file that is there)\n"
    "  o  open FILE  go on with a saved game\n"
    "  strength N    0 (any move) to 10 (the best move known)\n"
    "  q  quit";

struct Command {
  std::string name;
  std::string argument;
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

Command parse_command(const std::string& line) {
  const std::string text = trimmed(line);
  const std::size_t blank = text.find_first_of(" \t");
  if (blank == std::string::npos) return {text, ""};
  return {text.substr(0, blank), trimmed(text.substr(blank))};
}

class Session {
 public:
  Session(GameRecord record, const PlaySetup& setup, ProgressLine& progress)
      : setup_(setup),
        progress_(progress),
        seats_(setup.seats),
        face_(setup.json ? json_face(seats_) : text_face(seats_, setup.colour)),
        record_(std::move(record)),
        random_(setup.seed),
        terminal_(::isatty(STDIN_FILENO) == 1),
        file_(setup.loaded) {
    if (!setup.save.empty()) file_ = setup.save;
  }

  int run() {
    try {
      adopt();
      if (!setup_.save.empty()) save(setup_.save);
      while (step()) flush_output();
    } catch (const Error& error) {
      progress_.finish();
      // What has been played is not lost.
      if (unsaved_) {
        std::fputs(("\nretrosow: the game is not saved. Save these lines as FILE, and "
                    "`retrosow play --record FILE` goes on with it:\n" +
                    write_record(record_))
                       .c_str(),
                   stderr);
      }
      throw;
    }
    return 0;
  }

 private:
  PlayedGame& game() { return record_.game; }
  const PlayedRound& round() const { return record_.game.round(); }
  bool anybody() const { return seats_.human[0] || seats_.human[1]; }

  // Begins with the record as it is.
  void adopt() {
    advisor_.emplace(game().rules(), setup_.advisor);
    if (const TableFolder* folder = advisor_->folder();
        folder != nullptr && !folder->faults().empty() && !setup_.quiet) {
      complain("left out: " + faults_text(folder->faults()));
    }
    unsaved_ = false;
    told_end_ = false;
    face_->begins(record_);
    // A round that has ended is told as such.
    if (round().end() == RoundEnd::kNone) face_->shows(game());
  }

  // One move of the program, or one command. False at the end.
  bool step() {
    check_interrupted();
    if (round().end() != RoundEnd::kNone && !told_end_) {
      face_->round_ended(game());
      if (game().is_match() && game().match_end() == MatchEnd::kNone) {
        const unsigned times = game().times_stood();
        game().next_round();
        if (times == 2) {
          face_->remarks(
              "Both have owned this before, with the same starter. The third time the match is "
              "drawn; d ends it now.");
        }
        face_->shows(game());
        return true;
      }
      if (game().is_match()) face_->match_ended(game());
      told_end_ = true;
      if (!anybody()) return false;
    }
    if (round().end() == RoundEnd::kNone && !seats_.is_human(round().to_move())) {
      const Advice& advice = advise();
      const unsigned slot = choose_slot(advice, seats_.strength, random_);
      game().play(round().board().shown_pit(slot));
      played(&advice);
      return true;
    }
    face_->asks(game());
    const std::optional<std::string> line = read_line();
    check_interrupted();  // a command that came after the signal is not obeyed
    if (!line) {
      if (!setup_.json) print("\n");
      return false;
    }
    if (!terminal_) face_->echoes(trimmed(*line));
    const bool quit_again = asked_to_quit_;
    asked_to_quit_ = false;
    try {
      return obey(*line, quit_again);
    } catch (const Error& error) {
      // What the user typed, or a file that he named; not tables, nor standard output.
      if (error.error_class() == ErrorClass::kInterrupted ||
          error.error_class() == ErrorClass::kCorrupt)
        throw;
      face_->refuses(error_text(error));
      return true;
    }
  }

  bool obey(const std::string& line, bool quit_again) {
    if (line.size() > kMaxLineBytes) throw usage_error("that is longer than any command");
    const Command command = parse_command(line);
    const std::string& name = command.name;
    const auto is = [&](const char* letter, const char* word) {
      return name == letter || name == word;
    };
    if (name.empty()) return true;
    if (name.find_first_not_of("0123456789") == std::string::npos) {
      if (!command.argument.empty()) throw usage_error("one move at a time; ? lists the commands");
      if (game().ended()) throw usage_error("the game is over; u takes back, q quits");
      game().play(parse_number("pit", name, 0, 1000));
      played(nullptr);
    } else if (is("c", "comment")) {
      comment(command.argument);
    } else if (is("s", "save") || is("s!", "save!")) {
      save_as(command.argument, name.back() == '!');
    } else if (is("o", "open") || name == "load") {
      if (command.argument.empty()) throw usage_error("open which file?");
      record_ = read_record_file(command.argument);
      file_ = command.argument;
      adopt();
    } else if (name == "strength") {
      seats_.strength = parse_number("strength", command.argument, 0, kMaxStrength);
      face_->remarks("strength " + std::to_string(seats_.strength));
    } else if (!command.argument.empty()) {
      throw usage_error("'" + name +
                        "' is no command, or takes nothing behind it; ? lists the commands");
    } else if (is("q", "quit") || name == "exit") {
      if (!terminal_ || !unsaved_ || quit_again) return false;
      asked_to_quit_ = true;
      face_->remarks("The game is not saved: s FILE saves it, q again quits.");
    } else if (is("h", "hint")) {
      need_move();
      face_->hints(game(), advise());
    } else if (is("v", "values")) {
      need_move();
      face_->tells_values(game(), advise());
    } else if (is("l", "line")) {
      need_move();
      const Advice& advice = advise();
      const Line best =
          advisor_->line(round().board().position, round().board().shape(), kLinePlies);
      progress_.finish();
      face_->tells_line(game(), advice, best);
    } else if (is("u", "undo")) {
      undo();
    } else if (is("b", "board")) {
      face_->shows(game());
    } else if (is("d", "draw")) {
      draw();
    } else if (is("?", "help")) {
      face_->remarks(kHelp);
    } else {
      throw usage_error("'" + name + "' is no command; ? lists them");
    }
    return true;
  }

  void need_move() {
    if (game().ended()) throw usage_error("the game is over, there is nothing to play");
  }

  const Advice& advise() {
    const Advice& advice = advisor_->advise(round().board().position, round().board().shape());
    progress_.finish();
    return advice;
  }

  // Behind a move.
  void played(const Advice* advice) {
    changed();
    face_->moved(game(), advice);
    const bool answers =
        round().end() == RoundEnd::kNone && anybody() && !seats_.is_human(round().to_move());
    if (round().end() == RoundEnd::kNone && !answers) face_->shows(game());
  }

  void changed() {
    told_end_ = false;
    unsaved_ = true;
    if (!setup_.save.empty()) save(setup_.save);
  }

  void comment(const std::string& text) {
    if (text.empty()) throw usage_error("what is the comment?");
    check_record_text("the comment", text, 900);
    std::string& comment = game().last_comment();
    if (!comment.empty()) comment += '\n';
    comment += text;
    changed_quietly();
  }
  void changed_quietly() {
    const bool told = told_end_;
    changed();
    told_end_ = told;
    face_->remarks("noted");
  }

  std::size_t human_plies() const {
    std::size_t count = 0;
    for (const PlayedRound& played : record_.game.rounds()) {
      count += static_cast<std::size_t>(
          std::count_if(played.plies().begin(), played.plies().end(),
                        [&](const Ply& ply) { return seats_.is_human(ply.player); }));
    }
    return count;
  }

  void undo() {
    if (game().drawn_by_agreement() || round().ended_by_agreement()) {
      game().undo();
    } else {
      const std::size_t before = human_plies();
      if (before == 0) throw usage_error("there is no move of yours to take back");
      while (human_plies() == before) game().undo();
    }
    changed();
    face_->taken_back(game());
  }

  // The match at the end of the round before this one, as long as no player has gone on with it: the program may have.
  std::optional<PlayedGame> match_before_round() const {
    const PlayedGame& now = record_.game;
    if (now.rounds().size() == 1 || round().end() != RoundEnd::kNone) return std::nullopt;
    const std::vector<Ply>& plies = round().plies();
    if (std::ranges::any_of(plies, [&](const Ply& ply) { return seats_.is_human(ply.player); })) return std::nullopt;
    PlayedGame before = now;
    while (before.rounds().size() == now.rounds().size()) before.undo();
    return before;
  }

  void draw() {
    if (std::optional<PlayedGame> match = match_before_round()) {
      match->agree_drawn();
      game() = std::move(*match);
      changed();
      face_->match_ended(game());
      told_end_ = true;
      return;
    }
    if (game().ended()) throw usage_error("the game is over already");
    game().agree_endless();
    game().undo();
    if (seats_.one_human()) {
      const Advice& advice = advise();
      if (advice.proved() && advice.evaluation.value < 0) {
        throw usage_error("retrosow does not agree: it can still win something");
      }
    }
    game().agree_endless();
    changed();
  }

  void save_as(const std::string& name, bool over) {
    const std::string& target = name.empty() ? file_ : name;
    if (target.empty()) throw usage_error("save under which name? s FILE");
    std::error_code ignored;
    if (!over && target != file_ && std::filesystem::exists(target, ignored)) {
      throw usage_error(target + " is there already; s! " + target + " writes over it");
    }
    save(target);
    file_ = target;
    face_->remarks("saved as " + target);
  }
  void save(const std::string& name) {
    save_record_file(name, record_);
    unsaved_ = false;
  }

  const PlaySetup& setup_;
  ProgressLine& progress_;
  Seats seats_;
  std::unique_ptr<PlayFace> face_;
  GameRecord record_;
  std::optional<Advisor> advisor_;
  SplitMix64 random_;
  bool terminal_;
  std::string file_;  // that `s` alone writes
  bool unsaved_ = false;
  bool told_end_ = false;  // that the round or match is over
  bool asked_to_quit_ = false;
};

}  // namespace

int play(GameRecord record, const PlaySetup& setup, ProgressLine& progress) {
  return Session(std::move(record), setup, progress).run();
}

}  // namespace retrosow::cli
