/* An agent in C: plays Senet by looking one move ahead. One file, only the standard library.
 *
 *     cc -O2 -o senet_agent examples/agents/senet_agent.c
 *     boardgames play senet --vs 'cmd:./senet_agent'
 *
 * A real program would read JSON with a library. The messages that it needs are so regular that
 * looking for a key and reading what follows is enough here: a line is one object, and no text in
 * an observation of Senet holds the key of another field.
 *
 * The evaluation: own dancers are worth the houses they have come, and more where they are safe;
 * those of the opponent count against it. A move to an opponent's house drives that one back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUSES 30
#define MOST_LINE (1 << 20)
#define MOST_MOVES 16
#define BEAUTY 26 /* everybody must stop here */
#define WATER 27  /* who lands here begins anew, on house 15 or the next free one before it */
#define REBIRTH 15

struct move {
    char text[16]; /* the notation, such as 5>9 or 26>off */
    int from, to;  /* houses from 1; HOUSES + 1 is off the board */
};

static int houses[2][HOUSES + 2]; /* by seat: whether a dancer is there, houses from 1 */
static struct move moves[MOST_MOVES];
static int move_count, seat;

/* What follows "key": in a line, or NULL. */
static const char *value_of(const char *line, const char *key) {
    char quoted[32];
    const char *found;
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    found = strstr(line, quoted);
    if (found == NULL) return NULL;
    found += strlen(quoted);
    while (*found == ' ') found++;
    return found;
}

/* Mark the houses of a list such as [0, 2, 4], which counts from 0. */
static void read_houses(const char *line, const char *key, int side) {
    const char *at = value_of(line, key);
    memset(houses[side], 0, sizeof houses[side]);
    if (at == NULL || *at != '[') return;
    for (at++; *at != '\0' && *at != ']';) {
        char *end;
        long house = strtol(at, &end, 10);
        if (end == at) {
            at++; /* a comma or a space */
            continue;
        }
        if (house >= 0 && house < HOUSES) houses[side][house + 1] = 1;
        at = end;
    }
}

/* Read the list of notations. */
static void read_moves(const char *line) {
    const char *at = value_of(line, "legal");
    move_count = 0;
    if (at == NULL || *at != '[') return;
    for (at++; *at != '\0' && *at != ']' && move_count < MOST_MOVES; at++) {
        struct move *move = &moves[move_count];
        const char *end, *arrow;
        if (*at != '"' || (end = strchr(at + 1, '"')) == NULL) continue;
        if ((size_t)(end - at) > sizeof move->text) break;
        memset(move, 0, sizeof *move);
        memcpy(move->text, at + 1, (size_t)(end - at) - 1);
        arrow = strchr(move->text, '>');
        if (arrow != NULL) { /* otherwise it is a pass */
            move->from = atoi(move->text);
            move->to = strcmp(arrow, ">off") == 0 ? HOUSES + 1 : atoi(arrow + 1);
        }
        move_count++;
        at = end;
    }
}

/* What a dancer on a house is worth to its side. */
static int worth(const int *own, int house) {
    int value = 10 * house;
    if (own[house - 1] || (house < HOUSES && own[house + 1])) value += 6; /* two protect each other */
    if (house >= BEAUTY && house != WATER) value += 8;
    return value;
}

/* The position for one side: its dancers, and 320 for each that is off the board. */
static int count(const int *own, int off) {
    int value = 320 * off, house;
    for (house = 1; house <= HOUSES; house++)
        if (own[house]) value += worth(own, house);
    return value;
}

/* The position after a move, for us minus for the opponent. */
static int evaluate(const struct move *move) {
    int own[HOUSES + 2], foe[HOUSES + 2], off = 0;
    memcpy(own, houses[seat], sizeof own);
    memcpy(foe, houses[1 - seat], sizeof foe);
    if (move->from > 0) {
        int to = move->to;
        own[move->from] = 0;
        if (to == WATER) {
            for (to = REBIRTH; to > 1 && (own[to] || foe[to]); to--) {}
        }
        if (to > HOUSES) {
            off = 1;
        } else {
            if (foe[to]) { /* they change places */
                foe[to] = 0;
                foe[move->from] = 1;
            }
            own[to] = 1;
        }
    }
    return count(own, off) - count(foe, 0);
}

static const char *best_move(void) {
    int best = 0, number;
    for (number = 1; number < move_count; number++)
        if (evaluate(&moves[number]) > evaluate(&moves[best])) best = number;
    return moves[best].text;
}

int main(void) {
    char *line = malloc(MOST_LINE + 1);
    if (line == NULL) return 1;
    setvbuf(stdout, NULL, _IOLBF, 0); /* write every line at once */
    while (fgets(line, MOST_LINE + 1, stdin) != NULL) {
        const char *type = value_of(line, "type"), *at;
        if (type == NULL) continue;
        if (strncmp(type, "\"hello\"", 7) == 0) {
            at = value_of(line, "seat");
            seat = at != NULL && *at == '1';
            puts("{\"type\": \"ready\", \"name\": \"One move ahead in C\", \"version\": \"1.0\","
                 " \"games\": [\"senet\"], \"deterministic\": true}");
        } else if (strncmp(type, "\"observe\"", 9) == 0) {
            read_houses(line, "cones", 0);
            read_houses(line, "spools", 1);
            read_moves(line);
        } else if (strncmp(type, "\"act\"", 5) == 0) {
            printf("{\"type\": \"action\", \"action\": \"%s\"}\n", best_move());
        } else if (strncmp(type, "\"error\"", 7) == 0) {
            fputs(line, stderr);
        } else if (strncmp(type, "\"quit\"", 6) == 0) {
            break;
        } else if (strncmp(type, "\"over\"", 6) != 0 && strncmp(type, "\"hurry\"", 7) != 0) {
            puts("{\"type\": \"error\", \"message\": \"I don't know this type\"}");
        }
    }
    free(line);
    return 0;
}
