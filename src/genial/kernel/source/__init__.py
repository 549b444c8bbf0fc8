"""The kernel's source: functions that numba compiles, to build the library from, to study and to change."""
