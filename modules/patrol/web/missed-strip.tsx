import { Link } from 'react-router'
import { addDays, daysBetween, type Day } from '#kit/domain/day.ts'
import type { DaySpan } from '#kit/web/address-span.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { useCall } from '#kit/web/query.ts'
import { getMissedPoints } from '../contract/rates.ts'
import { recordsLink, type RateFilter } from './rate-links.ts'
import './patrol.css'

type Point = NonNullable<typeof getMissedPoints.output.T>[number]

/** Five shades: nothing missed, then a quarter of the visits after the other. */
const shadeOf = (due: number, missed: number): number => (due ? Math.ceil((missed / due) * 4) : 0)

interface StripProps {
  readonly point: Point
  readonly days: readonly Day[]
  readonly filter: RateFilter
}

const PointRow = ({ point, days, filter }: StripProps) => {
  const byDay = new Map(point.days.map(counted => [counted.day, counted]))
  return (
    <tr>
      <th scope="row">{point.pointName}</th>
      <td className="number">
        <Link to={recordsLink(filter, { pointId: point.pointId })}>{point.due}</Link>
      </td>
      <td className="number">
        <Link to={recordsLink(filter, { pointId: point.pointId, result: ['missed'] })}>{point.missed}</Link>
      </td>
      {days.map(day => {
        const counted = byDay.get(day)
        const text = counted ? `${day} 应到 ${counted.due}，漏检 ${counted.missed}` : `${day} 无任务`
        return (
          <td key={day} className="cell">
            {counted ? (
              <Link
                to={recordsLink({ ...filter, from: day, to: day }, { pointId: point.pointId })}
                data-shade={shadeOf(counted.due, counted.missed)}
                title={text}
                aria-label={`${point.pointName} ${text}`}
              >
                {counted.missed || ''}
              </Link>
            ) : (
              <i title={text} />
            )}
          </td>
        )
      })}
    </tr>
  )
}

/** As many days as fit into a table; of a longer span the last ones. */
const maxDays = 31

function daysOf({ from, to }: DaySpan): Day[] {
  const count = Math.min(maxDays, daysBetween(from, to) + 1)
  return Array.from({ length: count }, (_, i) => addDays(to, i - count + 1))
}

/** Points by day: where rounds are missed again and again is seen at once. */
export function MissedStrip({ filter }: { readonly filter: RateFilter & DaySpan }) {
  const points = useCall(getMissedPoints, filter, { quiet: true, keepPrevious: true })
  const days = daysOf(filter)
  return (
    <section className="missed-strip" aria-label="漏检分布">
      <h3>漏检分布</h3>
      <Loaded query={points} height={200} rows={4} keepsAnswer>
        {rows =>
          rows.length ? (
            <ScrollRegion label="漏检明细" className="rows">
              <table>
                <thead>
                  <tr>
                    <th>点位</th>
                    <th className="number">应到</th>
                    <th className="number">漏检</th>
                    {days.map(day => (
                      <th key={day} className="day" title={day}>
                        {Number(day.slice(8))}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map(point => (
                    <PointRow key={point.pointId} point={point} days={days} filter={filter} />
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          ) : (
            <Empty text="该期间暂无到期的巡更点" />
          )
        }
      </Loaded>
    </section>
  )
}
