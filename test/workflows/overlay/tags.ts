/** What a packet asks the back ends of tests and benches to do. */
export const tags = {
  /** Send the values back. */
  echo: 100,
  /** Send the rank. */
  rank: 101,
  /** Send a mean and its weight. */
  mean: 102,
  /** Send so many packets, as fast as the stream has room. */
  flood: 103,
  /** The same, each in a write of its own. */
  floodOneByOne: 104,
  /** The same, with so many bytes each. */
  floodBytes: 105,
};
