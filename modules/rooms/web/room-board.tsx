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
  const project = useSession(s => s.project?.code ?? s.signed?.nearestProjectCode)
  if (!project || project === '0')
    return (
      <div className="board">
        <div className="board-blank">房态图按项目查看，请先在左上角选择一个项目</div>
      </div>
    )
  return <ProjectBoard project={project} key={project} />
}

function ProjectBoard({ project }: { readonly project: string }) {
  const [at, setAt] = useSearchParams()
  const [only, setOnly] = useState<ReadonlySet<RoomState>>(new Set())
  const navigate = useNavigate()
  const may = usePermission()
  const buildings = useCall(listBoardBuildings, { projectCode: project })
  const list = buildings.data ?? []
  const said = at.get('building')
  const index = Math.max(
    0,
    list.findIndex(b => b.buildCode === said),
  )
  const current = list[index]
  const board = useCall(
    getRoomBoard,
    { projectCode: project, buildCode: current?.buildCode ?? '' },
    { enabled: current !== undefined, keepPrevious: true },
  )
  const room = Number(at.get('room')) || undefined
  const open = (building: string): void => setAt({ building }, { replace: true })
  const pin = (id: number | undefined): void =>
    setAt(
      { ...(current ? { building: current.buildCode } : {}), ...(id ? { room: String(id) } : {}) },
      { replace: true },
    )
  const toggle = (s: RoomState): void =>
    setOnly(was => {
      const now = new Set(was)
      if (!now.delete(s)) {
        now.add(s)
      }
      return now
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
  if (buildings.data && !list.length)
    return (
      <div className="board">
        <div className="board-blank">
          这个项目还没有楼栋，先新增楼栋再生成房间
          {may(menu.room.permissions.add) && (
            <Button type="primary" onClick={() => navigate('/service/data/buildlist/addbuilds')}>
              新增楼栋
            </Button>
          )}
        </div>
      </div>
    )
  const b = board.data
  const floors = Math.max(1, ...(b?.units.map(u => u.floorCount + u.undergroundFloors) ?? []))
  return (
    <div className="board" data-size={cellSizeOf(b?.units.length ?? 1, floors)}>
      <nav className="board-buildings scroll" aria-label="楼栋">
        <h2>楼栋 · 入住率</h2>
        {list.map(x => (
          <button
            type="button"
            className="board-building"
            key={x.buildCode}
            aria-current={x === current}
            onClick={() => open(x.buildCode)}
          >
            {x.buildName}
            <small className="figure">
              {x.rooms} 户 · {formatPercent(x.occupancy)}
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
            onClick={() => open(defined(list[index - 1]).buildCode)}
          >
            <LeftOutlined />
          </button>
          <h1>{current?.buildName}</h1>
          <button
            type="button"
            className="plain"
            aria-label="下一栋"
            disabled={index >= list.length - 1}
            onClick={() => open(defined(list[index + 1]).buildCode)}
          >
            <RightOutlined />
          </button>
          {b && (
            <span className="figure">
              {b.total} 户 · 入住率 <strong>{formatPercent(b.occupancy)}</strong>
            </span>
          )}
        </div>
        <div className="board-legend" role="group" aria-label="按房态筛选">
          {b?.counts.map(c => (
            <button
              type="button"
              className="board-key"
              key={c.roomState}
              aria-pressed={only.has(c.roomState)}
              onClick={() => toggle(c.roomState)}
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
        ) : !b ? (
          <Skeleton active paragraph={{ rows: 12 }} />
        ) : b.total === 0 ? (
          <div className="board-blank">
            这栋楼还没有房间
            {may(menu.room.permissions.add) && (
              <Button type="primary" onClick={() => navigate('/service/data/roommange/addrooms')}>
                新增房间
              </Button>
            )}
          </div>
        ) : (
          <BoardGrid units={b.units} chosen={room} only={only} onChoose={r => pin(r.id)} />
        )}
      </main>
      {room !== undefined && <RoomPanel id={room} onClose={() => pin(undefined)} />}
    </div>
  )
}
