/* A GTP bot that plays a whole legal game of 9x9 without thinking: 18 stones on its own side, then passes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    static char line[65536];
    int own = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t digits = strspn(line, "0123456789");
        char *command = line + digits + (digits && line[digits] == ' ');
        char result[16] = "";
        if (!strncmp(command, "clear_board", 11)) {
            own = 0;
        } else if (!strncmp(command, "genmove", 7)) {
            const char *columns = command[8] == 'b' ? "AB" : "HJ";
            if (own < 18) {
                snprintf(result, sizeof result, " %c%d", columns[own / 9], own % 9 + 1);
            } else {
                strcpy(result, " pass");
            }
            own++;
        } else if (!strncmp(command, "list_commands", 13)) {
            strcpy(result, " genmove");
        } else if (!strncmp(command, "protocol_version", 16)) {
            strcpy(result, " 2");
        }
        printf("=%.*s%s\n\n", (int)digits, line, result);
        fflush(stdout);
        if (!strncmp(command, "quit", 4)) break;
    }
    return 0;
}
