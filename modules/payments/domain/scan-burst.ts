/** What a scanner has typed so far: it types like a keyboard, faster than a hand, and ends with Enter. */
export interface ScanBurst {
  readonly text: string
  readonly lastAt: number
  /** How many gaps were too long but for the page that was busy. */
  readonly excusedGaps: number
}

/** A hand needs more than this from key to key. */
export const maxKeyGapMs = 30

/** Shorter ones may be a hand that rolls over two or three keys. */
const minCodeLength = 6

/** A page that is busy again and again would make a hand look fast. */
const maxExcusedGaps = 4

const isCodeKey = (key: string): boolean => /^[\w-]$/.test(key)

/** The gap before a key, ms; `busyMs` of it the page could take no key. */
export interface KeyTime {
  readonly at: number
  readonly busyMs?: number
}

/** One key more: the burst as it goes on, or the whole code once its Enter has come. */
export function readScanKey(
  burst: ScanBurst | undefined,
  key: string,
  { at, busyMs = 0 }: KeyTime,
): { readonly burst?: ScanBurst; readonly code?: string } {
  const gap = burst ? at - burst.lastAt : Infinity
  const isExcused = gap > maxKeyGapMs && gap - busyMs <= maxKeyGapMs
  const excusedGaps = (burst?.excusedGaps ?? 0) + (isExcused ? 1 : 0)
  const isFast = burst !== undefined && (isExcused ? excusedGaps <= maxExcusedGaps : gap <= maxKeyGapMs)
  if (key === 'Enter') return isFast && burst.text.length >= minCodeLength ? { code: burst.text } : {}
  // Capitals come with their Shift.
  if (key === 'Shift') return isFast ? { burst } : {}
  if (!isCodeKey(key)) return {}
  return {
    burst: isFast
      ? { text: burst.text + key, lastAt: at, excusedGaps }
      : { text: key, lastAt: at, excusedGaps: 0 },
  }
}

/** When a page could take no key, ms. */
export interface BusyTime {
  readonly from: number
  readonly to: number
}

/**
 * How long the page was busy between two keys, ms. A key that waited in the queue was pressed at its own
 * time: what the page did then says nothing of the hand. Busy 100–220: keys at 90 and 230 → 120, keys at 90
 * and 200 → 0.
 */
export const busyMsBetween = (busy: readonly BusyTime[], from: number, to: number): number =>
  busy
    .filter(span => span.to > from && span.to <= to)
    .reduce((sum, span) => sum + span.to - Math.max(span.from, from), 0)

/** A payer's code of WeChat Pay (18 digits from 10 to 15) or Alipay (16 to 24 from 25 to 30). */
export const isPaymentCode = (code: string): boolean => /^(1[0-5]\d{16}|(2[5-9]|30)\d{14,22})$/.test(code)
