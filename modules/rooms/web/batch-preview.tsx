import { useEffect, useState } from 'react'
import { formatCount } from '#kit/web/numbers.tsx'
import { groupIntoLines } from '#kit/web/pickers/tree-selection.ts'
import { useCall } from '#kit/web/query.ts'
import { unitLabel } from '#modules/estates/web/public.tsx'
import { previewRoomBatch, type RoomBatch } from '../contract/room-batch.ts'
import './rooms.css'

const requiredKeys = [
  'projectCode',
  'buildCode',
  'floorFrom',
  'floorTo',
  'perFloor',
  'roomType',
  'roomState',
] as const

const floorMark = (floor: number): string => (floor < 0 ? `B${-floor}` : `${floor}F`)
type BatchPlan = NonNullable<typeof previewRoomBatch.output.T>

/** The part of the form that decides which rooms there will be. */
const positionOf = (batch: Partial<RoomBatch>): Partial<RoomBatch> => ({
  projectCode: batch.projectCode,
  buildCode: batch.buildCode,
  floorFrom: batch.floorFrom,
  floorTo: batch.floorTo,
  perFloor: batch.perFloor,
  roomType: batch.roomType,
  roomState: batch.roomState,
  unitNames: batch.unitNames,
})

/** Half a number is kept as an object until it can be read. */
const isComplete = (batch: Partial<RoomBatch>): boolean =>
  requiredKeys.every(key => batch[key] !== undefined && typeof batch[key] !== 'object')

/** How many rooms will be new and how many are there already, before anything is written (BASE-3). */
export function BatchPreview({
  batch,
  onNewFloor,
}: {
  readonly batch: Partial<RoomBatch>
  readonly onNewFloor: (floor: number | undefined) => void
}) {
  const [settled, setSettled] = useState(batch)
  const current = positionOf(batch)
  const currentKey = JSON.stringify(current)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(current), 250)
    return () => clearTimeout(timer)
  }, [currentKey])
  const ready = isComplete(settled)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not sent before it is complete
  const plan = useCall(previewRoomBatch, settled as RoomBatch, {
    enabled: ready,
    keepPrevious: true,
    quiet: true,
    staleMs: 0,
  })
  const visiblePlan = ready ? plan.data : undefined
  useEffect(() => {
    onNewFloor(ready && !plan.isError ? plan.data?.newCount : undefined)
  }, [ready, plan.data, plan.isError, onNewFloor])
  if (!ready)
    return (
      <div className="batch-preview">
        <p>选好楼栋、楼层和每层户数后，此处列出将生成的房间</p>
      </div>
    )
  if (plan.isError)
    return (
      <div className="batch-preview">
        <p className="bad" role="alert">
          {plan.error.message || '预览计算失败，请重试'}
        </p>
      </div>
    )
  if (!visiblePlan)
    return (
      <div className="batch-preview">
        <p>正在计算</p>
      </div>
    )
  return (
    <div className="batch-preview" role="status" aria-live="polite">
      <p>
        将新增 <b>{formatCount(visiblePlan.newCount)}</b> 间，已存在{' '}
        <b>{formatCount(visiblePlan.existing)}</b> 间{visiblePlan.existing > 0 && '（保持原样，灰色显示）'}
        {visiblePlan.newCount + visiblePlan.existing > visiblePlan.rows.length &&
          `；下面列出前 ${formatCount(visiblePlan.rows.length)} 间`}
      </p>
      <div className="plan">
        {groupByUnit(visiblePlan).map(([unit, rows]) => (
          <section key={unit}>
            <h4>{unitLabel(unit)}</h4>
            {rows.map(([floor, cells]) => (
              <div className="plan-line" key={floor}>
                <span>{floor}</span>
                <div>
                  {cells.map(c => (
                    <i
                      key={c.roomNo}
                      className={c.exists ? 'existing' : ''}
                      title={c.exists ? '已存在' : '将新增'}
                    >
                      {c.roomNo}
                    </i>
                  ))}
                </div>
              </div>
            ))}
          </section>
        ))}
      </div>
    </div>
  )
}

type PlannedCell = BatchPlan['rows'][number]

/** By unit, from the top floor down, by number. */
const groupByUnit = (plan: BatchPlan): [string, [string, PlannedCell[]][]][] =>
  [...Map.groupBy(plan.rows, r => r.unitName)].map(([unit, rows]) => {
    const sorted = [...rows].toSorted(
      (a, b) => b.floorNum - a.floorNum || a.roomNo.localeCompare(b.roomNo, 'zh', { numeric: true }),
    )
    return [
      unit,
      groupIntoLines(
        sorted.map(room => ({
          key: room.roomNo,
          label: room.roomNo,
          path: [],
          leaf: true,
          row: floorMark(room.floorNum),
          data: room,
        })),
      ).map(([floor, leaves]): [string, PlannedCell[]] => [floor, leaves.map(l => l.data)]),
    ]
  })
