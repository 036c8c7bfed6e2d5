/** The values of the keys that were used last. */
export class LastUsed<Value> {
  private readonly values = new Map<string, Value>();

  /** @param most the number of values that stay in memory */
  constructor(private readonly most: number) {}

  get(key: string, make: () => Value): Value {
    const value = this.values.get(key) ?? make();
    this.values.delete(key);
    this.values.set(key, value);
    for (const oldest of this.values.keys()) {
      if (this.values.size <= this.most) break;
      this.values.delete(oldest);
    }
    return value;
  }
}
