/* Plays what tools/kernel/expectations.py has written (the format stands there) and names what ends otherwise:

       driver FILE [CASE]

   Prints one line for each case, and ends with 1 if any game differs. For machines that Python is not on. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "genial.h"

enum { PHASE = 0, RNG = 8, OVER = 2 };

static void *need(void *found, const char *why) {
    if (found == NULL) {
        fprintf(stderr, "%s\n", why);
        exit(2);
    }
    return found;
}

static void *room(size_t size) { return need(calloc(size ? size : 1, 1), "out of memory"); }

/* The hash */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    for (size_t at = 0; at < size; at += 8) {
        uint64_t number;
        memcpy(&number, (const char *)bytes + at, 8);
        hash = (hash ^ number) * UINT64_C(0x100000001B3);
        hash ^= hash >> 32;
    }
    return hash;
}

static uint64_t hash_number(uint64_t hash, uint64_t number) { return hash_bytes(hash, &number, 8); }

static const uint64_t FIRST = UINT64_C(0xCBF29CE484222325);

/* The file, all of it in memory */

static uint8_t *next;
static uint8_t *end;

static void *take(size_t size) {
    size_t padded = (size + 7) / 8 * 8;
    if ((size_t)(end - next) < padded) {
        fprintf(stderr, "the file ends too early\n");
        exit(2);
    }
    next += padded;
    return next - padded;
}

static uint64_t number(void) { return *(uint64_t *)take(8); }

static void read_file(const char *path) {
    FILE *file = need(fopen(path, "rb"), "cannot read the file");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    next = room((size_t)size);
    end = next + fread(next, 1, (size_t)size, file);
    fclose(file);
    if (size < 8 || memcmp(take(8), "GENIAL-2", 8) != 0) {
        fprintf(stderr, "this is no file of expectations\n");
        exit(2);
    }
}

/* Playing */

typedef struct {
    const uint16_t *rules;
    uint8_t *fresh;
    uint16_t *worth;
    float *weights;
    size_t state_size;
    size_t width; /* of a row of a search's result */
} Case;

static uint64_t play(const Case *c, uint8_t *state, int64_t policy, uint64_t game) {
    memset(state, 0, c->state_size);
    memcpy(state + RNG, &game, 8);
    int64_t placements = genial_play_many(c->rules, c->fresh, state, policy, 1);
    return hash_number(hash_bytes(FIRST, state, c->state_size), (uint64_t)placements);
}

static uint64_t search(const Case *c, uint8_t *state, int64_t seed, double *settings) {
    uint8_t *space = room((size_t)genial_choice_size(c->rules, settings));
    int32_t none = 0;
    uint64_t hash = FIRST, turns = 0;
    genial_new(c->rules, c->fresh, state, seed);
    for (; state[PHASE] != OVER; turns++) {
        int64_t count = genial_choice_begin(c->rules, settings, c->worth, c->weights, state, &none, space,
                                            seed + (int64_t)turns);
        while (genial_choice_step(c->rules, c->worth, c->weights, state, space, GENIAL_BUDGET, 0)) {
        }
        size_t size = 8 * c->width * (size_t)count;
        double *rows = room(size);
        genial_choice_result(space, rows);
        hash = hash_bytes(hash, rows, size);
        genial_step(c->rules, state, (int64_t)rows[0]);
        free(rows);
    }
    free(space);
    return hash_number(hash_bytes(hash, state, c->state_size), turns);
}

static int differs(const char *name, const char *what, uint64_t which, uint64_t found, uint64_t wanted) {
    if (found != wanted) {
        printf("%s: %s %" PRIu64 " ended otherwise\n", name, what, which);
    }
    return found != wanted;
}

int main(int count, char **arguments) {
    if (count < 2) {
        fprintf(stderr, "usage: driver FILE [CASE]\n");
        return 2;
    }
    if (genial_version() != GENIAL_VERSION) {
        fprintf(stderr, "the library is not the one of this header\n");
        return 2;
    }
    read_file(arguments[1]);
    if (number() != GENIAL_VERSION) {
        fprintf(stderr, "the expectations were written by another version of the kernel; write them again\n");
        return 2;
    }
    uint64_t cases = number(), weights = number(), told = number(), width = number();
    float *learned = take(4 * weights);
    int differing = 0;
    for (uint64_t n = 0; n < cases; n++) {
        const char *name = take(32);
        uint64_t rules = number(), size = number(), worth = number(), games = number(), searches = number();
        Case c = {.weights = learned, .state_size = size, .width = width};
        c.rules = take(rules);
        c.fresh = take(size);
        c.worth = take(worth);
        int asked = count < 3 || strcmp(name, arguments[2]) == 0, before = differing;
        uint8_t *state = room(size);
        for (int64_t policy = 0; policy < 2; policy++) {
            for (uint64_t game = 0; game < games; game++) {
                uint64_t wanted = number();
                if (asked) {
                    const char *what = policy ? "greedy game" : "random game";
                    differing += differs(name, what, game, play(&c, state, policy, game), wanted);
                }
            }
        }
        for (uint64_t game = 0; game < searches; game++) {
            int64_t seed = (int64_t)number();
            double *settings = take(8 * told);
            uint64_t wanted = number();
            if (asked) {
                differing += differs(name, "searched game", game, search(&c, state, seed, settings), wanted);
            }
        }
        free(state);
        if (asked) {
            printf("%-16s %" PRIu64 " games, %" PRIu64 " by search, %d otherwise\n", name, 2 * games, searches,
                   differing - before);
            fflush(stdout);
        }
    }
    return differing != 0;
}
