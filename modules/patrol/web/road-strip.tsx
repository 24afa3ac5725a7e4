import type { Tone } from '#kit/contract/field.ts'
import { offsetsOf } from '../domain/road.ts'
import './patrol.css'

export interface StripPoint {
  readonly name: string
  readonly legMinutes: number
  readonly tolerance: number
  /** The result, as a colour and as text. */
  readonly tone?: Tone | undefined
  readonly note?: string | undefined
}

/** The points of a road in their order, with the minutes between them and since the start. */
export function RoadStrip({ points }: { readonly points: readonly StripPoint[] }) {
  const offsets = offsetsOf(points)
  return (
    <ol className="road-strip" aria-label="路线示意">
      {points.map((point, i) => (
        <li key={i} className={point.tone}>
          <small>
            {i === 0 ? '开始后' : ''} {point.legMinutes} 分钟
          </small>
          <b>{point.name}</b>
          <small>{point.note ?? `第 ${offsets[i]} 分钟 ± ${point.tolerance}`}</small>
        </li>
      ))}
    </ol>
  )
}
