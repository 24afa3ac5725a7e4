import { emptyPlaceholder } from '#kit/contract/text.ts'
import type { Fen } from '#kit/contract/field.ts'
import { displayYuan, displayYuanWithSymbol } from '#kit/domain/money.ts'
import { toast } from './toast.ts'

export { displayYuan, displayYuanWithSymbol }

/** No value, or none that applies. */
export const BlankValue = () => <span className="absent">{emptyPlaceholder}</span>

/**
 * Yuan with two decimals and thousands; zero is dimmed, the minus is `−`. `withSymbol` puts ¥ before a lone
 * amount.
 */
export function Money({
  fen,
  withSymbol,
  strong,
}: {
  readonly fen: Fen | undefined
  readonly withSymbol?: boolean
  readonly strong?: boolean
}) {
  if (fen === undefined) return <BlankValue />
  return (
    <span className={fen === 0 ? 'figure zero' : 'figure'} style={strong ? { fontWeight: 600 } : undefined}>
      {withSymbol ? displayYuanWithSymbol(fen) : displayYuan(fen)}
    </span>
  )
}

/** Made once: `toLocaleString` makes one for each number. */
const counts = new Intl.NumberFormat('en-US')

/** A count with thousands. */
export const formatCount = (n: number): string => counts.format(n)

/**
 * A difference with its sign: `+1.18`, `−3`. What is no number is reported as 数据非法 and shown as absent (0§8).
 */
export function formatSigned(value: number | string, digits?: number): string {
  const count = typeof value === 'string' && value.trim() === '' ? NaN : Number(value)
  if (!Number.isFinite(count)) {
    toast.error('数据非法')
    return emptyPlaceholder
  }
  const size = digits === undefined ? String(Math.abs(count)) : Math.abs(count).toFixed(digits)
  return Number(size) === 0 ? size : `${count < 0 ? '−' : '+'}${size}`
}

/** A progress in percent; drawn where a figure beside it says the same. */
export const PercentBar = ({ percent, label }: { readonly percent: number; readonly label: string }) => (
  <span
    className="share-bar"
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={percent}
  >
    <i style={{ width: `${percent}%` }} />
  </span>
)
