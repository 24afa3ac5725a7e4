/** Whole numbers to two decimals, half up; undefined where there is nothing to divide by (STAT-13). */
export function formatPercent(numerator: number, denominator: number): string | undefined {
  if (denominator <= 0) return undefined
  const doubled = BigInt(Math.abs(numerator)) * 20_000n
  const hundredths = (doubled + BigInt(denominator)) / (BigInt(denominator) * 2n)
  const sign = numerator < 0 && hundredths > 0n ? '-' : ''
  return `${sign}${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}%`
}
