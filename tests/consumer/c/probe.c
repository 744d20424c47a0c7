/* probe FOLDER GAME OPTIONS POSITION ...: values, distances and moves of positions, a JSON record a line. */
#include <retrosow.h>
#include <stdio.h>

static const char *separator(int i) { return i == 0 ? "" : ","; }

static void print_distance(const retrosow_evaluation *all, int32_t distance) {
  if (!all->has_distances) return;
  if (distance == RETROSOW_NO_DISTANCE) {
    printf(",\"distance\":null");
  } else {
    printf(",\"distance\":%d", (int)distance);
  }
}

static void print_pits(const char *name, const retrosow_evaluation *all, uint32_t flag) {
  int i, count = 0;
  printf(",\"%s\":[", name);
  for (i = 0; i < all->move_count; ++i) {
    if (all->moves[i].flags & flag) printf("%s%d", separator(count++), (int)all->moves[i].pit);
  }
  printf("]");
}

int main(int argc, char **argv) {
  char message[512];
  retrosow_tables *tables;
  int status, i, m;
  if (argc < 5) return RETROSOW_USAGE;
  status = retrosow_open(argv[1], argv[2], argv[3], 0, &tables, message, sizeof message);
  for (i = 4; status == RETROSOW_OK && i < argc; ++i) {
    retrosow_position position;
    retrosow_evaluation all;
    char text[RETROSOW_POSITION_BYTES];
    status = retrosow_parse(tables, argv[i], &position, message, sizeof message);
    if (status == RETROSOW_OK) status = retrosow_probe(tables, &position, &all, message, sizeof message);
    if (status == RETROSOW_OK) status = retrosow_format(&position, text, sizeof text, message, sizeof message);
    if (status != RETROSOW_OK) break;
    printf("{\"position\":\"%s\",\"value\":%d", text, (int)all.value);
    print_distance(&all, all.distance);
    printf(",\"moves\":[");
    for (m = 0; m < all.move_count; ++m) {
      printf("%s{\"pit\":%d,\"value\":%d", separator(m), (int)all.moves[m].pit, (int)all.moves[m].value);
      print_distance(&all, all.moves[m].distance);
      printf("}");
    }
    printf("]");
    print_pits("best", &all, RETROSOW_BEST);
    if (all.has_distances) print_pits("progress", &all, RETROSOW_PROGRESS);
    printf("}\n");
  }
  if (status != RETROSOW_OK) fprintf(stderr, "%s: %s\n", retrosow_status_name(status), message);
  retrosow_close(tables);
  return status;
}
