import type { Day } from '#kit/domain/day.ts'
import type { getMissedPoints } from '../contract/rates.ts'

type Point = NonNullable<typeof getMissedPoints.output.T>[number]

interface ReportMissesProps {
  readonly points: readonly Point[]
  readonly days: readonly Day[]
  /** The project and the month: the sheet across may lie apart. */
  readonly about: string
}

const PointRow = ({ point, days }: { readonly point: Point; readonly days: readonly Day[] }) => {
  const byDay = new Map(point.days.map(counted => [counted.day, counted]))
  return (
    <tr>
      <th scope="row">{point.pointName}</th>
      <td>{point.due}</td>
      <td>{point.missed}</td>
      {days.map(day => {
        const counted = byDay.get(day)
        return (
          <td key={day} className={counted?.missed ? 'missed' : undefined}>
            {counted ? counted.missed || '·' : ''}
          </td>
        )
      })}
    </tr>
  )
}

/** Where rounds were missed, day by day: only points that were missed, the worst first. */
export function ReportMisses({ points, days, about }: ReportMissesProps) {
  const missed = points.filter(point => point.missed > 0)
  if (!missed.length) return null
  const missedOn = (day: Day): number =>
    missed.reduce((sum, point) => sum + (point.days.find(each => each.day === day)?.missed ?? 0), 0)
  const sumOf = (key: 'due' | 'missed'): number => missed.reduce((sum, point) => sum + point[key], 0)
  return (
    <section className="by-day">
      <h2>附：漏检分布（{about}）</h2>
      <small>仅列有漏检的点位；数字为当日漏检次数，「·」为当日无漏检，空白为当日无任务。</small>
      <table>
        <thead>
          <tr>
            <th scope="col">点位</th>
            <th scope="col">应到</th>
            <th scope="col">漏检</th>
            {days.map(day => (
              <th key={day} scope="col">
                {Number(day.slice(8))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {missed.map(point => (
            <PointRow key={point.pointId} point={point} days={days} />
          ))}
          <tr className="sum">
            <th scope="row">合计</th>
            <td>{sumOf('due')}</td>
            <td>{sumOf('missed')}</td>
            {days.map(day => (
              <td key={day}>{missedOn(day) || ''}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  )
}
