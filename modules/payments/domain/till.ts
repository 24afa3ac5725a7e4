import type { Fen } from '#kit/domain/money.ts'

/** Sums a customer is likely to hand over for an amount: exact, then the next ten, fifty, hundred and five hundred yuan, each once. */
export function likelySums(due: Fen): Fen[] {
  const up = (unit: number): Fen => Math.ceil(due / unit) * unit
  return [...new Set([due, up(1000), up(5000), up(10_000), up(50_000)])].slice(0, 4)
}
/** `2026-07 ~ 09`, `2026-11`, `2026 全年`, else both days. */
export function periodWords(begin: string, end: string): string {
  const whole = begin.endsWith('-01') && new Date(Date.UTC(Number(end.slice(0, 4)), Number(end.slice(5, 7)), 0)).getUTCDate() === Number(end.slice(8))
  if (!whole) return begin === end ? begin : `${begin} 至 ${end}`
  const [a, b] = [begin.slice(0, 7), end.slice(0, 7)]
  if (a === b) return a
  if (a.slice(0, 4) !== b.slice(0, 4)) return `${a} ~ ${b}`
  return a.endsWith('01') && b.endsWith('12') ? `${a.slice(0, 4)} 全年` : `${a} ~ ${b.slice(5)}`
}
