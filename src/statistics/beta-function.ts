// The logarithm of the beta function, the regularised incomplete beta function and its inverse, on which every interval
// here rests. Continued fraction and bounds: DLMF 8.17; Lanczos' approximation of the gamma function (g = 7, n = 9).

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x > 0, with a relative error below 1e-13. */
export function logGamma(x: number): number {
  requirePositive("x", x);
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  if (x > 1e7) return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x);
  const base = x - 1;
  let sum = lanczos[0] as number;
  for (let index = 1; index < lanczos.length; index++) sum += (lanczos[index] as number) / (base + index);
  const t = base + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (base + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** ln B(a, b) for a, b > 0. */
export function logBeta(a: number, b: number): number {
  const [small, large] = a < b ? [a, b] : [b, a];
  if (large < 10) return logGamma(small) + logGamma(large) - logGamma(small + large);
  return logGamma(small) + logGammaDifference(large, small);
}

/** ln Γ(x) - ln Γ(x + d) for x ≥ 10, without the cancellation of two large numbers. */
function logGammaDifference(x: number, d: number): number {
  return d - (x - 0.5) * Math.log1p(d / x) - d * Math.log(x + d) + stirling(x) - stirling(x + d);
}

/** What Stirling's formula leaves of ln Γ(x), for x ≥ 10. */
function stirling(x: number): number {
  const r = 1 / (x * x);
  return (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r * (1 / 1188 - r * (691 / 360360)))))) / x;
}

/** I_x(a, b), the probability that a Beta(a, b) variable is at most x. For a, b > 0 and x in [0, 1]. */
export function regularisedBeta(x: number, a: number, b: number): number {
  requirePositive("a", a);
  requirePositive("b", b);
  if (!(x >= 0 && x <= 1)) throw new RangeError(`x must lie in [0, 1], not ${x}`);
  return lowerTail(x, 1 - x, a, b);
}

/** `y` is 1 - x, given apart so that a small one keeps its digits. */
function lowerTail(x: number, y: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log(y) - logBeta(a, b));
  const result = x <= (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(y, b, a)) / b;
  return Math.min(1, Math.max(0, result));
}

/** The continued fraction DLMF 8.17.22, by the modified Lentz method. */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  const rounds = 500 + 20 * Math.ceil(Math.sqrt(a + b));
  for (let m = 1; m <= rounds; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const change = d * c;
    result *= change;
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return result;
}

/** The x at which I_x(a, b) = probability. Bisection and Newton steps, to the last few bits. */
export function inverseRegularisedBeta(probability: number, a: number, b: number): number {
  requirePositive("a", a);
  requirePositive("b", b);
  if (!(probability >= 0 && probability <= 1))
    throw new RangeError(`probability must lie in [0, 1], not ${probability}`);
  if (probability === 0) return 0;
  if (probability === 1) return 1;
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  const logNorm = logBeta(a, b);
  for (let round = 0; round < 1200 && high - low > Number.EPSILON * low; round++) {
    const error = lowerTail(x, 1 - x, a, b) - probability;
    if (error === 0) return x;
    if (error < 0) low = x;
    else high = x;
    const density = Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logNorm);
    const step = x - error / density;
    const isInside = density > 0 && Number.isFinite(step) && step > low && step < high;
    const next = isInside ? step : middle(low, high);
    if (isInside && Math.abs(next - x) <= Number.EPSILON * x) return next;
    if (next === x) break;
    x = next;
  }
  return x;
}

/** Halfway; far from 0 and 1 in order of magnitude too, so that quantiles near 0 are reached. */
function middle(low: number, high: number): number {
  if (low === 0) return high > 1e-3 ? high / 2 : high / 1024;
  return high / low > 4 ? Math.sqrt(low) * Math.sqrt(high) : (low + high) / 2;
}

function requirePositive(name: string, value: number): void {
  if (!(value > 0) || !Number.isFinite(value)) throw new RangeError(`${name} must be a positive number, not ${value}`);
}
