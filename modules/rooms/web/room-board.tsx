import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Fen } from '#kit/domain/money.ts'
import { Button } from 'antd'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { useState, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { displayYuanWithSymbol, formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { listBoardBuildings, getRoomBoard, type BoardCell } from '../contract/room-board.ts'
import { debtAge, roomState, roomStateMarks, type DebtAge, type RoomState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { BoardGrid } from './board-grid.tsx'
import { cellSizeOf, tintStyle } from './board-style.ts'
import { RoomPanel } from './room-panel.tsx'
import { paths } from './paths.ts'
import './board.css'

const formatPercent = (v: string | undefined): string => (v === undefined ? '--' : `${Number(v).toFixed(2)}%`)

/**
 * 房态图: one building at a glance; the legend filters, a cell opens the room. The address holds building and
 * room.
 */
export default function BoardPage() {
  const project = useSession(state => state.project?.code ?? state.signed?.nearestProjectCode)
  if (!project || project === '0')
    return (
      <div className="board">
        <div className="board-blank">房态图按项目查看，请先在左上角选择一个项目</div>
      </div>
    )
  return <ProjectBoard project={project} key={project} />
}

type BoardBuilding = NonNullable<typeof listBoardBuildings.output.T>[number]
type Board = NonNullable<typeof getRoomBoard.output.T>

const BlankBoard = ({ children }: { readonly children: ReactNode }) => (
  <div className="board">
    <div className="board-blank">{children}</div>
  </div>
)

interface AddButtonProps {
  readonly label: string
  readonly path: string
}

function AddButton({ label, path }: AddButtonProps) {
  const navigate = useNavigate()
  const hasPermission = usePermission()
  return (
    hasPermission(menu.room.permissions.add) && (
      <Button type="primary" onClick={() => navigate(path)}>
        {label}
      </Button>
    )
  )
}

/** Whole yuan; nothing owed is no figure. */
const formatBuildingDebt = (debt: Fen): string => (debt ? `¥${formatCount(Math.round(debt / 100))}` : '--')

interface BuildingListProps {
  readonly buildings: readonly BoardBuilding[]
  readonly current: BoardBuilding | undefined
  readonly onSelect: (buildCode: string) => void
}

const BuildingList = ({ buildings, current, onSelect }: BuildingListProps) => (
  <nav className="board-buildings scroll" aria-label="楼栋">
    <h2>{buildings.some(b => b.debt !== undefined) ? '楼栋 · 欠费' : '楼栋 · 入住率'}</h2>
    {buildings.map(building => (
      <button
        type="button"
        className="board-building"
        key={building.buildCode}
        aria-current={building === current}
        onClick={() => onSelect(building.buildCode)}
      >
        {building.buildName}
        <small className="figure">
          {building.debt === undefined
            ? `${building.rooms} 户 · ${formatPercent(building.occupancy)}`
            : formatBuildingDebt(building.debt)}
        </small>
      </button>
    ))}
  </nav>
)

interface BoardHeadProps {
  readonly buildings: readonly BoardBuilding[]
  readonly index: number
  readonly board: Board | undefined
  readonly onSelect: (buildCode: string) => void
}

const BoardHead = ({ buildings, index, board, onSelect }: BoardHeadProps) => (
  <div className="board-head">
    <button
      type="button"
      className="plain"
      aria-label="上一栋"
      disabled={index <= 0}
      onClick={() => onSelect(defined(buildings[index - 1]).buildCode)}
    >
      <LeftOutlined />
    </button>
    <h1>{buildings[index]?.buildName}</h1>
    <button
      type="button"
      className="plain"
      aria-label="下一栋"
      disabled={index >= buildings.length - 1}
      onClick={() => onSelect(defined(buildings[index + 1]).buildCode)}
    >
      <RightOutlined />
    </button>
    {board && (
      <span className="figure">
        {board.total} 户 · 入住率 <strong>{formatPercent(board.occupancy)}</strong>
        {board.debt !== undefined && (
          <>
            {' '}
            · 欠费{' '}
            <strong>
              {(board.debtCounts ?? []).reduce((n, c) => n + c.count, 0)} 户{' '}
              {displayYuanWithSymbol(board.debt)}
            </strong>
          </>
        )}
      </span>
    )}
  </div>
)

interface LegendProps {
  readonly board: Board | undefined
  readonly filter: BoardFilter
}

const noCounts: Board['counts'] = []

const Legend = ({ board, filter: { states, ages, toggleState, toggleAge } }: LegendProps) => (
  <div className="board-legend" role="group" aria-label="按房态和欠费筛选">
    {(board?.counts ?? noCounts).map(({ roomState: state, count }) => (
      <button
        type="button"
        className="board-key"
        key={state}
        aria-pressed={states.has(state)}
        onClick={() => toggleState(state)}
      >
        <b
          style={{ ...tintStyle(state), background: state === 'unsold' ? undefined : 'var(--tint)' }}
          data-state={state}
        >
          {roomStateMarks[state]}
        </b>
        {labelOf(roomState, state)} <span className="figure">{count}</span>
      </button>
    ))}
    {board?.debtCounts?.map(({ age, count }) => (
      <button
        type="button"
        className="board-key"
        key={age}
        aria-pressed={ages.has(age)}
        onClick={() => toggleAge(age)}
      >
        <u data-debt={age} aria-hidden="true" />
        {labelOf(debtAge, age)} <span className="figure">{count}</span>
      </button>
    ))}
  </div>
)

/** A set that a legend's buttons put values into and take out of. */
function useToggles<T>(): [ReadonlySet<T>, (value: T) => void] {
  const [values, setValues] = useState<ReadonlySet<T>>(new Set())
  const toggle = (value: T): void =>
    setValues(before => {
      const after = new Set(before)
      if (!after.delete(value)) {
        after.add(value)
      }
      return after
    })
  return [values, toggle]
}

interface BoardFilter {
  readonly states: ReadonlySet<RoomState>
  readonly ages: ReadonlySet<DebtAge>
  readonly toggleState: (state: RoomState) => void
  readonly toggleAge: (age: DebtAge) => void
  /** Whether a room has a chosen state and a chosen debt age; without a choice all have. */
  readonly isVisible: (room: BoardCell) => boolean
}

function useBoardFilter(): BoardFilter {
  const [states, toggleState] = useToggles<RoomState>()
  const [ages, toggleAge] = useToggles<DebtAge>()
  const isVisible = (room: BoardCell): boolean =>
    (states.size === 0 || states.has(room.roomState)) &&
    (ages.size === 0 || (room.debtAge !== undefined && ages.has(room.debtAge)))
  return { states, ages, toggleState, toggleAge, isVisible }
}

/** The building and the room that the address names. */
function useBoardSelection(buildings: readonly BoardBuilding[]) {
  const [searchParams, setSearchParams] = useSearchParams()
  const buildingParam = searchParams.get('building')
  const index = Math.max(
    0,
    buildings.findIndex(building => building.buildCode === buildingParam),
  )
  const current = buildings[index]
  return {
    index,
    current,
    room: parseId(searchParams.get('room')) || undefined,
    selectBuilding: (building: string): void => setSearchParams({ building }, { replace: true }),
    selectRoom: (id: Id | undefined): void =>
      setSearchParams(
        { ...(current ? { building: current.buildCode } : {}), ...(id ? { room: String(id) } : {}) },
        { replace: true },
      ),
  }
}

function ProjectBoard({ project }: { readonly project: string }) {
  const buildings = useCall(listBoardBuildings, { projectCode: project })
  const list = buildings.data ?? []
  const { index, current, room, selectBuilding, selectRoom } = useBoardSelection(list)
  const filter = useBoardFilter()
  const loaded = useCall(
    getRoomBoard,
    { projectCode: project, buildCode: current?.buildCode ?? '' },
    { enabled: current !== undefined, keepPrevious: true },
  )
  if (buildings.isError)
    return (
      <BlankBoard>
        {buildings.error.message}
        <Button onClick={() => void buildings.refetch()}>重试</Button>
      </BlankBoard>
    )
  if (buildings.data && !list.length)
    return (
      <BlankBoard>
        该项目暂无楼栋，先新增楼栋再生成房间
        <AddButton label="新增楼栋" path={paths.addBuilding} />
      </BlankBoard>
    )
  const board = loaded.data
  const floors = Math.max(1, ...(board?.units.map(unit => unit.floorCount + unit.undergroundFloors) ?? []))
  const renderBoard = () => {
    if (loaded.isError)
      return (
        <div className="board-blank">
          {loaded.error.message}
          <Button onClick={() => void loaded.refetch()}>重试</Button>
        </div>
      )
    if (!board) return <RowSkeleton rows={12} />
    if (board.total === 0)
      return (
        <div className="board-blank">
          该楼栋暂无房间
          <AddButton label="新增房间" path={paths.addRoom} />
        </div>
      )
    return (
      <BoardGrid
        units={board.units}
        chosen={room}
        isVisible={filter.isVisible}
        onChoose={cell => selectRoom(cell.id)}
      />
    )
  }
  return (
    <div className="board" data-size={cellSizeOf(board?.units.length ?? 1, floors)}>
      <BuildingList buildings={list} current={current} onSelect={selectBuilding} />
      <main className="board-main">
        <BoardHead buildings={list} index={index} board={board} onSelect={selectBuilding} />
        <Legend board={board} filter={filter} />
        {renderBoard()}
      </main>
      {room !== undefined && <RoomPanel id={room} onClose={() => selectRoom(undefined)} />}
    </div>
  )
}
