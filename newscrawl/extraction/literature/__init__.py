"""Published algorithms, kept to compare with: CETR, CCB, DSC, LQF and DANAg. No chain for crawls uses them."""
