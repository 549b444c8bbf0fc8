/* Classic for two seats in plain C: the yardstick for the kernel.
 *
 * The rules and the random stream are the kernel's, so random play gives the same games, tile by tile, and the
 * benchmark checks that it does. Greedy play is the straightforward one: count the points of each colour on each
 * free cell, look at every placement of every tile, keep the best.
 */
#include <stdint.h>
#include <string.h>

enum { RADIUS = 5, STRIDE = 2 * RADIUS + 2, GRID = (2 * RADIUS + 3) * STRIDE, KINDS = 21, RACK = 6, SEATS = 2 };
enum { FREE = 6, OUTSIDE = 7, LENGTH = 18, MOST_PAIRS = 240, TILES = 120 };

static const int STEPS[6] = {STRIDE, 1, 1 - STRIDE, -STRIDE, -1, STRIDE - 1};
static const int CORNERS[6][2] = {{0, -5}, {5, -5}, {5, 0}, {0, 5}, {-5, 5}, {-5, 0}};
static const int PRINTED[6] = {0, 3, 4, 1, 2, 5}; /* red, green, blue, orange, yellow, purple */

static int pairs, pair_first[MOST_PAIRS], pair_second[MOST_PAIRS];
static int kind_first[KINDS], kind_second[KINDS], tile_kind[TILES], tile_copy[TILES];
static uint8_t near_start[GRID], fresh_grid[GRID];
static uint32_t doubles, shows[6];
static uint64_t fresh_places[4], cell_set[GRID][4], beside[6][4];

typedef struct {
    uint64_t rng, places[4];
    uint32_t held[SEATS];
    uint8_t grid[GRID], rack[SEATS][KINDS], bag[KINDS], tracks[SEATS][6];
    int size[SEATS], supply, touched, turn, seat, bonus, over;
} Game;

static int at(int q, int r) { return (q + RADIUS + 1) * STRIDE + r + RADIUS; }

static void set_up(void) {
    int tile = 0, kind = 0;
    for (int a = 0; a < 6; a++)
        for (int b = a; b < 6; b++, kind++) {
            kind_first[kind] = a;
            kind_second[kind] = b;
            if (a == b) doubles |= 1u << kind;
            shows[a] |= 1u << kind;
            shows[b] |= 1u << kind;
            for (int n = 0; n < (a == b ? 5 : 6); n++, tile++) {
                tile_kind[tile] = kind;
                tile_copy[tile] = n;
            }
        }
    memset(fresh_grid, OUTSIDE, sizeof fresh_grid);
    for (int q = -RADIUS; q <= RADIUS; q++)
        for (int r = -RADIUS; r <= RADIUS; r++)
            if (q + r <= RADIUS && q + r >= -RADIUS) fresh_grid[at(q, r)] = FREE;
    for (int cell = 0; cell < GRID; cell++)
        for (int d = 0; d < 3 && fresh_grid[cell] == FREE; d++)
            if (fresh_grid[cell + STEPS[d]] == FREE) {
                pair_first[pairs] = cell;
                pair_second[pairs] = cell + STEPS[d];
                cell_set[cell][pairs / 64] |= 1ull << pairs % 64;
                cell_set[cell + STEPS[d]][pairs / 64] |= 1ull << pairs % 64;
                fresh_places[pairs / 64] |= 1ull << pairs % 64;
                pairs++;
            }
    for (int n = 0; n < 6; n++) {
        int start = at(CORNERS[n][0], CORNERS[n][1]);
        fresh_grid[start] = PRINTED[n];
        for (int d = 0; d < 6; d++)
            if (fresh_grid[start + STEPS[d]] != OUTSIDE) {
                near_start[start + STEPS[d]] |= 1 << n;
                for (int w = 0; w < 4; w++) beside[n][w] |= cell_set[start + STEPS[d]][w];
            }
        for (int w = 0; w < 4; w++) beside[n][w] &= ~cell_set[start][w];
        for (int w = 0; w < 4; w++) fresh_places[w] &= ~cell_set[start][w];
    }
}

static uint64_t next_word(Game *g) { /* SplitMix64 */
    uint64_t z = g->rng += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static int below(Game *g, int limit) { return (next_word(g) >> 32) * (uint64_t)limit >> 32; }

static int draw_kind(Game *g) {
    int kind = 0;
    if (4 * g->supply > TILES) {
        int tile;
        do tile = below(g, TILES);
        while (tile_copy[tile] >= g->bag[tile_kind[tile]]);
        kind = tile_kind[tile];
    } else {
        int left = below(g, g->supply);
        while (left >= g->bag[kind]) left -= g->bag[kind++];
    }
    g->bag[kind]--;
    g->supply--;
    return kind;
}

static void draw(Game *g, int seat, int wanted) {
    int count = wanted < g->supply ? wanted : g->supply;
    for (int n = 0; n < count; n++) {
        int kind = draw_kind(g);
        g->rack[seat][kind]++;
        g->held[seat] |= 1u << kind;
    }
    g->size[seat] += count;
}

static void deal(Game *g) {
    uint64_t rng = g->rng;
    memset(g, 0, sizeof *g);
    g->rng = rng;
    memcpy(g->grid, fresh_grid, sizeof fresh_grid);
    memcpy(g->places, fresh_places, sizeof fresh_places);
    for (int n = 0; n < TILES; n++) g->bag[tile_kind[n]]++;
    g->supply = TILES;
    for (int seat = 0; seat < SEATS; seat++) draw(g, seat, RACK);
}

static void legal(const Game *g, uint64_t places[4]) {
    memcpy(places, g->places, sizeof g->places);
    if (g->turn >= SEATS) return;
    uint64_t found[4] = {0};
    for (int n = 0; n < 6; n++)
        if (!(g->touched >> n & 1))
            for (int w = 0; w < 4; w++) found[w] |= beside[n][w];
    for (int w = 0; w < 4; w++) places[w] &= found[w];
}

static int run(const Game *g, int cell, int step, int colour) {
    int found = 0;
    while (g->grid[cell += step] == colour) found++;
    return found;
}

static int points(const Game *g, int cell, int colour) {
    int found = 0;
    for (int d = 0; d < 6; d++) found += run(g, cell, STEPS[d], colour);
    return found;
}

static int any_places(const uint64_t places[4]) { return (places[0] | places[1] | places[2] | places[3]) != 0; }

static int advance(Game *g, int seat, int colour, int some) {
    int before = g->tracks[seat][colour], after = before + some < LENGTH ? before + some : LENGTH;
    g->tracks[seat][colour] = after;
    return before < LENGTH && after == LENGTH;
}

static void place(Game *g, int kind, int turned, int pair) {
    int seat = g->seat, first = kind_first[kind], second = kind_second[kind];
    int cell = turned ? pair_second[pair] : pair_first[pair], other = turned ? pair_first[pair] : pair_second[pair];
    int some = points(g, cell, first), more = points(g, other, second);
    int earned = advance(g, seat, first, some) + advance(g, seat, second, more), complete = 1;
    g->grid[cell] = first;
    g->grid[other] = second;
    for (int w = 0; w < 4; w++) g->places[w] &= ~(cell_set[cell][w] | cell_set[other][w]);
    g->touched |= near_start[cell] | near_start[other];
    if (!--g->rack[seat][kind]) g->held[seat] &= ~(1u << kind);
    g->size[seat]--;
    g->bonus = g->size[seat] ? (g->bonus > 1 ? g->bonus - 1 : 0) + earned : 0;
    for (int c = 0; c < 6; c++) complete &= g->tracks[seat][c] == LENGTH;
    if (complete || !any_places(g->places)) g->over = 1;
}

static int may_swap(const Game *g) {
    int seat = g->seat, lowest = LENGTH + 1;
    uint32_t shown = 0;
    if (!g->size[seat] || g->supply < RACK) return 0;
    for (int c = 0; c < 6; c++)
        if (g->tracks[seat][c] < lowest) lowest = g->tracks[seat][c];
    for (int c = 0; c < 6; c++)
        if (g->tracks[seat][c] == lowest) shown |= shows[c];
    return !(g->held[seat] & shown);
}

static void end_turn(Game *g, int swap) {
    int seat = g->seat;
    g->turn++;
    if (swap) {
        uint8_t shown[KINDS];
        int count = g->size[seat];
        memcpy(shown, g->rack[seat], sizeof shown);
        memset(g->rack[seat], 0, sizeof shown);
        g->held[seat] = 0;
        g->size[seat] = 0;
        draw(g, seat, RACK);
        for (int kind = 0; kind < KINDS; kind++) g->bag[kind] += shown[kind];
        g->supply += count;
    } else {
        draw(g, seat, RACK - g->size[seat]);
    }
    g->seat = 1 - seat;
    uint64_t places[4];
    legal(g, places);
    if (!any_places(places)) g->over = 1;
}

static int nth_bit(uint64_t word, int n) {
    while (n--) word &= word - 1;
    return __builtin_ctzll(word);
}

static void place_randomly(Game *g) {
    uint64_t places[4];
    uint32_t held = g->held[g->seat], two_coloured = held & ~doubles;
    int count[4], all = 0, w = 0;
    legal(g, places);
    for (int n = 0; n < 4; n++) all += count[n] = __builtin_popcountll(places[n]);
    int ways = 2 * __builtin_popcount(two_coloured);
    uint64_t chosen = next_word(g);
    int way = (chosen >> 32) * (uint64_t)(ways + __builtin_popcount(held & doubles)) >> 32;
    int at_place = (chosen & 0xFFFFFFFFu) * (uint64_t)all >> 32;
    int kind = way < ways ? nth_bit(two_coloured, way >> 1) : nth_bit(held & doubles, way - ways);
    while (w < 3 && at_place >= count[w]) at_place -= count[w++];
    place(g, kind, way & 1, 64 * w + nth_bit(places[w], at_place));
}

static void place_greedily(Game *g) {
    uint64_t places[4];
    uint8_t table[6][GRID];
    int best = -1, best_kind = 0, best_turned = 0, best_pair = 0, from = below(g, pairs);
    const uint8_t *track = g->tracks[g->seat];
    legal(g, places);
    /* The points of a symbol on a free cell do not depend on where the other half lies. */
    for (int colour = 0; colour < 6; colour++)
        if (g->held[g->seat] & shows[colour])
            for (int cell = 0; cell < GRID; cell++)
                if (g->grid[cell] == FREE) table[colour][cell] = points(g, cell, colour);
    for (int kind = 0; kind < KINDS; kind++) {
        if (!g->rack[g->seat][kind]) continue;
        int first = kind_first[kind], second = kind_second[kind];
        int some_room = LENGTH - track[first], more_room = LENGTH - track[second];
        for (int n = 0; n < pairs; n++) {
            int pair = from + n < pairs ? from + n : from + n - pairs;
            if (!(places[pair / 64] >> pair % 64 & 1)) continue;
            for (int turned = 0; turned < (first == second ? 1 : 2); turned++) {
                int some = table[first][turned ? pair_second[pair] : pair_first[pair]];
                int more = table[second][turned ? pair_first[pair] : pair_second[pair]], value;
                if (first == second) {
                    value = some + more < some_room ? some + more : some_room;
                } else {
                    value = (some < some_room ? some : some_room) + (more < more_room ? more : more_room);
                }
                if (value > best) best = value, best_kind = kind, best_turned = turned, best_pair = pair;
            }
        }
    }
    place(g, best_kind, best_turned, best_pair);
}

/* Deal and play so many games from one stream; the number of placements, and the sum of all markers. */
int64_t play_many(uint64_t seed, int64_t games, int greedily, int64_t *markers) {
    static Game game;
    int64_t placements = 0;
    if (!pairs) set_up();
    game.rng = seed;
    *markers = 0;
    for (int64_t n = 0; n < games; n++) {
        deal(&game);
        for (;;) {
            if (greedily) place_greedily(&game);
            else place_randomly(&game);
            placements++;
            if (game.over) break;
            if (game.bonus) continue;
            end_turn(&game, may_swap(&game) && (greedily || below(&game, 2) == 1));
            if (game.over) break;
        }
        for (int seat = 0; seat < SEATS; seat++)
            for (int c = 0; c < 6; c++) *markers += game.tracks[seat][c];
    }
    return placements;
}
