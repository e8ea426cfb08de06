/* A version of a program that evaluates sequences of inputs one after the other, each in a process
 * of its own that was made when everything was loaded. What a sequence costs is the number of basic
 * blocks that are executed: they are counted by code that the compiler puts there
 * (-fsanitize-coverage), so that a count is exact and takes milliseconds.
 *
 * On standard input a line for each sequence: the numbers of its inputs. On standard output a line
 * for each: its cost, or "rejected", "crashed" or "hung". The one argument is the file of inputs,
 * one a line. */
#ifndef SERVED_H
#define SERVED_H

#ifdef __cplusplus
extern "C" {
#endif

/* What a program brings: to get ready once, to take one input (0 where it rejects it), and to end.
 */
void prepare(void);
int take(const char* input);
int conclude(void);

#ifdef __cplusplus
}
#endif

#endif
