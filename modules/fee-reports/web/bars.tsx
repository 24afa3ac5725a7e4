import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { lastDay, type Month } from '#kit/domain/month.ts'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { useDrilldown } from './drilldown.ts'
import { tillsDrilldown } from './drilldowns.ts'

interface Bar {
  readonly key: string
  readonly label: string
  readonly value: number
  readonly to: string | undefined
}

/** Ten thousands of yuan to one decimal, as charts say them. */
const formatTenThousands = (fen: number): string =>
  `${fen < 0 ? '−' : ''}${(Math.abs(fen) / 1_000_000).toFixed(1)}`

/**
 * Amounts from zero; each bar says its figure and leads to its rows. `told`: the figure stands above it, in
 * 万元.
 */
export function Bars({
  rows,
  empty,
  told,
}: {
  readonly rows: readonly Bar[]
  readonly empty: string
  readonly told?: boolean
}) {
  const most = Math.max(1, ...rows.map(r => Math.abs(r.value)))
  if (!rows.length) return <p className="fin-empty">{empty}</p>
  return (
    <ol className={told ? 'fin-bars told' : 'fin-bars'}>
      {rows.map(r => {
        const words = `${r.key}：${displayYuan(r.value)} 元`
        const inside = (
          <>
            {told && <b>{formatTenThousands(r.value)}</b>}
            <i
              style={{ '--part': Math.max(0.01, Math.abs(r.value) / most) } as CSSProperties}
              className={r.value < 0 ? 'below' : undefined}
            />
            <span>{r.label}</span>
          </>
        )
        return (
          <li key={r.key} title={words}>
            {r.to ? (
              <Link to={r.to} aria-label={told ? undefined : words}>
                {inside}
              </Link>
            ) : (
              <div role="img" aria-label={words}>
                {inside}
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** The months' net takings, each month leading to its days. */
export function MonthTrend({
  of,
}: {
  readonly of: readonly { readonly month: Month; readonly net: number }[]
}) {
  const way = useDrilldown(tillsDrilldown)
  return (
    <Bars
      told
      rows={of.map(d => ({
        key: d.month,
        label: d.month.slice(2),
        value: d.net,
        to: way('', { asked: { dayFrom: `${d.month}-01`, dayTo: lastDay(d.month) }, by: 'day' }),
      }))}
      empty="还没有收款"
    />
  )
}

interface AgeBar extends Bar {
  readonly age: number
  readonly count: number
}

const ageColor = (age: number): string =>
  age === 0 ? 'var(--line-strong)' : `var(--age-${Math.min(6, age)})`

/** Parts of what is unpaid, from the youngest, in the ordered ramp of ages. */
export function AgeBars({ rows }: { readonly rows: readonly AgeBar[] }) {
  const most = Math.max(1, ...rows.map(r => r.value))
  if (!rows.length) return <p className="fin-empty">没有待收的账单</p>
  return (
    <table className="fin-ages">
      <tbody>
        {rows.map(r => (
          <tr key={r.key}>
            <th>{r.label}</th>
            <td className="bar">
              <i style={{ width: `${(r.value / most) * 100}%`, background: ageColor(r.age) }} />
            </td>
            <td>
              {r.to ? (
                <Link to={r.to} className="figure">
                  {displayYuan(r.value)}
                </Link>
              ) : (
                <span className="figure">{displayYuan(r.value)}</span>
              )}
            </td>
            <td>{formatCount(r.count)} 张</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
