import { formatYuan, maxFen, readYuan, type Fen } from '#kit/domain/money.ts'
import { toHalfWidth } from '#kit/domain/half-width.ts'

/**
 * An amount as a clerk types it: full-width digits, the point of a Chinese keyboard and ¥ count as
 * plain ones. `１００．５`, `￥100。5` → `100.5`.
 */
export const plainAmount = (text: string): string =>
  toHalfWidth(text)
    .replaceAll('。', '.')
    .trim()
    .replace(/^[¥\uffe5]\s*/, '')

/** Fen of an amount as typed; nothing where it is none. */
export const readTypedYuan = (text: string): Fen | undefined => readYuan(plainAmount(text))

/** Fen that count while somebody types: of what is no amount, or less than nothing, none. */
export const countTypedYuan = (text: string): Fen => maxFen(0, readTypedYuan(text) ?? 0)

/** What is shown once an amount is typed: `１２３４。5` → `1,234.50`. What is no amount stays to be corrected. */
export function tidyTypedAmount(text: string): string {
  const amount = readTypedYuan(text)
  return amount === undefined ? text : formatYuan(amount, { thousands: true })
}
