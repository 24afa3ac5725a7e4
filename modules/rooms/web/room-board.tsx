import { defined } from '#kit/domain/defined.ts'
import { Button, Skeleton } from 'antd'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { listBoardBuildings, getRoomBoard } from '../contract/room-board.ts'
import { roomState, roomStateMarks, type RoomState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { BoardGrid } from './board-grid.tsx'
import { cellSizeOf, tintStyle } from './board-style.ts'
import { RoomPanel } from './room-panel.tsx'
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

function ProjectBoard({ project }: { readonly project: string }) {
  const [searchParams, setSearchParams] = useSearchParams()
  const [visibleStates, setVisibleStates] = useState<ReadonlySet<RoomState>>(new Set())
  const navigate = useNavigate()
  const hasPermission = usePermission()
  const buildings = useCall(listBoardBuildings, { projectCode: project })
  const buildingList = buildings.data ?? []
  const buildingParam = searchParams.get('building')
  const index = Math.max(
    0,
    buildingList.findIndex(shownBoard => shownBoard.buildCode === buildingParam),
  )
  const current = buildingList[index]
  const board = useCall(
    getRoomBoard,
    { projectCode: project, buildCode: current?.buildCode ?? '' },
    { enabled: current !== undefined, keepPrevious: true },
  )
  const room = Number(searchParams.get('room')) || undefined
  const selectBuilding = (building: string): void => setSearchParams({ building }, { replace: true })
  const selectRoom = (id: number | undefined): void =>
    setSearchParams(
      { ...(current ? { building: current.buildCode } : {}), ...(id ? { room: String(id) } : {}) },
      { replace: true },
    )
  const toggleState = (state: RoomState): void =>
    setVisibleStates(before => {
      const after = new Set(before)
      if (!after.delete(state)) {
        after.add(state)
      }
      return after
    })

  if (buildings.isError)
    return (
      <div className="board">
        <div className="board-blank">
          {buildings.error.message}
          <Button onClick={() => void buildings.refetch()}>重试</Button>
        </div>
      </div>
    )
  if (buildings.data && !buildingList.length)
    return (
      <div className="board">
        <div className="board-blank">
          这个项目还没有楼栋，先新增楼栋再生成房间
          {hasPermission(menu.room.permissions.add) && (
            <Button type="primary" onClick={() => navigate('/service/data/buildlist/addbuilds')}>
              新增楼栋
            </Button>
          )}
        </div>
      </div>
    )
  const shownBoard = board.data
  const floors = Math.max(1, ...(shownBoard?.units.map(u => u.floorCount + u.undergroundFloors) ?? []))
  return (
    <div className="board" data-size={cellSizeOf(shownBoard?.units.length ?? 1, floors)}>
      <nav className="board-buildings scroll" aria-label="楼栋">
        <h2>楼栋 · 入住率</h2>
        {buildingList.map(building => (
          <button
            type="button"
            className="board-building"
            key={building.buildCode}
            aria-current={building === current}
            onClick={() => selectBuilding(building.buildCode)}
          >
            {building.buildName}
            <small className="figure">
              {building.rooms} 户 · {formatPercent(building.occupancy)}
            </small>
          </button>
        ))}
      </nav>
      <main className="board-main">
        <div className="board-head">
          <button
            type="button"
            className="plain"
            aria-label="上一栋"
            disabled={index <= 0}
            onClick={() => selectBuilding(defined(buildingList[index - 1]).buildCode)}
          >
            <LeftOutlined />
          </button>
          <h1>{current?.buildName}</h1>
          <button
            type="button"
            className="plain"
            aria-label="下一栋"
            disabled={index >= buildingList.length - 1}
            onClick={() => selectBuilding(defined(buildingList[index + 1]).buildCode)}
          >
            <RightOutlined />
          </button>
          {shownBoard && (
            <span className="figure">
              {shownBoard.total} 户 · 入住率 <strong>{formatPercent(shownBoard.occupancy)}</strong>
            </span>
          )}
        </div>
        <div className="board-legend" role="group" aria-label="按房态筛选">
          {shownBoard?.counts.map(c => (
            <button
              type="button"
              className="board-key"
              key={c.roomState}
              aria-pressed={visibleStates.has(c.roomState)}
              onClick={() => toggleState(c.roomState)}
            >
              <b
                style={{
                  ...tintStyle(c.roomState),
                  background: c.roomState === 'unsold' ? undefined : 'var(--tint)',
                }}
                data-state={c.roomState}
              >
                {roomStateMarks[c.roomState]}
              </b>
              {labelOf(roomState, c.roomState)} <span className="figure">{c.count}</span>
            </button>
          ))}
        </div>
        {board.isError ? (
          <div className="board-blank">
            {board.error.message}
            <Button onClick={() => void board.refetch()}>重试</Button>
          </div>
        ) : !shownBoard ? (
          <Skeleton active paragraph={{ rows: 12 }} />
        ) : shownBoard.total === 0 ? (
          <div className="board-blank">
            这栋楼还没有房间
            {hasPermission(menu.room.permissions.add) && (
              <Button type="primary" onClick={() => navigate('/service/data/roommange/addrooms')}>
                新增房间
              </Button>
            )}
          </div>
        ) : (
          <BoardGrid
            units={shownBoard.units}
            chosen={room}
            only={visibleStates}
            onChoose={r => selectRoom(r.id)}
          />
        )}
      </main>
      {room !== undefined && <RoomPanel id={room} onClose={() => selectRoom(undefined)} />}
    </div>
  )
}
