"""Published algorithms, kept to compare with: CETR, CCB, DSC, LQF and DANAg. No chain for crawls uses them.

In here: `cetr`, `ccb`, `dsc`, `lqf` and `danag` are one algorithm each, `ratios` is what several of them compute. Start
with `ratios`.
"""
