import { Button } from 'antd'
import { useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import type { ValueOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { useFileUrls } from '#kit/web/file-store.ts'
import type { placeFields } from '../contract/drawing.ts'
import './drawing.css'

type Place = ValueOf<typeof placeFields>

interface AreaPoint {
  readonly id: Id
  readonly name: string
}

const within = (value: number): string => String(Math.round(Math.min(100, Math.max(0, value)) * 100) / 100)

const keySteps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface MarkerProps {
  readonly place: Place
  readonly number: number
  readonly name: string
  readonly picture: RefObject<HTMLDivElement | null>
  readonly onMove: (x: string, y: string) => void
  readonly onRemove: () => void
}

/** A point on the drawing: dragged, or moved by the arrow keys (more with Shift), taken off by Delete. */
function Marker({ place, number, name, picture, onMove, onRemove }: MarkerProps) {
  const isDragging = useRef(false)
  const drag = (e: PointerEvent): void => {
    const box = picture.current?.getBoundingClientRect()
    if (!isDragging.current || !box) return
    onMove(
      within(((e.clientX - box.left) / box.width) * 100),
      within(((e.clientY - box.top) / box.height) * 100),
    )
  }
  const onKeyDown = (e: KeyboardEvent): void => {
    const step = keySteps[e.key]
    if (step) {
      e.preventDefault()
      const size = e.shiftKey ? 5 : 1
      onMove(within(Number(place.x) + step[0] * size), within(Number(place.y) + step[1] * size))
    } else if (e.key === 'Delete' || e.key === 'Backspace') {
      e.preventDefault()
      onRemove()
    }
  }
  return (
    <button
      type="button"
      aria-label={`${name}：横向 ${place.x}，纵向 ${place.y}`}
      title="拖动或用方向键移动，按 Delete 移除"
      style={{ left: `${place.x}%`, top: `${place.y}%` }}
      onPointerDown={e => {
        isDragging.current = true
        e.currentTarget.setPointerCapture(e.pointerId)
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        isDragging.current = false
      }}
      onKeyDown={onKeyDown}
    >
      <b>{number}</b>
      <span>{name}</span>
    </button>
  )
}

/** The points of an area on its drawing. */
export const placesControl = (image: string, points: readonly AreaPoint[]): Control =>
  function Places({ id, value, onChange, disabled }) {
    const [url] = useFileUrls([image])
    const picture = useRef<HTMLDivElement>(null)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form holds what the field declares
    const places = (value as readonly Place[] | undefined) ?? []
    const unplaced = points.filter(point => !places.some(({ pointId }) => pointId === point.id))
    const nameOf = (pointId: Id): string => points.find(point => point.id === pointId)?.name ?? '--'
    return (
      <div className="place-points" id={id} role="group" aria-label="图上位置">
        <div className="unplaced">
          {unplaced.length ? '点击放到图上，再拖动：' : '全部点位已在图上'}
          {unplaced.map(point => (
            <Button
              key={point.id}
              size="small"
              disabled={disabled}
              onClick={() => onChange([...places, { pointId: point.id, x: '50', y: '50' }])}
            >
              {point.name}
            </Button>
          ))}
        </div>
        <div className="road-drawing">
          <div className="picture" ref={picture}>
            {url && <img src={url} alt="平面图" draggable={false} />}
            {places.map((place, i) => (
              <Marker
                key={place.pointId}
                place={place}
                number={i + 1}
                name={nameOf(place.pointId)}
                picture={picture}
                onMove={(x, y) => onChange(places.with(i, { ...place, x, y }))}
                onRemove={() => onChange(places.toSpliced(i, 1))}
              />
            ))}
          </div>
        </div>
      </div>
    )
  }
