"""Published algorithms for comparison: CETR, CCB, DSC, LQF and DANAg. No chain for crawls uses them.

In here: `cetr`, `ccb`, `dsc`, `lqf` and `danag` are one algorithm each; `ratios` has what several of them compute.
Start with `ratios`.
"""
