/* The subcommands: each takes its arguments after its own name in argv[0] and returns the program's exit status. */
#pragma once

int tac_command_new(int argc, char **argv);
int tac_command_check(int argc, char **argv);
int tac_command_mesh(int argc, char **argv);
int tac_command_bake(int argc, char **argv);
int tac_command_run(int argc, char **argv);
int tac_command_view(int argc, char **argv);
int tac_command_devices(int argc, char **argv);
int tac_command_replay(int argc, char **argv);
int tac_command_info(int argc, char **argv);
int tac_command_solve(int argc, char **argv);
int tac_command_bench(int argc, char **argv);
