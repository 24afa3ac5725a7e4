/** What a scanner has typed so far: it types like a keyboard, faster than a hand, and ends with Enter. */
export interface ScanBurst {
  readonly text: string
  readonly lastAt: number
}

/** A hand needs more than this from key to key (screens.md §10). */
export const maxKeyGapMs = 30

/** Shorter ones may be a hand that rolls over two or three keys. */
const minCodeLength = 6

const isCodeKey = (key: string): boolean => /^[\w-]$/.test(key)

/** One key more: the burst as it goes on, or the whole code once its Enter has come. */
export function readScanKey(
  burst: ScanBurst | undefined,
  key: string,
  at: number,
): { readonly burst?: ScanBurst; readonly code?: string } {
  const isFast = burst !== undefined && at - burst.lastAt <= maxKeyGapMs
  if (key === 'Enter') return isFast && burst.text.length >= minCodeLength ? { code: burst.text } : {}
  // Capitals come with their Shift.
  if (key === 'Shift') return isFast ? { burst } : {}
  if (!isCodeKey(key)) return {}
  return { burst: { text: isFast ? burst.text + key : key, lastAt: at } }
}

/** A payer's code of WeChat Pay (18 digits from 10 to 15) or Alipay (16 to 24 from 25 to 30). */
export const isPaymentCode = (code: string): boolean => /^(1[0-5]\d{16}|(2[5-9]|30)\d{14,22})$/.test(code)
