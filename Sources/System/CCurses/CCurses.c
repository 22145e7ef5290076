/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE_EXTENDED 1
#define _GNU_SOURCE 1
#define NCURSES_WIDECHAR 1
#include "CCurses.h"

#include <curses.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

static SCREEN *screen;
static int has_palette;
static int has_window; /* the terminal reports when its window is used */

static int has_capability(const char *name) {
    const char *sequence = tigetstr(name);
    return sequence != NULL && sequence != (const char *)-1;
}

static int wants_drags;

static void report(const char *sequence) {
    if (!has_window) return;
    ssize_t written = write(STDOUT_FILENO, sequence, strlen(sequence));
    (void)written;
}

/* The focus of the window, and pasted text as such. */
static void report_focus(int on) { report(on ? "\033[?1004h\033[?2004h" : "\033[?2004l\033[?1004l"); }

/* The end of one way to report the mouse may end the other one, too. */
static void report_drags(int on) { report(on ? "\033[?1002h" : "\033[?1002l\033[?1000h"); }

void ccurses_report_drags(int on) {
    if (on == wants_drags) return;
    wants_drags = on;
    if (screen != NULL && !isendwin()) report_drags(on);
}

static struct termios mode_before;

/* Gives the terminal back before the program dies of its own defect. */
static void crashed(int number) {
    static const char sequences[] = "\033[?2004l\033[?1004l\033[?1006l\033[?1002l\033[?1000l\033[?1l\033>\033[?1049l\033[?25h\033[0m\r\n";
    if (screen != NULL) {
        ssize_t written = write(STDOUT_FILENO, sequences, sizeof sequences - 1);
        (void)written;
        tcsetattr(STDIN_FILENO, TCSANOW, &mode_before);
    }
    raise(number); /* SA_RESETHAND: as if nobody had caught it */
}

static void guard_against_crashes(void) {
    static const int numbers[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = crashed;
    action.sa_flags = (int)SA_RESETHAND | SA_NODEFER;
    for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; index++) sigaction(numbers[index], &action, NULL);
}

int ccurses_open(int wants_colours) {
    tcgetattr(STDIN_FILENO, &mode_before);
    screen = newterm(NULL, stdout, stdin);
    if (screen == NULL) return -1;
    if (!has_capability("cup") || !has_capability("clear")) {
        ccurses_close();
        return -1;
    }
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    /* A refresh would end early while keys wait, which ncurses does not read here. */
    typeahead(-1);
    curs_set(0);
    has_palette = wants_colours && has_colors();
    if (has_palette) {
        start_color();
        use_default_colors();
    }
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    has_window = has_capability("kmous");
    report_focus(1);
    guard_against_crashes();
    return has_palette ? COLORS : 0;
}

void ccurses_leave(void) {
    if (screen == NULL) return;
    if (wants_drags) report_drags(0);
    report_focus(0);
    endwin();
}

void ccurses_close(void) {
    if (screen == NULL) return;
    if (!isendwin()) ccurses_leave();
    delscreen(screen);
    screen = NULL;
}

void ccurses_abandon(void) { screen = NULL; }

void ccurses_size(int *rows, int *columns) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        *rows = size.ws_row;
        *columns = size.ws_col;
    } else {
        *rows = LINES > 0 ? LINES : 24;
        *columns = COLS > 0 ? COLS : 80;
    }
}

void ccurses_resize(int rows, int columns) { resizeterm(rows, columns); }

void ccurses_erase(void) { werase(stdscr); }

void ccurses_put(int row, int column, const char *character, int attributes, int foreground, int background) {
    wchar_t wide[CCHARW_MAX + 1];
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t count = mbsrtowcs(wide, &character, CCHARW_MAX, &state);
    if (count == (size_t)-1 || count == 0) return;
    wide[count < CCHARW_MAX ? count : CCHARW_MAX] = L'\0';
    attr_t attribute = A_NORMAL;
    if (attributes & CCURSES_BOLD) attribute |= A_BOLD;
    if (attributes & CCURSES_FAINT) attribute |= A_DIM;
    if (attributes & CCURSES_REVERSE) attribute |= A_REVERSE;
    if (attributes & CCURSES_UNDERLINE) attribute |= A_UNDERLINE;
    int pair = 0;
    if (has_palette && (foreground >= 0 || background >= 0)) {
        if (foreground >= COLORS) foreground = -1;
        if (background >= COLORS) background = -1;
        pair = alloc_pair(foreground, background);
        if (pair < 0) pair = 0;
    }
    cchar_t cell;
    if (setcchar(&cell, wide, attribute, 0, &pair) == OK) mvwadd_wch(stdscr, row, column, &cell);
}

void ccurses_show(void) {
    int was_left = isendwin();
    wnoutrefresh(stdscr);
    doupdate();
    if (!was_left) return;
    report_focus(1);
    if (wants_drags) report_drags(1);
}

void ccurses_forget(void) { clearok(curscr, TRUE); }
