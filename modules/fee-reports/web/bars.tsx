import { Link } from 'react-router'
import type { Fen } from '#kit/domain/money.ts'
import { lastDay, type Month } from '#kit/domain/month.ts'
import { cssVariables } from '#kit/web/css-variables.ts'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { chartUnitOf, formatInUnit, type ChartUnit } from './chart-unit.ts'
import { useDrilldown } from './drilldown.ts'
import { collectionDrilldown } from './drilldowns.ts'

interface Bar {
  readonly key: string
  readonly label: string
  readonly value: Fen
  readonly to: string | undefined
}

/** Amounts from zero, each bar a link to its rows. `unit`: with the amounts above the bars. */
export function Bars({
  rows,
  empty,
  unit,
}: {
  readonly rows: readonly Bar[]
  readonly empty: string
  readonly unit?: ChartUnit
}) {
  const largest = Math.max(1, ...rows.map(row => Math.abs(row.value)))
  if (!rows.some(row => row.value)) return <p className="fin-empty">{empty}</p>
  return (
    <ol className={unit ? 'fin-bars labelled' : 'fin-bars'}>
      {rows.map(row => {
        const text = `${row.key}：${displayYuan(row.value)} 元`
        const content = (
          <>
            {unit && <b>{formatInUnit(row.value, unit)}</b>}
            <i
              style={cssVariables({ '--part': Math.max(0.01, Math.abs(row.value) / largest) })}
              className={row.value < 0 ? 'below' : undefined}
            />
            <span>{row.label}</span>
          </>
        )
        return (
          <li key={row.key} title={text}>
            {row.to ? (
              <Link to={row.to} aria-label={unit ? undefined : text}>
                {content}
              </Link>
            ) : (
              <div role="img" aria-label={text}>
                {content}
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** The net amounts of months, each a link to its days. */
export function MonthTrend({
  months,
}: {
  readonly months: readonly { readonly month: Month; readonly net: Fen }[]
}) {
  const drilldownLink = useDrilldown(collectionDrilldown)
  return (
    <Bars
      unit={chartUnitOf(months.map(({ net }) => net))}
      rows={months.map(({ month, net }) => ({
        key: month,
        label: `${Number(month.slice(5))}月`,
        value: net,
        to: drilldownLink('', {
          query: { dayFrom: `${month}-01`, dayTo: lastDay(month), history: false },
          by: 'day',
        }),
      }))}
      empty="暂无收款"
    />
  )
}

interface AgeBar extends Bar {
  readonly age: number
  readonly count: number
}

const ageColor = (age: number): string =>
  age === 0 ? 'var(--line-strong)' : `var(--age-${Math.min(6, age)})`

/** Unpaid amounts by age, from the youngest, in the ordered ramp of colours. */
export function AgeBars({ rows }: { readonly rows: readonly AgeBar[] }) {
  const largest = Math.max(1, ...rows.map(row => row.value))
  if (!rows.length) return <p className="fin-empty">暂无待收的账单</p>
  return (
    <table className="fin-ages">
      <tbody>
        {rows.map(row => (
          <tr key={row.key}>
            <th>{row.label}</th>
            <td className="bar">
              <i style={{ width: `${(row.value / largest) * 100}%`, background: ageColor(row.age) }} />
            </td>
            <td>
              {row.to ? (
                <Link to={row.to} className="figure">
                  {displayYuan(row.value)}
                </Link>
              ) : (
                <span className="figure">{displayYuan(row.value)}</span>
              )}
            </td>
            <td>{formatCount(row.count)} 张</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
