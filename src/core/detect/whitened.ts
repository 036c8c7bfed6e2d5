/**
 * A series under first-order autoregressive noise: generalised least squares of level shifts and clamped ramps in constant time each, by sums over the whitened series
 * v₀ = √(1 − ρ²)·z₀, vₜ = zₜ − ρ·zₜ₋₁ (Prais and Winsten 1954).
 */
export class Whitened {
  readonly n: number;
  /** 1 − ρ: what a constant becomes. */
  readonly c: number;
  /** Weighted squares of the whitened constant, and of it with the series. */
  readonly oneOne: number;
  readonly oneZ: number;
  readonly zz: number;
  /** Sums in front of each position of w, w·t, w·t², w·v, w·v·t; from position 1 on. */
  private readonly s0: Float64Array;
  private readonly s1: Float64Array;
  private readonly s2: Float64Array;
  private readonly sv: Float64Array;
  private readonly sv1: Float64Array;

  constructor(
    readonly z: Float64Array,
    readonly rho: number,
    /** Of each innovation: 1 / its variance, relative. */
    weight?: Float64Array,
  ) {
    const n = z.length;
    this.n = n;
    this.c = 1 - rho;
    const w0 = (weight?.[0] ?? 1) * (1 - rho * rho);
    this.s0 = new Float64Array(n + 1);
    this.s1 = new Float64Array(n + 1);
    this.s2 = new Float64Array(n + 1);
    this.sv = new Float64Array(n + 1);
    this.sv1 = new Float64Array(n + 1);
    const z0 = z[0] ?? 0;
    let zz = w0 * z0 * z0;
    let before = z0;
    for (let t = 1; t < n; t++) {
      const own = z[t] ?? 0;
      const w = weight?.[t] ?? 1;
      const v = own - rho * before;
      before = own;
      this.s0[t + 1] = (this.s0[t] ?? 0) + w;
      this.s1[t + 1] = (this.s1[t] ?? 0) + w * t;
      this.s2[t + 1] = (this.s2[t] ?? 0) + w * t * t;
      this.sv[t + 1] = (this.sv[t] ?? 0) + w * v;
      this.sv1[t + 1] = (this.sv1[t] ?? 0) + w * v * t;
      zz += w * v * v;
    }
    this.zz = zz;
    this.oneOne = w0 + this.c * this.c * (this.s0[n] ?? 0);
    this.oneZ = w0 * z0 + this.c * (this.sv[n] ?? 0);
  }

  /** Squared innovations that a constant leaves. */
  get constantRss(): number {
    return this.zz - (this.oneZ * this.oneZ) / this.oneOne;
  }

  /** Inner products of clamp(t, k1, k2) − k1 with itself, the constant and the series. */
  ramp(k1: number, k2: number): { bb: number; b1: number; bz: number } {
    const { c, rho, n, s0, s1, s2, sv, sv1 } = this;
    const L = k2 - k1;
    // Inside: c·(t − k1) + ρ; behind: c·L.
    const w = (s0[k2 + 1] ?? 0) - (s0[k1 + 1] ?? 0);
    const wt = (s1[k2 + 1] ?? 0) - (s1[k1 + 1] ?? 0) - k1 * w;
    const wtt = (s2[k2 + 1] ?? 0) - (s2[k1 + 1] ?? 0) - 2 * k1 * ((s1[k2 + 1] ?? 0) - (s1[k1 + 1] ?? 0)) + k1 * k1 * w;
    const v = (sv[k2 + 1] ?? 0) - (sv[k1 + 1] ?? 0);
    const vt = (sv1[k2 + 1] ?? 0) - (sv1[k1 + 1] ?? 0) - k1 * v;
    const behind = (s0[n] ?? 0) - (s0[k2 + 1] ?? 0);
    const vBehind = (sv[n] ?? 0) - (sv[k2 + 1] ?? 0);
    const tail = c * L;
    return {
      bb: c * c * wtt + 2 * c * rho * wt + rho * rho * w + tail * tail * behind,
      b1: c * (c * wt + rho * w) + c * tail * behind,
      bz: c * vt + rho * v + tail * vBehind,
    };
  }

  /** The same of a level that is higher in (a, b]. */
  box(a: number, b: number): { bb: number; b1: number; bz: number } {
    const { c, rho, n, s0, sv } = this;
    // At a + 1: 1; inside: c; at b + 1: −ρ.
    const first = (s0[a + 2] ?? 0) - (s0[a + 1] ?? 0);
    const inside = (s0[b + 1] ?? 0) - (s0[a + 2] ?? 0);
    const after = b + 1 < n ? (s0[b + 2] ?? 0) - (s0[b + 1] ?? 0) : 0;
    const vFirst = (sv[a + 2] ?? 0) - (sv[a + 1] ?? 0);
    const vInside = (sv[b + 1] ?? 0) - (sv[a + 2] ?? 0);
    const vAfter = b + 1 < n ? (sv[b + 2] ?? 0) - (sv[b + 1] ?? 0) : 0;
    return {
      bb: first + c * c * inside + rho * rho * after,
      b1: c * first + c * c * inside - rho * c * after,
      bz: vFirst + c * vInside - rho * vAfter,
    };
  }
}
