/* retrosow.h: perfect-play values of sowing games, read from table files. C99, and C++.
 *
 *   retrosow_tables *tables;
 *   retrosow_position position;
 *   retrosow_evaluation evaluation;
 *   char message[512];
 *   if (retrosow_open("tables-urim", "urim", NULL, 0, &tables, message, sizeof message) != RETROSOW_OK ||
 *       retrosow_parse(tables, "0,2,0,1,3,0/1,0,2,0,0,3", &position, message, sizeof message) != RETROSOW_OK ||
 *       retrosow_probe(tables, &position, &evaluation, message, sizeof message) != RETROSOW_OK) {
 *     fprintf(stderr, "%s\n", message);
 *   }
 *   ...
 *   retrosow_close(tables);
 *
 * Tables are made by the program: `retrosow build`. What they hold, and the rules of the games, stands in FORMAT.md
 * and RULES.md.
 *
 * Values and units. A value is what the player to move will take minus what his opponent will take from the
 * position on, in seeds (Rio Kadalis: stones), both playing perfectly; endless play is an even split, 0. A distance
 * is in plies, to the next capture (or other exit) or the end of the game, the winning side hurrying and the losing
 * side delaying. A position of value 0 has none.
 *
 * Errors. A function that can fail returns a retrosow_status as an int, RETROSOW_OK (0) for success, and then
 * leaves its results untouched unless it says otherwise. What is wrong goes to `message`, a buffer of the caller's of
 * `message_bytes` bytes: one line of UTF-8 that ends in a zero, cut at the end of a character where it does not fit;
 * the empty string on success. NULL, or 0 bytes, if it is not wanted. There is no state behind: no global, no last
 * error. A pointer that must not be NULL and is gives RETROSOW_USAGE. No exception leaves a function, nothing is printed and
 * nothing ends the program.
 *
 * Threads. Any number of threads may use one handle at once, in all functions but retrosow_close, which must be the last
 * to use it. Handles are independent of each other.
 *
 * Ownership. What a caller passes in is read during the call only. The library owns what is behind a handle and
 * the texts that it returns as `const char *`: those of a handle live as long as it, the others for ever. Nothing else
 * has to be freed.
 *
 * Compatibility. The structures and numbers below are part of the ABI. RETROSOW_ABI counts its versions; it is the number in
 * the name of the shared library, libretrosow.so.N. Functions may be added under the same number.
 */
#ifndef RETROSOW_H
#define RETROSOW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; retrosow_version is that of the library which is loaded. */
#define RETROSOW_VERSION_MAJOR 0
#define RETROSOW_VERSION_MINOR 1
#define RETROSOW_VERSION_PATCH 0
#define RETROSOW_ABI 0

#if defined(__GNUC__)
#define RETROSOW_API __attribute__((visibility("default")))
#else
#define RETROSOW_API
#endif

/* ------------------------------------------------------------------------------------------------ what is handled */

/* The numbers are the exit codes of the program for the same errors. */
typedef enum retrosow_status {
  RETROSOW_OK = 0,
  RETROSOW_USAGE = 2,       /* a malformed position, an unknown option, a null pointer */
  RETROSOW_IO = 3,          /* a file cannot be read, or there is no table, level or distance that would answer */
  RETROSOW_CORRUPT = 4,     /* a table is damaged, or contradicts itself */
  RETROSOW_UNSUPPORTED = 5, /* a table of another format version */
  RETROSOW_LIMIT = 6,       /* more seeds than tables have; out of memory */
  RETROSOW_INTERNAL = 70    /* a fault of the library */
} retrosow_status;

#define RETROSOW_MAX_PITS 8       /* in a row */
#define RETROSOW_CLOSED 255       /* in place of a number of stones: a closed hole (Rio Kadalis) */
#define RETROSOW_NO_DISTANCE (-1) /* the value is 0, or there is no table of distances */
#define RETROSOW_POSITION_BYTES 72 /* room for any position that retrosow_format writes */

/* The tables of one folder under one set of rules. */
typedef struct retrosow_tables retrosow_tables;

/* A board, seen by the player to move. Pits are numbered 1 to `pits` in each row, in its sowing order:
 *
 *   seeds[0] ... seeds[pits - 1]            the row of the player to move
 *   seeds[pits] ... seeds[2 * pits - 1]     the row of his opponent
 *
 * What stands behind is not read, and written as 0. `1,0,2/0,3,x` is { 3, { 1, 0, 2, 0, 3, RETROSOW_CLOSED } }. */
typedef struct retrosow_position {
  uint8_t pits; /* in a row, closed holes included: 1 to RETROSOW_MAX_PITS */
  uint8_t seeds[2 * RETROSOW_MAX_PITS];
} retrosow_position;

/* Flags of a move. */
#define RETROSOW_BEST 1U     /* it keeps the value of the position */
#define RETROSOW_PROGRESS 2U /* and comes nearer to the win, or puts off the loss the longest; only with distances */
#define RETROSOW_ENDLESS 4U  /* Rio Kadalis, endless-sow=draw: the sowing never ends, the game is over, no `result` */

/* A legal move. */
typedef struct retrosow_move {
  int32_t pit;               /* 1 to pits, in the row of the player to move */
  int32_t value;             /* for the player who plays it, what it captures included */
  int32_t distance;          /* if it is played: 1 for a capture; RETROSOW_NO_DISTANCE */
  int32_t captured;          /* by the player who plays it */
  int32_t captured_opponent; /* fours that fall to the opponent (Rio Kadalis) */
  uint32_t flags;            /* of the above; further bits may get a meaning */
  retrosow_position result;  /* seen by the opponent, who is to move then */
} retrosow_move;

typedef struct retrosow_evaluation {
  int32_t value;
  int32_t distance;      /* 0: the game is over; RETROSOW_NO_DISTANCE */
  int32_t has_distances; /* 1: the level has a table of distances; 0: no move is marked as progress */
  int32_t move_count;    /* 0: the game is over */
  retrosow_move moves[RETROSOW_MAX_PITS]; /* ascending by pit */
} retrosow_evaluation;

/* A level: the boards of one size with one number of seeds, in one table file. */
typedef struct retrosow_level {
  int32_t pits;          /* in a row; where closed holes make rows differ, in the longer one */
  int32_t seeds;         /* on every board */
  uint64_t positions;
  int32_t has_distances; /* 0 or 1 */
  int32_t reachable;     /* 0: all boards; 1: those that can be reached from some start (Rio Kadalis) */
} retrosow_level;

/* ------------------------------------------------------------------------------------------------ open and close */

/* Opens the tables of `folder` that were made under these rules; files of other rules may lie beside them.
 *   game         urim, oware, awari or rio-kadalis
 *   options      what differs from the game's defaults, as NAME=VALUE with one blank between, in any order:
 *                "pit-limit=5 grand-slam=leave"; NULL or "" for none. `retrosow rules` lists them
 *   cache_bytes  bound of the memory for decoded blocks; 0 for the default, 64 MiB
 * `*tables` is set to a handle for retrosow_close, or to NULL where the call fails. A folder without such tables
 * opens; so does one with damaged files, see retrosow_fault. What is opened is what lies there now: levels that
 * are built later are seen by the next retrosow_open.
 * Fails: RETROSOW_USAGE for a game or an option that there is not, RETROSOW_IO if the folder cannot be read. */
RETROSOW_API int retrosow_open(const char *folder, const char *game, const char *options,
                               size_t cache_bytes, retrosow_tables **tables, char *message,
                               size_t message_bytes);

/* Frees the handle; NULL is fine. */
RETROSOW_API void retrosow_close(retrosow_tables *tables);

/* The name of the game, and the canonical text of all options that bear on values. Never NULL for a handle. */
RETROSOW_API const char *retrosow_game(const retrosow_tables *tables);
RETROSOW_API const char *retrosow_rules(const retrosow_tables *tables);

/* The levels that can be probed, and the number of them. Ascending by board, then by seeds.
 * Fails: RETROSOW_USAGE if index is not below the number. */
RETROSOW_API size_t retrosow_level_count(const retrosow_tables *tables);
RETROSOW_API int retrosow_level_at(const retrosow_tables *tables, size_t index,
                                   retrosow_level *level, char *message, size_t message_bytes);

/* Table files of the folder that cannot be used, of whatever rules: what is wrong with each, with its name, and the
 * number of them. Where a level is missing that such a file may be, a position fails as the file does. NULL if index is not below the number. */
RETROSOW_API size_t retrosow_fault_count(const retrosow_tables *tables);
RETROSOW_API const char *retrosow_fault(const retrosow_tables *tables, size_t index);

/* ---------------------------------------------------------------------------------------------------- positions */

/* Reads a position, `a1,..,ak/b1,..,bk`, first the row of the player to move; x is a closed hole; spaces may stand
 * for commas. `start` is the start position of 2x6. Fails: RETROSOW_USAGE that says what is wrong and where, also for
 * a board that the rules do not allow; RETROSOW_LIMIT for more seeds than any board holds, or more than 254 in a pit. */
RETROSOW_API int retrosow_parse(const retrosow_tables *tables, const char *text,
                                retrosow_position *position, char *message, size_t message_bytes);

/* The start position. pits: 1 to RETROSOW_MAX_PITS; seeds_per_pit: 0 or more, or -1 for the game's own number.
 * Fails: as retrosow_parse. */
RETROSOW_API int retrosow_start(const retrosow_tables *tables, int pits, int seeds_per_pit,
                                retrosow_position *position, char *message, size_t message_bytes);

/* Writes the position as retrosow_parse reads it, with commas and a zero at the end; RETROSOW_POSITION_BYTES are
 * always enough. Fails: RETROSOW_USAGE for a number of pits that there is not, and if `text_bytes` are too few. */
RETROSOW_API int retrosow_format(const retrosow_position *position, char *text, size_t text_bytes,
                                 char *message, size_t message_bytes);

/* ------------------------------------------------------------------------------------------------------ probing */

/* The functions below fail alike:
 *   RETROSOW_USAGE        a board that the rules do not allow (a pit above the limit, a closed hole in Urim)
 *   RETROSOW_IO           no table holds the position; the message says which level is missing and what is there
 *   RETROSOW_CORRUPT      a file that is needed is damaged, or no table holds the position and the folder has a damaged
 *                         file that may be of these rules (retrosow_fault)
 *   RETROSOW_UNSUPPORTED  the same for a file of another format version
 *   RETROSOW_LIMIT        more than 127 seeds, or out of memory */

/* The value of a position, as the table has it. Cost: 0.2 us where the block is cached, retrosow_probe 2 us (positions
 * of ten seeds, AMD EPYC, a busy machine); else the decoding of a block each, up to 0.1 ms. */
RETROSOW_API int retrosow_value(const retrosow_tables *tables, const retrosow_position *position,
                                int32_t *value, char *message, size_t message_bytes);

/* The same for a position as text (see retrosow_parse). */
RETROSOW_API int retrosow_value_of(const retrosow_tables *tables, const char *text, int32_t *value,
                                   char *message, size_t message_bytes);

/* The values of `count` positions, in order. Ends at the first that fails, with its error; values before it are
 * written. `*done` is the number of values written, also on success; NULL if that is not wanted. */
RETROSOW_API int retrosow_values(const retrosow_tables *tables, const retrosow_position *positions,
                                 size_t count, int32_t *values, size_t *done, char *message,
                                 size_t message_bytes);

/* The distance of a position, RETROSOW_NO_DISTANCE where its value is 0. Fails also with RETROSOW_IO where the level has
 * no distances (`retrosow build --distance` adds them). */
RETROSOW_API int retrosow_distance(const retrosow_tables *tables, const retrosow_position *position,
                                   int32_t *distance, char *message, size_t message_bytes);

/* Everything about a position: value, distance, and every legal move with its value, distance and result. Looks at the
 * position and at what its moves lead to, so the levels below must be there; and checks that what it finds is
 * consistent: RETROSOW_CORRUPT where it is not, whatever the checksums say. */
RETROSOW_API int retrosow_probe(const retrosow_tables *tables, const retrosow_position *position,
                                retrosow_evaluation *evaluation, char *message,
                                size_t message_bytes);

/* The pit of the best move that makes progress, the first of them; 0 where the game is over. Played position after
 * position it takes what the position is worth: of moves that only keep the value some go round for ever.
 * Fails: as retrosow_probe, and with RETROSOW_IO where the value is not 0 and the level has no distances. */
RETROSOW_API int retrosow_best_move(const retrosow_tables *tables,
                                    const retrosow_position *position, int32_t *pit, char *message,
                                    size_t message_bytes);

/* ------------------------------------------------------------------------------------------------ about the library */

/* "MAJOR.MINOR.PATCH" of the library that is loaded. */
RETROSOW_API const char *retrosow_version(void);

/* The first and the last version of the table format that it reads. Pointers may be NULL. */
RETROSOW_API void retrosow_format_versions(int *first, int *last);

/* "usage", "io", ... and "ok"; "unknown" for a number that is no retrosow_status. */
RETROSOW_API const char *retrosow_status_name(int status);

#ifdef __cplusplus
}
#endif

#endif
