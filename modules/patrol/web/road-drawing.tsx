import type { Id } from '#kit/domain/id.ts'
import { useFileUrls } from '#kit/web/file-store.ts'
import type { getRoad } from '../contract/road.ts'
import { RoadStrip, type StripPoint } from './road-strip.tsx'
import './drawing.css'

export type Drawing = NonNullable<NonNullable<typeof getRoad.output.T>['drawing']>

/** A point in the order of its road. */
export interface RoadStop extends StripPoint {
  readonly pointId: Id
}

interface PlacedStop extends RoadStop {
  readonly number: number
  readonly x: number
  readonly y: number
}

const placedStops = (stops: readonly RoadStop[], { places }: Drawing): PlacedStop[] =>
  stops.flatMap((stop, i) => {
    const place = places.find(({ pointId }) => pointId === stop.pointId)
    return place ? [{ ...stop, number: i + 1, x: Number(place.x), y: Number(place.y) }] : []
  })

const positionStyle = ({ x, y }: { readonly x: number; readonly y: number }) => ({
  left: `${x}%`,
  top: `${y}%`,
})

/** The minutes of a leg, at its middle; nothing where a point in between is not on the drawing. */
function LegNote({ from, to }: { readonly from: PlacedStop; readonly to: PlacedStop }) {
  if (to.number !== from.number + 1) return null
  return (
    <small style={positionStyle({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 })}>
      {to.legMinutes} 分钟
    </small>
  )
}

interface RoadDiagramProps {
  /** Undefined where the points are not placed on a drawing. */
  readonly drawing: Drawing | undefined
  readonly stops: readonly RoadStop[]
}

/** The route of a road: on the drawing of its area where there is one that may be seen, else as a strip. */
export function RoadDiagram({ drawing, stops }: RoadDiagramProps) {
  const [url] = useFileUrls(drawing ? [drawing.image] : [])
  return drawing && url ? (
    <RoadDrawing drawing={drawing} url={url} stops={stops} />
  ) : (
    <RoadStrip points={stops} />
  )
}

interface RoadDrawingProps {
  readonly drawing: Drawing
  readonly url: string
  readonly stops: readonly RoadStop[]
}

/** The points in their order, with the minutes between them. */
function RoadDrawing({ drawing, url, stops }: RoadDrawingProps) {
  const placed = placedStops(stops, drawing)
  const others = stops.filter(({ pointId }) => !placed.some(stop => stop.pointId === pointId))
  return (
    <figure className="road-drawing">
      <div className="picture">
        <img src={url} alt={`${drawing.areaName}平面图`} />
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          <polyline points={placed.map(({ x, y }) => `${x},${y}`).join(' ')} />
        </svg>
        {placed.slice(1).map((stop, i) => {
          const from = placed[i]
          return from && <LegNote key={stop.pointId} from={from} to={stop} />
        })}
        <ol>
          {placed.map(stop => (
            <li key={stop.pointId} className={stop.tone} style={positionStyle(stop)}>
              <b>{stop.number}</b>
              <span>
                {stop.name}
                {stop.note && ` ${stop.note}`}
              </span>
            </li>
          ))}
        </ol>
      </div>
      {others.length > 0 && (
        <figcaption>未布置在图上：{others.map(({ name }) => name).join('、')}</figcaption>
      )}
    </figure>
  )
}
