int sub_c(int x) { return x * 2; }
