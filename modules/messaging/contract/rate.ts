/** STAT-13: two decimals, half up; `--` where there is nothing to divide by. */
export const shareOf = (part: number, whole: number): string =>
  whole === 0 ? '--' : `${(Math.round((part / whole) * 10_000) / 100).toFixed(2)}%`
