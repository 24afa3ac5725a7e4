import { defined } from '#kit/domain/defined.ts'
import type { Fen } from '#kit/domain/money.ts'
import { displayYuanWithSymbol, formatCount } from '#kit/web/numbers.tsx'
import { cssVariables } from '#kit/web/css-variables.ts'
import { useRef, type CSSProperties, type KeyboardEvent } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import type { BoardCell } from '../contract/room-board.ts'
import { roomState, roomStateMarks } from '../contract/labels.ts'
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
  readonly isVisible: (room: BoardCell) => boolean
  readonly onChoose: (room: BoardCell) => void
}

/** Floors that any unit has or any room is on, from the top; there is no floor 0. */
const floorsOf = (units: readonly BoardUnit[]): number[] => {
  const top = Math.max(
    1,
    ...units.flatMap(unit => [unit.floorCount, ...unit.rooms.map(room => room.floorNum ?? 1)]),
  )
  const bottom = Math.min(
    1,
    ...units.flatMap(unit => [
      unit.undergroundFloors ? -unit.undergroundFloors : 1,
      ...unit.rooms.map(room => room.floorNum ?? 1),
    ]),
  )
  return Array.from({ length: top - bottom + 1 }, (_, i) => top - i).filter(floor => floor !== 0)
}

/** Whole yuan: a cell has room for no more. */
const formatDebt = (debt: Fen): string => formatCount(Math.round(debt / 100))

const describeCell = (room: BoardCell): string =>
  [
    room.path,
    labelOf(roomState, room.roomState),
    room.debt === undefined ? undefined : `欠费 ${displayYuanWithSymbol(room.debt)}`,
  ]
    .filter(Boolean)
    .join(' · ')

const floorMark = (floor: number): string => (floor < 0 ? `B${-floor}` : `${floor}F`)

const acrossStyle = (across: number): CSSProperties => cssVariables({ '--across': across })

/**
 * A building as floors and units. Arrow keys walk, Enter pins the room's panel; cells outside the legend's
 * choice fade.
 */
export function BoardGrid({ units, chosen, isVisible, onChoose }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const floors = floorsOf(units)
  const size = cellSizeOf(units.length, floors.length)
  const unitWidths = units.map(unit =>
    Math.max(1, ...floors.map(floor => unit.rooms.filter(room => room.floorNum === floor).length)),
  )

  const moveFocus = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
    const cell = event.target
    if (!step || !(cell instanceof HTMLElement) || !cell.dataset.floor) return
    event.preventDefault()
    const [row, column] = [
      Number(cell.dataset.row) + defined(step[0]),
      Number(cell.dataset.column) + defined(step[1]),
    ]
    const cells = [...(grid.current?.querySelectorAll<HTMLElement>('.room-cell') ?? [])]
    // Up and down look for the same column, sideways for the next cell of the floor, over gaps.
    const candidates = step[0]
      ? cells
          .filter(
            c =>
              c.dataset.column === String(column) &&
              (defined(step[0]) < 0 ? Number(c.dataset.row) <= row : Number(c.dataset.row) >= row),
          )
          .toSorted((a, b) => (Number(a.dataset.row) - Number(b.dataset.row)) * defined(step[0]))
      : cells
          .filter(
            c =>
              c.dataset.row === cell.dataset.row &&
              (defined(step[1]) < 0
                ? Number(c.dataset.column) <= column
                : Number(c.dataset.column) >= column),
          )
          .toSorted((a, b) => (Number(a.dataset.column) - Number(b.dataset.column)) * defined(step[1]))
    candidates[0]?.focus()
  }

  let offset = 0
  return (
    <div className="board-floors scroll" ref={grid} role="presentation" onKeyDown={moveFocus}>
      <div
        className="board-units"
        style={{
          gridTemplateColumns: `34px ${unitWidths.map(n => `${n}fr`).join(' ')}`,
          ...cellDimensions[size],
        }}
        data-size={size}
      >
        <div className="board-scale" aria-hidden="true">
          {floors.map(floor => (
            <span key={floor}>{floorMark(floor)}</span>
          ))}
        </div>
        {units.map((unit, i) => {
          const first = offset
          offset += defined(unitWidths[i])
          return (
            <div
              className="board-unit"
              key={unit.unitName}
              role="grid"
              aria-label={`${unit.unitName} 单元`}
              style={acrossStyle(defined(unitWidths[i]))}
            >
              <div className="board-unit-name">{unit.unitName} 单元</div>
              {floors.map((floor, row) => {
                const rooms = unit.rooms.filter(room => room.floorNum === floor)
                return (
                  <div role={rooms.length === 0 ? 'presentation' : 'row'} className="board-floor" key={floor}>
                    {Array.from({ length: defined(unitWidths[i]) }, (_, c) => {
                      const room = rooms[c]
                      if (!room) return <span className="room-gap" key={`${floor}/${c}`} />
                      const state = room.roomState
                      return (
                        <button
                          type="button"
                          className="room-cell"
                          key={room.id}
                          style={tintStyle(state)}
                          title={describeCell(room)}
                          aria-selected={room.id === chosen}
                          role="gridcell"
                          data-state={state}
                          data-faded={!isVisible(room)}
                          data-debt={room.debtAge}
                          data-off={room.state === 'off'}
                          data-floor={floor}
                          data-row={row}
                          data-column={first + c}
                          tabIndex={
                            room.id === chosen || (chosen === undefined && row === 0 && c === 0 && i === 0)
                              ? 0
                              : -1
                          }
                          onClick={() => onChoose(room)}
                        >
                          <span className="figure">{room.roomNo}</span>
                          <i>{roomStateMarks[state]}</i>
                          {room.debt !== undefined && (
                            <small className="figure">{formatDebt(room.debt)}</small>
                          )}
                        </button>
                      )
                    })}
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}
