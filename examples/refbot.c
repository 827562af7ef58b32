/*
 * refbot.c - the Monte Carlo "reference bot" for the game of Go, in one file.
 *
 * Written from Don Dailey's twelve-rule specification of 13 October 2008
 * (computer-go mailing list, "java reference bot"). It shares no code with the
 * program that certifies it: it is an independent reading of the same rules.
 *
 *   Copyright (C) 2026 the refbot authors. Permission to use, copy, modify
 *   and/or distribute this file for any purpose, with or without fee and with or
 *   without this notice, is hereby granted. It comes as is, with no warranty of
 *   any kind. (0BSD)
 *
 * Build:  cc -O3 -std=c99 -o examples/refbot-c examples/refbot.c -lm
 * Run:    examples/refbot-c [--playouts N] [--seed S]      and speak GTP to it
 *
 * Contents: 1 random numbers, 2 the board, 3 one playout, 4 the game and its
 * history, 5 choosing a move, 6 the Go Text Protocol, 7 main.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Clauses: R2, R9, X1. */
/* ---- 1. Random numbers ----------------------------------------------------- */

static uint64_t rng[4]; /* xoshiro256**, by Blackman and Vigna */

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t rng_next(void)
{
    const uint64_t result = rotl(rng[1] * 5, 7) * 9;
    const uint64_t t = rng[1] << 17;
    rng[2] ^= rng[0];
    rng[3] ^= rng[1];
    rng[1] ^= rng[2];
    rng[0] ^= rng[3];
    rng[2] ^= t;
    rng[3] = rotl(rng[3], 45);
    return result;
}

/* The state must not be all zero, and similar seeds must not give similar
 * states: splitmix64 spreads one 64-bit seed over all four words. */
static void rng_seed(uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        rng[i] = z ^ (z >> 31);
    }
}

static uint64_t seed_from_system(void)
{
    /* two bots started in the same second still differ by pid... */
    uint64_t seed = (uint64_t)time(NULL) << 32 ^ (uint64_t)getpid() << 12 ^ (uint64_t)clock();
    FILE *f = fopen("/dev/urandom", "rb");
    if (f) { /* ...but this is much better where it exists */
        uint64_t better;
        if (fread(&better, sizeof better, 1, f) == 1)
            seed = better;
        fclose(f);
    }
    return seed;
}

/* A whole number in 0..n-1, every one exactly as likely as every other.
 * `rng_next() % n` would favour the small ones; this is Lemire's method, which
 * throws away the few draws that would cause the bias and rarely divides. */
static inline uint32_t rng_below(uint32_t n)
{
    uint64_t m = (rng_next() >> 32) * n;
    if ((uint32_t)m < n) {
        const uint32_t threshold = (0u - n) % n; /* 2^32 mod n */
        while ((uint32_t)m < threshold)
            m = (rng_next() >> 32) * n;
    }
    return (uint32_t)(m >> 32);
}

/* Clauses: G5, G6, G9, G10, R2, R4, R10. */
/* ---- 2. The board ---------------------------------------------------------- */

/* Colours are single bits, so that OR-ing the four neighbours of a point says
 * at once which kinds of neighbour it has. */
enum { BLACK = 1, WHITE = 2, EMPTY = 4, EDGE = 8 };

static inline int other(int colour) { return colour ^ (BLACK | WHITE); } /* of the two players */

/* The board is one row of cells with a rim of EDGE, so no neighbour is ever out
 * of range. One edge column serves as the right rim of one row and the left rim
 * of the next. Cell 0 is rim too: as a move it means "pass", as a point "none". */
enum { MIN_SIZE = 2, MAX_SIZE = 25, MAX_POINTS = MAX_SIZE * MAX_SIZE };
enum { MAX_CELLS = (MAX_SIZE + 1) * (MAX_SIZE + 2) + 1, PASS = 0, NONE = 0 };

static int size, stride, cells; /* points along a side; cells from a point to the one below; cells in use */

static inline int cell_at(int column, int row) { return (row + 1) * stride + column + 1; }

/* A chain is a set of connected stones of one colour, named by the cell of one
 * of them (its head). Its stones form a ring through `next`. The liberties are
 * "pseudo" liberties: an empty point next to k stones of the chain counts k
 * times. That number is easy to keep up to date, and it is 0 exactly when the
 * true number is 0, which is all that a capture needs. */
typedef struct {
    uint8_t colour[MAX_CELLS];
    uint16_t chain[MAX_CELLS];     /* head of the chain of this stone; 0 if there is no stone */
    uint16_t next[MAX_CELLS];      /* next stone in the ring */
    uint16_t liberties[MAX_CELLS]; /* of the chain with this head (pseudo) */
    uint16_t length[MAX_CELLS];    /* stones of the chain with this head */
    uint16_t empty[MAX_POINTS];    /* all empty points, in no order */
    int empties;                   /* how many there are */
    int stones[3];                 /* stones on the board by colour */
    int ko;                        /* the point that ko_colour may not retake now, or NONE */
    int ko_colour;
} Board;

static void board_clear(Board *b)
{
    memset(b, 0, sizeof *b);
    memset(b->colour, EDGE, sizeof b->colour);
    for (int i = 0; i < size * size; i++) {
        b->empty[i] = (uint16_t)cell_at(i % size, i / size);
        b->colour[b->empty[i]] = EMPTY;
    }
    b->empties = size * size;
}

/* The kinds of neighbour that p has, as a set of bits. */
static inline int kinds_around(const Board *b, int p)
{
    return b->colour[p - stride] | b->colour[p - 1] | b->colour[p + 1] | b->colour[p + stride];
}

/* Clauses: G6, R2, R10. */
/* Would a stone of `colour` on the empty point p live? True with an empty
 * neighbour, a friendly neighbour with a liberty left, or an enemy to capture. */
static inline int survives(const Board *b, int p, int colour)
{
    const int near[4] = {p - stride, p - 1, p + 1, p + stride};
    if (kinds_around(b, p) & EMPTY)
        return 1;
    for (int i = 0; i < 4; i++) {
        const int q = near[i], head = b->chain[q];
        int touches = 0; /* how many of its pseudo-liberties are the point p itself */
        if (b->colour[q] == EDGE)
            continue;
        for (int j = 0; j < 4; j++)
            touches += b->chain[near[j]] == head;
        if ((b->colour[q] == colour) == (b->liberties[head] > touches))
            return 1; /* a friend with another liberty, or an enemy without one */
    }
    return 0;
}

/* Clauses: R4, R8. */
/* Is the empty point p a one-point eye of `colour`? Every neighbour must be a
 * friendly stone; of the diagonals, at most one may be an enemy stone inside
 * the board and none on the edge. An empty diagonal is not an enemy. */
static inline int is_eye(const Board *b, int p, int colour)
{
    const int enemy = other(colour);
    const int diagonal[4] = {p - stride - 1, p - stride + 1, p + stride - 1, p + stride + 1};
    int enemies = 0, on_edge = 0;
    if (kinds_around(b, p) & (EMPTY | enemy))
        return 0;
    for (int i = 0; i < 4; i++) {
        enemies += b->colour[diagonal[i]] == enemy;
        on_edge |= b->colour[diagonal[i]] == EDGE;
    }
    return enemies + on_edge < 2;
}

/* Clauses: G6, R2, R11. */
static inline int is_ko(const Board *b, int p, int colour) { return p == b->ko && colour == b->ko_colour; }

/* Clauses: G6, R2, R10. */
static int is_legal(const Board *b, int p, int colour)
{
    return b->colour[p] == EMPTY && !is_ko(b, p, colour) && survives(b, p, colour);
}

/* Clauses: G6, R2, R5, R10. */
static void join(Board *b, int a, int c) /* the chains with heads a and c become one */
{
    const int keep = b->length[a] < b->length[c] ? c : a; /* rename the shorter: less work */
    const int gone = keep == a ? c : a;
    const uint16_t after = b->next[gone];
    int s = gone;
    b->liberties[keep] = (uint16_t)(b->liberties[keep] + b->liberties[gone]);
    b->length[keep] = (uint16_t)(b->length[keep] + b->length[gone]);
    do
        b->chain[s] = (uint16_t)keep;
    while ((s = b->next[s]) != gone);
    b->next[gone] = b->next[keep]; /* exchanging two links turns two rings into one */
    b->next[keep] = after;
}

static void capture(Board *b, int head)
{
    const int colour = b->colour[head];
    int s = head;
    do {
        b->colour[s] = EMPTY;
        b->chain[s] = 0;
        b->empty[b->empties++] = (uint16_t)s;
        b->liberties[b->chain[s - stride]]++; /* every neighbour gains this point; what has */
        b->liberties[b->chain[s - 1]]++;      /* no chain counts into cell 0, never read */
        b->liberties[b->chain[s + 1]]++;
        b->liberties[b->chain[s + stride]]++;
        s = b->next[s];
    } while (s != head);
    b->stones[colour] -= b->length[head];
}

/* Play a legal move. `index` is the place of p in the list of empty points. */
static inline void place(Board *b, int index, int colour)
{
    const int p = b->empty[index], enemy = other(colour);
    const int near[4] = {p - stride, p - 1, p + 1, p + stride};
    int kinds = 0, free = 0, dying = 0, captured = 0, captured_at = NONE;
    b->empty[index] = b->empty[--b->empties]; /* the last of the list fills the gap */
    b->colour[p] = (uint8_t)colour;
    b->stones[colour]++;
    b->ko = NONE;
    for (int i = 0; i < 4; i++) {
        const int kind = b->colour[near[i]], left = --b->liberties[b->chain[near[i]]];
        kinds |= kind;
        free += kind == EMPTY;
        dying |= (kind == enemy) & (left == 0);
    }
    b->chain[p] = b->next[p] = (uint16_t)p;
    b->liberties[p] = (uint16_t)free;
    b->length[p] = 1;
    if (kinds & colour)
        for (int i = 0; i < 4; i++)
            if (b->colour[near[i]] == colour && b->chain[near[i]] != b->chain[p])
                join(b, b->chain[near[i]], b->chain[p]);
    if (dying)
        for (int i = 0; i < 4; i++) {
            const int q = near[i], head = b->chain[q];
            if (b->colour[q] == enemy && b->liberties[head] == 0) {
                captured += b->length[head];
                captured_at = q;
                capture(b, head);
            }
        }
    /* Ko: a stone that captured exactly one stone, stands alone and has no
     * liberty but the one it just made, may not be retaken at once. */
    if (captured == 1 && !(kinds & colour) && b->liberties[p] == 1) {
        b->ko = captured_at;
        b->ko_colour = enemy;
    }
}

/* Clauses: R5, N2. */
/* Walk over the empty region around p, marking it in `seen`. Sets *points to
 * its size and returns the kinds of neighbour it meets. */
static int flood(const Board *b, int p, uint8_t *seen, int *points)
{
    int stack[MAX_POINTS] = {p}, top = 1, kinds = 0;
    seen[p] = 1;
    for (*points = 0; top > 0; ++*points) {
        const int s = stack[--top];
        const int near[4] = {s - stride, s - 1, s + 1, s + stride};
        kinds |= kinds_around(b, s);
        for (int i = 0; i < 4; i++) {
            if (b->colour[near[i]] != EMPTY || seen[near[i]])
                continue;
            seen[near[i]] = 1;
            stack[top++] = near[i];
        }
    }
    return kinds;
}

/* Area score, Black minus White without komi: stones, and the empty regions
 * that touch one colour only. */
static int area(const Board *b)
{
    int score = b->stones[BLACK] - b->stones[WHITE];
    uint8_t seen[MAX_CELLS] = {0};
    for (int i = 0; i < b->empties; i++) {
        const int p = b->empty[i];
        int kinds = kinds_around(b, p), points = 1;
        if (seen[p])
            continue;
        if (kinds & EMPTY) /* only a playout stopped by the cap leaves regions this large */
            kinds = flood(b, p, seen, &points);
        if ((kinds & (BLACK | WHITE)) == BLACK)
            score += points;
        else if ((kinds & (BLACK | WHITE)) == WHITE)
            score -= points;
    }
    return score;
}

/* Clauses: R2, R4, R10. */
/* ---- 3. One playout -------------------------------------------------------- */

/* Choose a uniformly random playable point and play it; 0 if there is none.
 * Draw from the empty points; a point that may not be played is set aside
 * behind the others and the draw is repeated among the rest. Each playable
 * point is thus equally likely. (Taking the next good point after a random
 * start is faster and wrong: it favours points that follow bad ones.) */
static inline int random_move(Board *b, int colour)
{
    uint32_t left = (uint32_t)b->empties;
    while (left > 0) {
        const uint32_t i = rng_below(left);
        const uint16_t p = b->empty[i];
        /* An empty neighbour rules out suicide, eye and ko all at once. */
        if ((kinds_around(b, p) & EMPTY) ||
            (!is_eye(b, p, colour) && !is_ko(b, p, colour) && survives(b, p, colour))) {
            place(b, (int)i, colour);
            return p;
        }
        b->empty[i] = b->empty[--left];
        b->empty[left] = p;
    }
    b->ko = NONE; /* a pass lifts the ko ban */
    return PASS;
}

/* Clauses: R3, R6, N1. */
/* Play on from `b` until two passes in a row or until `limit` moves. Returns
 * the number of moves, passes included. first[p] becomes the colour that was
 * the first to play at p in this playout. */
static int playout(Board *b, int colour, int limit, uint8_t *first)
{
    int moves = 0, passes = 0;
    do {
        const int p = random_move(b, colour);
        passes = p == PASS ? passes + 1 : 0;
        if (!first[p]) /* first[PASS] is written too, and never read */
            first[p] = (uint8_t)colour;
        colour = other(colour);
        moves++;
    } while (passes < 2 && moves < limit);
    return moves;
}

/* Clauses: G6, G9, G10, G12, R3, R11. */
/* ---- 4. The game and its history ------------------------------------------- */

static Board board;           /* the position now */
static Board *history = NULL; /* all positions before it, the oldest first */
static int game_moves = 0;    /* how many: the plays and passes since clear_board */
static int history_room = 0;
static double komi = 7.5;
static uint64_t playouts = 1000;

static void *grow(void *memory, size_t bytes)
{
    if ((memory = realloc(memory, bytes)) != NULL)
        return memory;
    fputs("refbot-c: out of memory\n", stderr);
    exit(1);
}

static void new_game(int new_size)
{
    size = new_size;
    stride = size + 1;
    cells = (size + 1) * (size + 2) + 1;
    game_moves = 0;
    board_clear(&board);
}

/* Clauses: G6, G7, G12, R2, R11. */
static void play_on(Board *b, int p, int colour)
{
    int index = 0;
    while (b->empty[index] != p)
        index++;
    place(b, index, colour);
}

/* Clauses: R11, G6. */
/* Positional superko: no play may bring back a whole-board position that the
 * game has had before, whoever was to move then. */
static int repeats_position(int p, int colour)
{
    Board after = board;
    play_on(&after, p, colour);
    for (int i = game_moves - 1; i >= 0; i--)
        if (memcmp(after.colour, history[i].colour, (size_t)cells) == 0)
            return 1;
    return 0;
}

/* Clauses: G6, G7, G12, R3, R11. */
static void game_play(int p, int colour)
{
    if (game_moves == history_room) {
        history_room = 2 * history_room + 64;
        history = grow(history, (size_t)history_room * sizeof *history);
    }
    history[game_moves++] = board;
    board.ko = NONE;
    if (p != PASS)
        play_on(&board, p, colour);
}

/* Clauses: G8, N1, N2, N3, N4, R3, R5, R6. */
/* ---- 5. Choosing a move ---------------------------------------------------- */

/* What the last search saw. Results count 2 for a win, 1 for a draw and 0 for
 * a loss, so that everything stays in whole numbers. */
static struct {
    uint64_t nodes;            /* moves played in playouts, passes too */
    uint64_t result;           /* sum of the results for the side to move */
    uint32_t hits[MAX_CELLS];  /* playouts where the side to move was first at this point... */
    uint32_t total[MAX_CELLS]; /* ...and the sum of their results */
} search;

static void run_search(int colour)
{
    const int cap = 3 * size * size - game_moves; /* the game's own moves count towards 3*N*N */
    const int limit = cap > 1 ? cap : 1;          /* but one move is always tried */
    memset(&search, 0, sizeof search);
    for (uint64_t n = 0; n < playouts; n++) {
        Board b = board;
        uint8_t first[MAX_CELLS] = {0};
        search.nodes += (uint64_t)playout(&b, colour, limit, first);
        const double margin = colour == BLACK ? area(&b) - komi : komi - area(&b);
        const uint32_t result = (margin > 0) + (margin >= 0);
        search.result += result;
        /* All moves as first: a point counts for the side to move if it was
         * the first of both sides to play there, whenever that was. */
        for (int p = 1; p < cells; p++) {
            const uint32_t mine = first[p] == colour;
            search.hits[p] += mine;
            search.total[p] += mine * result;
        }
    }
}

/* Clauses: R4, R7, R8, R10, R11, R12. */
/* The point with the best mean among the moves the game allows; of equal ones
 * any with the same chance. PASS when there is no such point. */
static int best_move(int colour)
{
    int best = PASS;
    uint32_t ties = 0;
    for (int i = 0; i < board.empties; i++) {
        const int p = board.empty[i];
        if (search.hits[p] == 0 || is_eye(&board, p, colour) || !is_legal(&board, p, colour) ||
            repeats_position(p, colour))
            continue;
        /* total/hits as a fraction, compared without rounding */
        const uint64_t mine = (uint64_t)search.total[p] * search.hits[best];
        const uint64_t to_beat = (uint64_t)search.total[best] * search.hits[p];
        if (best == PASS || mine > to_beat)
            ties = 0;
        if (mine >= to_beat && rng_below(++ties) == 0) /* the k-th equal wins with chance 1/k */
            best = p;
    }
    return best;
}

/* Clauses: G5. */
/* ---- 6. The Go Text Protocol, version 2 ------------------------------------ */

static const char LETTERS[] = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; /* no I */

/* These look at bytes as ASCII whatever the locale says. */
static int all_digits(const char *s) { return *s && !s[strspn(s, "0123456789")]; }
static int upper(char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }

static int same_word(const char *a, const char *b) /* in any letter case */
{
    for (; *a && upper(*a) == upper(*b); b++)
        a++;
    return *a == *b;
}

/* Clauses: G5, G6, G8. */
static int parse_colour(const char *s) /* 0 if it is not one */
{
    const int black = same_word(s, "b") || same_word(s, "black");
    return black ? BLACK : same_word(s, "w") || same_word(s, "white") ? WHITE : 0;
}

/* Clauses: G5, R1. */
/* A vertex such as D4: 0 if it is not one, else 1. *p is its cell, PASS for a
 * pass, or -1 for a vertex that this board does not have. */
static int parse_vertex(const char *s, int *p)
{
    const char *letter = memchr(LETTERS, upper(*s), sizeof LETTERS - 1);
    *p = PASS;
    if (same_word(s, "pass"))
        return 1;
    if (!letter || !all_digits(s + 1))
        return 0;
    const int column = (int)(letter - LETTERS);
    const long number = strtol(s + 1, NULL, 10); /* a huge one becomes LONG_MAX: off the board */
    *p = column < size && number >= 1 && number <= size ? cell_at(column, size - (int)number) : -1;
    return 1;
}

/* Clauses: G10, G11. */
/* A plain decimal number; strtod alone would also take "inf", "nan" and hex. */
static int parse_number(const char *s, double *value)
{
    char *end;
    const double d = strtod(s, &end);
    if (end == s || *end || s[strspn(s, "0123456789+-.eE")] || !isfinite(d))
        return 0;
    *value = d;
    return 1;
}

/* Clauses: G1, G2, G9, G13, N1, N2, N4. */
/* Every command is a function that reads `arg`, fills `answer` and returns NULL,
 * or returns the text of an error and changes nothing. */
static const char *arg[2];
static char answer[2048];
static int quitting;
static const char *say(const char *text) { return strcpy(answer, text), NULL; }
static const char *do_name(void) { return say("refbot-c"); }
static const char *do_protocol_version(void) { return say("2"); }
static const char *do_version(void) { return say("1.0"); }
static const char *do_clear_board(void) { return new_game(size), NULL; }
static const char *do_quit(void) { return quitting = 1, NULL; }
static const char *do_ref_nodes(void) { return sprintf(answer, "%" PRIu64, search.nodes), NULL; }
static const char *do_ref_playouts(void) { return sprintf(answer, "%" PRIu64, playouts), NULL; }
static const char *do_ref_score(void) { return sprintf(answer, "%.9f", search.result / 2. / playouts), NULL; }

/* Clauses: G9, G10. */
static const char *do_boardsize(void)
{
    const long n = strtol(arg[0], NULL, 10);
    if (!all_digits(arg[0] + (*arg[0] == '-')))
        return "syntax error";
    if (n < MIN_SIZE || n > MAX_SIZE)
        return "unacceptable size";
    new_game((int)n);
    return NULL;
}

/* Clauses: G11, R5. */
static const char *do_komi(void)
{
    return parse_number(arg[0], &komi) ? NULL : "syntax error";
}

/* Clauses: G5, G6. */
static const char *do_play(void)
{
    const int colour = parse_colour(arg[0]);
    int p;
    if (!colour || !parse_vertex(arg[1], &p))
        return "syntax error";
    if (p < 0 || (p != PASS && (!is_legal(&board, p, colour) || repeats_position(p, colour))))
        return "illegal move";
    game_play(p, colour);
    return NULL;
}

/* Clauses: G5, G7, G8, R1, N3, R11. */
static const char *do_genmove(void)
{
    const int colour = parse_colour(arg[0]);
    if (!colour)
        return "syntax error";
    run_search(colour);
    const int p = best_move(colour);
    game_play(p, colour);
    if (p == PASS)
        return say("pass");
    sprintf(answer, "%c%d", LETTERS[p % stride - 1], size + 1 - p / stride);
    return NULL;
}

/* Clauses: G12. */
static const char *do_undo(void)
{
    if (game_moves == 0)
        return "cannot undo";
    board = history[--game_moves];
    return NULL;
}

/* Clauses: G1. */
static const char *do_showboard(void)
{
    char *t = answer;
    for (int row = -1; row <= size; row++) { /* the first and the last line are letters */
        const int rim = row < 0 || row == size;
        t += rim ? sprintf(t, "\n  ") : sprintf(t, "\n%2d", size - row);
        for (int column = 0; column < size; column++) {
            const int colour = board.colour[cell_at(column, row)];
            const char stone = colour == BLACK ? 'X' : colour == WHITE ? 'O' : '.';
            t += sprintf(t, " %c", rim ? LETTERS[column] : stone);
        }
    }
    return NULL;
}

static const char *do_known_command(void), *do_list_commands(void);

/* Clauses: G1, G4, G5, G6, G7, G9, G10, G11, G12, G13, N1, N2, N4. */
static const struct command {
    const char *name;
    int arguments; /* how many it takes: no more and no less */
    const char *(*run)(void);
} COMMANDS[] = {
    {"boardsize", 1, do_boardsize},               {"clear_board", 0, do_clear_board},
    {"genmove", 1, do_genmove},                   {"known_command", 1, do_known_command},
    {"komi", 1, do_komi},                         {"list_commands", 0, do_list_commands},
    {"name", 0, do_name},                         {"play", 2, do_play},
    {"protocol_version", 0, do_protocol_version}, {"quit", 0, do_quit},
    {"ref-nodes", 0, do_ref_nodes},               {"ref-playouts", 0, do_ref_playouts},
    {"ref-score", 0, do_ref_score},               {"showboard", 0, do_showboard},
    {"undo", 0, do_undo},                         {"version", 0, do_version},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, COMMANDS[i].name) == 0)
            return &COMMANDS[i];
    return NULL;
}

static const char *do_known_command(void) { return say(find_command(arg[0]) ? "true" : "false"); }

static const char *do_list_commands(void)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        sprintf(answer + strlen(answer), "%s%s", i ? "\n" : "", COMMANDS[i].name);
    return NULL;
}

/* Clauses: G2, G3. */
/* One line without its newline and already cleaned as GTP asks: control
 * characters dropped, tabs made spaces, comments cut. NULL at the end of input. */
static char *read_line(void)
{
    static char *line = NULL;
    static size_t room = 0;
    size_t used = 0;
    int comment = 0, c;
    if (!line)
        line = grow(NULL, room = 256);
    while ((c = getchar()) != EOF && c != '\n') {
        if (used + 1 == room)
            line = grow(line, room *= 2);
        comment |= c == '#';
        if (c == '\t')
            c = ' ';
        if (!comment && c >= ' ' && c != 127)
            line[used++] = (char)c;
    }
    if (c == EOF && used == 0)
        return NULL;
    line[used] = '\0';
    return line;
}

/* Clauses: G1, G2, G3, G4, G13. */
static void gtp_loop(void)
{
    char *line;
    while (!quitting && (line = read_line()) != NULL) {
        char *word[5]; /* an id, a name, two arguments, and one too many */
        int words = 0;
        for (char *w = strtok(line, " "); w && words < 5; w = strtok(NULL, " "))
            word[words++] = w;
        if (words == 0)
            continue; /* a blank line gets no answer */

        const int at = all_digits(word[0]); /* where the name is: after the id, if there is one */
        const struct command *command = words > at ? find_command(word[at]) : NULL;
        const char *error = command ? "syntax error" : "unknown command";
        answer[0] = '\0';
        if (command && words - at - 1 == command->arguments) {
            for (int i = 0; i < command->arguments; i++)
                arg[i] = word[at + 1 + i];
            error = command->run();
        }
        const char *text = error ? error : answer;
        printf("%c%s%s%s\n\n", error ? '?' : '=', at ? word[0] : "", *text ? " " : "", text);
        fflush(stdout); /* the other side is waiting on a pipe */
    }
}

/* Clauses: N4. */
/* ---- 7. main --------------------------------------------------------------- */

static int parse_option(const char *s, uint64_t least, uint64_t most, uint64_t *value)
{
    errno = 0;
    *value = strtoull(s, NULL, 10);
    return all_digits(s) && errno == 0 && *value >= least && *value <= most;
}

int main(int argc, char **argv)
{
    static const char usage[] = "usage: refbot-c [--playouts N] [--seed S]";
    uint64_t seed = seed_from_system();
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--help") == 0) {
            puts(usage);
            puts("  --playouts N   random games for each move, 1 to 1000000000 (default 1000)");
            puts("  --seed S       repeat the same random numbers, 0 to 2^64-1 (default: new ones)");
            return 0;
        }
        if (!(strcmp(argv[i], "--playouts") == 0 && parse_option(value, 1, 1000000000, &playouts)) &&
            !(strcmp(argv[i], "--seed") == 0 && parse_option(value, 0, UINT64_MAX, &seed))) {
            fprintf(stderr, "refbot-c: bad option: %s %s; %s\n", argv[i], value, usage);
            return 2;
        }
    }
    rng_seed(seed);
    new_game(9);
    gtp_loop();
    return 0;
}
