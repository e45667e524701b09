"""Published algorithms for comparison: CETR, DANAg, DSC, LQF and CCB. No chain for crawls uses them.

In here: `ratios` judges lines, `ccb` blurs text and code. Start with `ratios`.
"""
