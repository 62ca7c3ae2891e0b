/* A small open-addressing hash table and a tokenizer that fills it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "table.h"

#define MIN_SLOTS 8u
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#ifdef DEBUG
#define TRACE(...) fprintf(stderr, __VA_ARGS__)
#else
#define TRACE(...) ((void)0)
#endif

typedef unsigned long hash_t;
typedef int (*compare_fn)(const void *left, const void *right);

enum state { EMPTY, USED = 4, DELETED };

struct entry {
    const char *key;
    size_t len;
    hash_t hash;
    enum state state : 2;
    union {
        int64_t number;
        double real;
        void *pointer;
    } value;
};

typedef struct table {
    struct entry *slots;
    size_t used, capacity;
    struct { unsigned probes, resizes; } stats;
} table_t;

static const char *const names[] = { "empty", [USED] = "used", "deleted" };
extern int verbose;
static volatile bool interrupted = false;

static inline hash_t hash_bytes(const char *bytes, size_t len) {
    hash_t hash = 5381UL;
    for (size_t i = 0; i < len; i++)
        hash = ((hash << 5) + hash) ^ (unsigned char)bytes[i];
    return hash;
}

int table_init(table_t *table, size_t capacity) {
    if (table == NULL || capacity > SIZE_MAX / sizeof(struct entry)) {
        return -1;
    }
    memset(table, 0, sizeof *table);
    table->capacity = MAX(capacity, MIN_SLOTS);
    table->slots = calloc(table->capacity, sizeof(*table->slots));
    return table->slots ? 0 : -1;
}

static struct entry *probe(const table_t *table, const char *key, size_t len) {
    hash_t hash = hash_bytes(key, len);
    size_t at = hash % table->capacity;
    do {
        struct entry *slot = &table->slots[at];
        if (slot->state == EMPTY || (slot->hash == hash && !strncmp(slot->key, key, len)))
            return slot;
        at = (at + 1) % table->capacity;
    } while (true);
}

bool table_set(table_t *table, const char *key, int64_t number)
{
    struct entry *slot;

    if (table->used * 4 >= table->capacity * 3 && table_grow(table) != 0)
        goto fail;
    slot = probe(table, key, strlen(key));
    slot->key = key;
    slot->len = strlen(key);
    slot->state = USED;
    slot->value.number = number;
    table->used += 1;
    return true;
fail:
    TRACE("cannot grow beyond %zu\n", table->capacity);
    return false;
}

static int by_key(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    return strcmp(a->key, b->key);
}

void table_print(table_t *table, FILE *out) {
    struct entry copy[64] = {0};
    size_t count = 0;
    for (size_t i = 0; i < table->capacity && count < 64; ++i) {
        if (table->slots[i].state != USED)
            continue;
        copy[count++] = table->slots[i];
    }
    qsort(copy, count, sizeof copy[0], by_key);
    while (count-- > 0) {
        fprintf(out, "%s = %lld\n", copy[count].key, (long long)copy[count].value.number);
    }
}

static int next_token(const char **cursor, char *word, size_t room) {
    int c;
    while ((c = **cursor) == ' ' || c == '\t')
        (*cursor)++;
    switch (c) {
    case '\0':
        return 0;
    case '+':
    case '-': {
        word[0] = (char)c;
        word[1] = '\0';
        break;
    }
    default:
        snprintf(word, room, "%.*s", (int)strcspn(*cursor, " \t+-"), *cursor);
    }
    *cursor += strlen(word);
    return c & 0x7f;
}

int main(int argc, char **argv) {
    table_t table;
    char word[32];
    const char *text = argc > 1 ? argv[1] : "one two one";

    if (table_init(&table, 16) < 0) {
        perror("table_init");
        return EXIT_FAILURE;
    } else if (verbose) {
        printf("%s" "\n", names[table.slots[0].state]);
    }
    for (;;) {
        if (!next_token(&text, word, sizeof(word)) || interrupted)
            break;
        table_set(&table, strdup(word), ~(int64_t)table.used | 1);
    }
    table_print(&table, stdout);
    free(table.slots);
    return EXIT_SUCCESS;
}
