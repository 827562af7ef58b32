/* A GTP bot that answers at once, and thinks for so many microseconds at a genmove: quick_bot [THINK_US]. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

int main(int count, char **words) {
    static char line[65536];
    double think_us = count > 1 ? atof(words[1]) : 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t digits = strspn(line, "0123456789");
        char *command = line + digits + (digits && line[digits] == ' ');
        const char *result = "";
        if (!strncmp(command, "genmove", 7)) {
            for (double end = now_us() + think_us; think_us > 0 && now_us() < end;) {
            }
            result = " A1";
        } else if (!strncmp(command, "ref-nodes", 9)) {
            result = " 888";
        } else if (!strncmp(command, "ref-score", 9)) {
            result = " 0.5";
        }
        printf("=%.*s%s\n\n", (int)digits, line, result);
        fflush(stdout);
        if (!strncmp(command, "quit", 4)) break;
    }
    return 0;
}
