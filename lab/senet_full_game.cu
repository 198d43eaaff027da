// The sweeps of senet_full_game.py for a GPU: Senet's moves, the ranking of positions and the
// update of a position, as in games/senet/fast (moves.py, search.py) and in senet_solver.py, which
// describe each function. Tests compile this file as C++, too, and compare the tables.
//
// RULES is defined by whoever compiles: 0 is Kendall, 1 is Skyruk.

typedef unsigned int Mask;
typedef unsigned int Value;
typedef long long Number;

#ifdef __CUDACC__
#define CODE __device__ __forceinline__
#define COUNT __popc
#else
#define CODE static inline
#define COUNT __builtin_popcount
#endif

#define HOUSES 30
#define BIT(house) (1u << ((house) - 1))
#define HAPPINESS BIT(26)
#define WATER BIT(27)
#define THREE_TRUTHS BIT(28)
#define RE_ATUM BIT(29)
#define RE_HORAKHTY BIT(30)
#define REBIRTH BIT(15)
#define SAFE (REBIRTH | HAPPINESS | WATER | THREE_TRUTHS | RE_ATUM | RE_HORAKHTY)
#define BOARD (BIT(31) - 1)
#define OFF BIT(31)
#define BACKWARD BIT(32)
#define RACE (HAPPINESS - 1)
#define IS_KENDALL (RULES == 0)
#define CLOSED (IS_KENDALL ? WATER : 0)

#define MOST 5
#define SIZES (MOST + 1)
#define CHUNK 10
#define IN_CHUNK ((1u << CHUNK) - 1)
#define RANKS ((1 + 2 * MOST) << CHUNK)  // the next number, read for an empty chunk, is 0
#define CERTAIN 0xFFFFFFFFll

// Where things are in the table.
struct Layout {
    const int *ranks;      // [RANKS + 1]: of the masks in each chunk, see senet_full_game.py
    const Number *starts;  // [SIZES * SIZES]: of each part, own dancers first
    const int *columns;    // [SIZES * SIZES]: positions for each mask of the player about to throw
};

CODE int rank_of(Mask mask, Mask closed, const int *ranks) {
    while (closed) {
        Mask lowest = closed & -closed;
        Mask low = mask & (lowest - 1);
        mask = low | ((mask ^ low) >> 1);
        closed = (closed ^ lowest) >> 1;
    }
    Mask first = mask & IN_CHUNK, second = mask >> CHUNK & IN_CHUNK;
    int before = COUNT(first), later = before + COUNT(second);
    return ranks[first] + ranks[((1 + before) << CHUNK) + second]
         + ranks[((1 + MOST + later) << CHUNK) + (mask >> 2 * CHUNK)];
}

CODE Number number_of(Mask own, Mask opponent, const Layout &layout) {
    int part = COUNT(own) * SIZES + COUNT(opponent);
    Number row = rank_of(own, CLOSED, layout.ranks);
    return layout.starts[part] + row * layout.columns[part]
         + rank_of(opponent, CLOSED | own, layout.ranks);
}

CODE Mask spread(Mask mask, Mask closed) {
    while (closed) {
        Mask lowest = closed & -closed;
        Mask low = mask & (lowest - 1);
        mask = low | ((mask ^ low) << 1);
        closed ^= lowest;
    }
    return mask;
}

template <int STEPS, bool IS_BACKWARD>
CODE Mask blocked_by(Mask opponent) {
    const int shortest = IS_KENDALL ? 3 : 2;
    Mask blocked = 0;
    if (STEPS > shortest && (opponent & (opponent >> 1))) {
        Mask firsts = opponent & ~(opponent << 1);
        for (int length = shortest; length < STEPS; length++) {
            Mask found = firsts & ~(opponent >> length);
            for (int step = 1; step < length; step++) found &= opponent >> step;
            for (int distance = 1; distance <= STEPS - length; distance++)
                blocked |= IS_BACKWARD ? found << (length - 1 + distance) : found >> distance;
        }
    }
    return blocked;
}

template <int STEPS>
CODE Mask stopping(Mask own, Mask opponent) {
    Mask starts = own & RACE & ~((HAPPINESS >> STEPS) - 1);
    Mask pairs = opponent & (opponent >> 1) & RACE;
    while (starts && pairs > (starts & -starts)) starts &= starts - 1;
    return starts;
}

template <int STEPS>
CODE Mask leaving(Mask own, Mask opponent) {
    Mask starts = STEPS == 3 ? own & THREE_TRUTHS : STEPS == 2 ? own & RE_ATUM : 0;
    if (!IS_KENDALL) {
        starts |= own & RE_HORAKHTY;
        return STEPS <= 4 ? starts | (own & WATER) : starts;
    }
    if (STEPS == 1) starts = own & RE_HORAKHTY;
    bool is_free = STEPS == 1 || STEPS == 5 || !((own | opponent) & (HAPPINESS << STEPS));
    return own & HAPPINESS && is_free ? starts | HAPPINESS : starts;
}

template <int STEPS>
CODE Mask forward(Mask own, Mask opponent, Mask open) {
    if (!IS_KENDALL && own & HAPPINESS) return HAPPINESS;
    const Mask reach = RACE | (IS_KENDALL ? HAPPINESS : 0);
    Mask starts = own & RACE & ((open & reach) >> STEPS);
    if (starts) starts &= ~blocked_by<STEPS, false>(opponent);
    if (!IS_KENDALL && !(opponent & HAPPINESS)) starts |= stopping<STEPS>(own, opponent);
    if (own & ~RACE) starts |= leaving<STEPS>(own, opponent);
    return starts;
}

template <int STEPS>
CODE Mask movers(Mask own, Mask opponent) {
    Mask above = opponent << 1, below = opponent >> 1;
    Mask safe = SAFE | (IS_KENDALL ? above | below : above ^ below);
    Mask open = BOARD & ~own & ~(opponent & safe);
    Mask starts = forward<STEPS>(own, opponent, open);
    if (starts) return starts;
    starts = own & RACE & (open << STEPS);
    if (starts) starts &= ~blocked_by<STEPS, true>(opponent);
    return starts ? starts | BACKWARD : 0;
}

CODE Mask reborn(Mask occupied) {
    Mask house = REBIRTH;
    while (occupied & house) house >>= 1;
    return house;
}

template <int STEPS>
CODE Mask from_happiness(Mask occupied) {
    if (STEPS == 5) return OFF;
    Mask end = HAPPINESS << STEPS;
    if (IS_KENDALL) return STEPS == 1 ? reborn(occupied) : end;
    if (occupied & end) end = WATER;
    return occupied & end ? reborn(occupied) : end;
}

template <int STEPS>
CODE Mask end_of(Mask own, Mask opponent, Mask start, Mask backward) {
    if (backward) return start >> STEPS;
    if (start < HAPPINESS) {
        Mask end = start << STEPS;
        return end > HAPPINESS ? HAPPINESS : end;
    }
    if (start == HAPPINESS) return from_happiness<STEPS>(own | opponent);
    if (start == WATER && STEPS != 4) return reborn(own | opponent);
    return OFF;
}

template <int STEPS>
CODE void add_throw(Mask own, Mask opponent, const Value *values, const Layout &layout,
                    Number &total, int &passes) {
    const int falls = STEPS == 1 || STEPS == 3 ? 4 : STEPS == 2 ? 6 : 1;
    Mask moving = movers<STEPS>(own, opponent);
    if (!moving) {
        passes += falls;
        return;
    }
    Value best = 0;
    Mask backward = moving & BACKWARD, dancers = moving & BOARD;
    while (dancers) {
        Mask start = dancers & -dancers;
        dancers ^= start;
        Mask end = end_of<STEPS>(own, opponent, start, backward);
        Mask own_after = (own ^ start) | (end & BOARD);
        Mask opponent_after = opponent & end ? opponent ^ (end | start) : opponent;
        if (!own_after) {
            best = (Value)CERTAIN;
            break;
        }
        bool again = STEPS == 1 || STEPS >= 4 || (!IS_KENDALL && end == HAPPINESS);
        Mask first = again ? own_after : opponent_after;
        Value value = values[number_of(first, own_after ^ opponent_after ^ first, layout)];
        if (!again) value = (Value)CERTAIN - value;
        if (value > best) best = value;
    }
    total += (Number)falls * best;
}

CODE void add_throws(Mask own, Mask opponent, const Value *values, const Layout &layout,
                     Number &total, int &passes) {
    add_throw<1>(own, opponent, values, layout, total, passes);
    add_throw<2>(own, opponent, values, layout, total, passes);
    add_throw<3>(own, opponent, values, layout, total, passes);
    add_throw<4>(own, opponent, values, layout, total, passes);
    add_throw<5>(own, opponent, values, layout, total, passes);
}

CODE Value distance(Number one, Number other) {
    return (Value)(one > other ? one - other : other - one);
}

// Returns the larger change of the position and its mirror image.
CODE Value update(Mask own, Mask opponent, Number at, Value *values, const Layout &layout) {
    if (opponent > own && COUNT(opponent) == COUNT(own)) return 0;
    Number mirror = number_of(opponent, own, layout);
    Number moving = 0, opponent_moving = 0;
    int passes = 0, opponent_passes = 0;
    add_throws(own, opponent, values, layout, moving, passes);
    add_throws(opponent, own, values, layout, opponent_moving, opponent_passes);
    Number numerator = 16 * (moving + passes * CERTAIN);
    numerator -= passes * (opponent_moving + opponent_passes * CERTAIN);
    Number denominator = 256 - passes * opponent_passes;
    Number value = (numerator + denominator / 2) / denominator;
    Number opponent_value = (opponent_moving + opponent_passes * (CERTAIN - value) + 8) / 16;
    Value change = distance(value, values[at]);
    Value opponent_change = distance(opponent_value, values[mirror]);
    values[at] = (Value)value;
    values[mirror] = (Value)opponent_value;
    return change > opponent_change ? change : opponent_change;
}

// A tile is as much of a row of a part as TILE columns. The most advanced dancers come first.
#define TILE 512

struct Sweep {
    Number first;           // the index of the part's first position
    const Mask *owns;       // [rows], without the closed house
    const Mask *opponents;  // [columns], also without the houses of the player about to throw
    int columns, tiles;     // of a row
};

CODE Value update_column(Value *values, const Layout &layout, const Sweep &sweep, Number row,
                         Mask own, int column) {
    Mask opponent = spread(sweep.opponents[column], CLOSED | own);
    return update(own, opponent, sweep.first + row * sweep.columns + column, values, layout);
}

#ifdef __CUDACC__

extern "C" __global__ void __launch_bounds__(512, 3)
sweep_part(Value *values, const int *ranks, const Number *starts, const int *columns_of,
           Number first, const Mask *owns, const Mask *opponents, int columns, int tiles,
           Value *change) {
    __shared__ int near_ranks[RANKS + 1], near_columns[SIZES * SIZES];
    __shared__ Number near_starts[SIZES * SIZES];
    __shared__ Value largest;
    const Sweep sweep = {first, owns, opponents, columns, tiles};
    Number tile = (Number)gridDim.x - 1 - blockIdx.x;
    for (int at = threadIdx.x; at <= RANKS; at += blockDim.x) near_ranks[at] = ranks[at];
    if (threadIdx.x < SIZES * SIZES) {
        near_starts[threadIdx.x] = starts[threadIdx.x];
        near_columns[threadIdx.x] = columns_of[threadIdx.x];
    }
    if (threadIdx.x == 0) largest = 0;
    __syncthreads();
    const Layout layout = {near_ranks, near_starts, near_columns};
    Number row = tile / tiles;
    int lowest = (int)(tile % tiles) * TILE;
    int highest = min(lowest + TILE, columns) - 1;
    Mask own = spread(owns[row], CLOSED);
    Value found = 0;
    for (int column = highest - (int)threadIdx.x; column >= lowest; column -= blockDim.x)
        found = max(found, update_column(values, layout, sweep, row, own, column));
    found = __reduce_max_sync(0xFFFFFFFFu, found);
    if (threadIdx.x % 32 == 0) atomicMax(&largest, found);
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(change, largest);
}

#else

extern "C" void sweep_part(Value *values, const int *ranks, const Number *starts,
                           const int *columns_of, Number first, const Mask *owns,
                           const Mask *opponents, int columns, int tiles, Value *change,
                           Number count) {
    const Layout layout = {ranks, starts, columns_of};
    const Sweep sweep = {first, owns, opponents, columns, tiles};
    for (Number tile = count - 1; tile >= 0; tile--) {
        Number row = tile / tiles;
        int lowest = (int)(tile % tiles) * TILE, highest = lowest + TILE;
        if (highest > columns) highest = columns;
        Mask own = spread(owns[row], CLOSED);
        for (int column = highest - 1; column >= lowest; column--) {
            Value found = update_column(values, layout, sweep, row, own, column);
            if (found > *change) *change = found;
        }
    }
}

#endif
