/* SPDX-License-Identifier: Apache-2.0 */
/* A full screen of a terminal: ncurses behind functions without macros, for output only. (Its input waits in the
 * middle of a mouse event, whatever nodelay says.)
 *
 * One thread uses it. Of the functions that draw, only ccurses_show touches the terminal: it writes what differs
 * from the screen before, and waits for a terminal that takes nothing. The caller has set LC_CTYPE to an encoding
 * of Unicode, reads the keys, and handles SIGWINCH, SIGTSTP and the signals that end a program. */
#ifndef CCURSES_H
#define CCURSES_H

enum { CCURSES_BOLD = 1, CCURSES_FAINT = 2, CCURSES_REVERSE = 4, CCURSES_UNDERLINE = 8 };

/* Takes over the terminal at the standard input and output. Returns the number of its colours, at least 0, or -1 if TERM names none
 * that can show a full screen. */
int ccurses_open(int wants_colours);
/* Gives the terminal back as it was; ccurses_show takes it again. */
void ccurses_leave(void);
void ccurses_close(void);
/* Forgets the terminal without touching it. */
void ccurses_abandon(void);
/* Lets the terminal report the mouse while its button is down, or only presses. */
void ccurses_report_drags(int on);
/* Asks the terminal for its size. */
void ccurses_size(int *rows, int *columns);
void ccurses_resize(int rows, int columns);
/* Empties the screen to come. */
void ccurses_erase(void);
/* Writes a character in UTF-8; colours are indexes of the palette, or -1 for the terminal's own. */
void ccurses_put(int row, int column, const char *character, int attributes, int foreground, int background);
void ccurses_show(void);
/* Forgets what the terminal shows, so that everything is written again. */
void ccurses_forget(void);
#endif
