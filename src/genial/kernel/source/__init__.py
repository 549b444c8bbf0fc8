"""The kernel's source: functions for numba to compile, to build the library from, to study and to change."""
