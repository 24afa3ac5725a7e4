import { defined } from '#kit/domain/defined.ts'
import { useRef, type CSSProperties, type KeyboardEvent } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import type { BoardCell } from '../contract/room-board.ts'
import { roomState, roomStateMarks, type RoomState } from '../contract/labels.ts'
import { cellDimensions, cellSizeOf, tintStyle } from './board-style.ts'

export interface BoardUnit {
  readonly unitName?: string
  readonly floorCount: number
  readonly undergroundFloors: number
  readonly rooms: readonly BoardCell[]
}

interface Props {
  readonly units: readonly BoardUnit[]
  readonly chosen: number | undefined
  readonly only: ReadonlySet<RoomState>
  readonly onChoose: (room: BoardCell) => void
}

/** Floors that any unit has or any room stands on, from the top; there is no floor 0. */
const floorsOf = (units: readonly BoardUnit[]): number[] => {
  const top = Math.max(1, ...units.flatMap(u => [u.floorCount, ...u.rooms.map(r => r.floorNum ?? 1)]))
  const bottom = Math.min(
    1,
    ...units.flatMap(u => [
      u.undergroundFloors ? -u.undergroundFloors : 1,
      ...u.rooms.map(r => r.floorNum ?? 1),
    ]),
  )
  return Array.from({ length: top - bottom + 1 }, (_, i) => top - i).filter(f => f !== 0)
}

const floorMark = (f: number): string => (f < 0 ? `B${-f}` : `${f}F`)

/**
 * A building as floors and units. Arrow keys walk, Enter pins the room's panel; cells outside the legend's
 * choice fade.
 */
export function BoardGrid({ units, chosen, only, onChoose }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const floors = floorsOf(units)
  const size = cellSizeOf(units.length, floors.length)
  const across = units.map(u => Math.max(1, ...floors.map(f => u.rooms.filter(r => r.floorNum === f).length)))

  const walk = (e: KeyboardEvent): void => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[e.key]
    const at = e.target as HTMLElement
    if (!step || !at.dataset.floor) return
    e.preventDefault()
    const [row, column] = [
      Number(at.dataset.row) + defined(step[0]),
      Number(at.dataset.column) + defined(step[1]),
    ]
    const next = [...(grid.current?.querySelectorAll<HTMLElement>('.room-cell') ?? [])]
    // Up and down look for the same column, sideways for the next cell of the floor, over gaps.
    const found = step[0]
      ? next
          .filter(
            c =>
              c.dataset.column === String(column) &&
              (defined(step[0]) < 0 ? Number(c.dataset.row) <= row : Number(c.dataset.row) >= row),
          )
          .toSorted((a, b) => (Number(a.dataset.row) - Number(b.dataset.row)) * defined(step[0]))
      : next
          .filter(
            c =>
              c.dataset.row === at.dataset.row &&
              (defined(step[1]) < 0
                ? Number(c.dataset.column) <= column
                : Number(c.dataset.column) >= column),
          )
          .toSorted((a, b) => (Number(a.dataset.column) - Number(b.dataset.column)) * defined(step[1]))
    found[0]?.focus()
  }

  let offset = 0
  return (
    <div className="board-floors scroll" ref={grid} onKeyDown={walk}>
      <div
        className="board-units"
        style={{
          gridTemplateColumns: `34px ${across.map(n => `${n}fr`).join(' ')}`,
          ...cellDimensions[size],
        }}
        data-size={size}
      >
        <div className="board-scale" aria-hidden="true">
          {floors.map(f => (
            <span key={f}>{floorMark(f)}</span>
          ))}
        </div>
        {units.map((u, i) => {
          const first = offset
          offset += defined(across[i])
          return (
            <div
              className="board-unit"
              key={u.unitName}
              role="grid"
              aria-label={`${u.unitName} 单元`}
              style={{ '--across': across[i] } as CSSProperties}
            >
              <div className="board-unit-name">{u.unitName} 单元</div>
              {floors.flatMap((f, row) => {
                const rooms = u.rooms.filter(r => r.floorNum === f)
                return Array.from({ length: defined(across[i]) }, (_, c) => {
                  const r = rooms[c]
                  if (!r) return <span className="room-gap" key={`${f}/${c}`} />
                  const state = r.roomState
                  return (
                    <button
                      type="button"
                      className="room-cell"
                      key={r.id}
                      style={tintStyle(state)}
                      title={`${r.path} · ${labelOf(roomState, state)}`}
                      aria-selected={r.id === chosen}
                      role="gridcell"
                      data-state={state}
                      data-faded={only.size > 0 && !only.has(state)}
                      data-off={r.state === 'off'}
                      data-floor={f}
                      data-row={row}
                      data-column={first + c}
                      tabIndex={
                        r.id === chosen || (chosen === undefined && row === 0 && c === 0 && i === 0) ? 0 : -1
                      }
                      onClick={() => onChoose(r)}
                    >
                      <span className="figure">{r.roomNo}</span>
                      <i>{roomStateMarks[state]}</i>
                    </button>
                  )
                })
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}
