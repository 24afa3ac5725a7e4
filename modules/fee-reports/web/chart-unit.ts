import type { Fen } from '#kit/domain/money.ts'

/** What the figures of a chart count: narrow bars have no room for every digit. */
export type ChartUnit = '万元' | '元'

const fenPerTenThousand = 1_000_000

/** 万元 once an amount reaches it; a small company's months would all be 0.0 of it. */
export const chartUnitOf = (amounts: readonly Fen[]): ChartUnit =>
  amounts.some(amount => Math.abs(amount) >= fenPerTenThousand) ? '万元' : '元'

/** 万元 to one decimal, 元 without. */
export function formatInUnit(fen: Fen, unit: ChartUnit): string {
  const digits =
    unit === '万元' ? (Math.abs(fen) / fenPerTenThousand).toFixed(1) : String(Math.round(Math.abs(fen) / 100))
  return fen < 0 && Number(digits) ? `−${digits}` : digits
}
