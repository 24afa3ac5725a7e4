import type { KeyboardEvent, PointerEvent } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { controls, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { readChoice, readRows, readText } from '#kit/web/controls/read-value.ts'
import { templatePart, textAlign } from '../contract/choices.ts'
import type { InvitationPicture, TemplatePart } from '../contract/template.ts'
import { heightOfPart } from '../domain/template.ts'
import { InvitationCanvas } from './invitation-canvas.tsx'

const sample = {
  inviteNo: '12345678',
  visitorName: '李明',
  hostName: '王女士',
  place: '1栋 1单元 0301',
  estateName: '项目名称',
  plateNo: '粤B12345',
  beginTime: '2026-12-01 09:00:00',
  endTime: '2026-12-01 18:00:00',
} as const

const numberOf = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback)

/** Rows are typed one field after the other; what is not typed yet is drawn as it begins. */
const partsOf = (value: unknown): TemplatePart[] =>
  readRows<Partial<TemplatePart>>(value).flatMap(row => {
    const part = readChoice(templatePart, row.part)
    if (part === undefined) return []
    return [
      {
        part,
        text: readText(row.text),
        x: numberOf(row.x, 0),
        y: numberOf(row.y, 0),
        width: numberOf(row.width, 300),
        fontSize: numberOf(row.fontSize, 28),
        color: readText(row.color),
        align: readChoice(textAlign, row.align) ?? 'center',
      },
    ]
  })

interface MoveProps {
  readonly part: TemplatePart
  readonly size: { readonly width: number; readonly height: number }
  readonly onMove: (x: number, y: number) => void
}

const stepPx = 5
const arrows: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-stepPx, 0],
  ArrowRight: [stepPx, 0],
  ArrowUp: [0, -stepPx],
  ArrowDown: [0, stepPx],
}

/** One part over the picture: dragged by the pointer, or moved by the arrow keys. */
function MovablePart({ part, size, onMove }: MoveProps) {
  const height = heightOfPart(part)
  const moveTo = (x: number, y: number): void =>
    onMove(
      Math.round(Math.min(Math.max(0, x), size.width - part.width)),
      Math.round(Math.min(Math.max(0, y), size.height - height)),
    )
  const drag = (event: PointerEvent<HTMLButtonElement>): void => {
    const { currentTarget, clientX, clientY, pointerId } = event
    const scale = size.width / (currentTarget.parentElement?.clientWidth ?? size.width)
    currentTarget.setPointerCapture(pointerId)
    currentTarget.onpointermove = moved =>
      moveTo(part.x + (moved.clientX - clientX) * scale, part.y + (moved.clientY - clientY) * scale)
    currentTarget.onpointerup = () => {
      currentTarget.onpointermove = null
    }
  }
  const step = (event: KeyboardEvent): void => {
    const by = arrows[event.key]
    if (!by) return
    event.preventDefault()
    moveTo(part.x + by[0], part.y + by[1])
  }
  const percent = (value: number, whole: number): string => `${(value / whole) * 100}%`
  return (
    <button
      type="button"
      className="part"
      aria-label={`移动${labelOf(templatePart, part.part)}`}
      style={{
        left: percent(part.x, size.width),
        top: percent(part.y, size.height),
        width: percent(part.width, size.width),
        height: percent(height, size.height),
      }}
      onPointerDown={drag}
      onKeyDown={step}
    />
  )
}

/** The layout of an invitation: the picture as it will be, with parts that can be moved, and their rows. */
export function LayoutControl(props: ControlProps) {
  const Lines = controls.lines
  const { value, formValues, onChange } = props
  const size = { width: numberOf(formValues.width, 750), height: numberOf(formValues.height, 1100) }
  const parts = partsOf(value)
  const picture: InvitationPicture = {
    ...sample,
    ...size,
    background: readText(formValues.background),
    parts,
  }
  const move = (index: number, x: number, y: number): void =>
    onChange(readRows<object>(value).map((row, i) => (i === index ? { ...row, x, y } : row)))
  return (
    <div className="visit-layout">
      <div className="sheet">
        <InvitationCanvas picture={picture} />
        {parts.length === readRows(value).length &&
          parts.map((part, i) => (
            <MovablePart key={i} part={part} size={size} onMove={(x, y) => move(i, x, y)} />
          ))}
      </div>
      <Lines {...props} />
    </div>
  )
}
