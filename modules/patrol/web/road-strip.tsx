import { offsetsOf } from '../domain/road.ts'
import './patrol.css'

export interface StripPoint {
  readonly name: string
  readonly legMinutes: number
  readonly tolerance: number
}

/** The points of a road in their order, with the minutes between them and since the start. */
export function RoadStrip({ points }: { readonly points: readonly StripPoint[] }) {
  const offsets = offsetsOf(points)
  return (
    <ol className="road-strip" aria-label="路线示意">
      {points.map((point, i) => (
        <li key={i}>
          <small>
            {i === 0 ? '开始后' : ''} {point.legMinutes} 分钟
          </small>
          <b>{point.name}</b>
          <small>
            第 {offsets[i]} 分钟 ± {point.tolerance}
          </small>
        </li>
      ))}
    </ol>
  )
}
