export interface AgeBucket {
  /** Days overdue, both ends included; without one the bucket is open there. */
  readonly from?: number
  readonly to?: number
}

/** AGE-1 as a clerk who calls people needs it: not due (0 days or less), then by thirty days. */
export const ageBuckets = {
  notDue: { to: 0 },
  days30: { from: 1, to: 30 },
  days60: { from: 31, to: 60 },
  days90: { from: 61, to: 90 },
  over90: { from: 91 },
} as const satisfies Readonly<Record<string, AgeBucket>>

const shownNames = 3

/** `2-1-101、2-1-102、2-1-103 等 5 个`; `count` is of all, of which the first names are given. */
export const shortenNames = (names: readonly string[], count: number): string =>
  count > shownNames
    ? `${names.slice(0, shownNames).join('、')} 等 ${count} 个`
    : names.slice(0, shownNames).join('、')
