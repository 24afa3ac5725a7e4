import { Button } from 'antd'
import { useState } from 'react'
import { shape } from '#kit/contract/shape.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { listBuildings, type Building } from '#modules/estates/contract/building.ts'
import { importRooms } from '#modules/rooms/contract/import-export.ts'
import { roomBatchFields } from '#modules/rooms/contract/room-batch.ts'
import { abbreviateNames } from '../../domain/building-plan.ts'
import { addRooms, type NewRooms } from '../actions.ts'
import { InlineForm } from '#kit/web/form/inline-form.tsx'
import type { StepProps } from './step.ts'

const ImportDialog = lazyComponent(() =>
  import('#kit/web/transfer/import-dialog.tsx').then(m => m.ImportDialog),
)

const { perFloor, roomType, roomState, buildArea, layout } = roomBatchFields
const input = shape({ perFloor, roomType, roomState, buildArea, layout })
type RoomInput = NonNullable<typeof input.T>

const initial = { perFloor: 4, roomType: 'home', roomState: 'vacant' } as const
const groups = [
  {
    keys: [
      'perFloor',
      'roomType',
      { key: 'roomState', help: '登记住户入住后变为已入住' },
      { key: 'buildArea', help: '各房间相同；不同的可稍后逐间修改或导入' },
    ],
  },
]

/** Of rooms above each other on every floor of every unit. */
const countRooms = (buildings: readonly Building[], onFloor: number): number =>
  buildings.reduce((n, b) => n + b.units * onFloor * Math.max(...b.floors.map(Number)), 0)

function PlannedRooms({
  values,
  buildings,
}: {
  readonly values: Partial<RoomInput>
  readonly buildings: readonly Building[]
}) {
  const onFloor = values.perFloor
  if (typeof onFloor !== 'number' || onFloor < 1) return null
  return (
    <p className="step-preview" role="status">
      {abbreviateNames(buildings.map(b => b.name))}：每层房号 101～{100 + onFloor}、201～{200 + onFloor}{' '}
      …，最多 {formatCount(countRooms(buildings, onFloor))} 间；已有房间保持原样
    </p>
  )
}

export function RoomStep({ projectCode, onDone, onOpenStep }: StepProps) {
  const [progress, setProgress] = useState('')
  const [importing, setImporting] = useState(false)
  const buildings = useCall(listBuildings, { projectCode, page: 1, size: 500 }, { project: 0, staleMs: 0 })
  if (!buildings.data) return <RowSkeleton rows={3} />
  const { rows } = buildings.data
  return (
    <>
      <InlineForm
        shape={input}
        groups={groups}
        initial={initial}
        draftKey={`guide/room/${projectCode}`}
        submitLabel="批量生成房间"
        disabledReason={rows.length ? undefined : '请先新增楼栋'}
        below={values =>
          rows.length ? (
            <PlannedRooms values={values} buildings={rows} />
          ) : (
            <p className="step-preview" role="status">
              请先新增楼栋，再批量生成房间；也可从表格导入，一并新增楼栋{' '}
              <Button type="link" size="small" onClick={() => onOpenStep('building')}>
                新增楼栋
              </Button>
            </p>
          )
        }
        save={async values => {
          const rooms: NewRooms = { ...values, projectCode }
          const newCount = await addRooms(rooms, rows, (done, total) => setProgress(`${done} / ${total} 栋`))
          setProgress('')
          return newCount
        }}
        onDone={newCount => {
          toast.success(newCount ? `已新增 ${formatCount(newCount)} 间房` : '这些房间均已存在')
          onDone(true)
        }}
        extraContent={
          <>
            <Button onClick={() => setImporting(true)}>从表格导入</Button>
            {progress && <span className="step-note">{progress}</span>}
          </>
        }
      />
      {importing && (
        <ImportDialog
          spec={importRooms}
          itemName="房间"
          input={{ projectCode }}
          nextStep={{ label: '下一步', run: () => onDone(true) }}
          onClose={() => {
            setImporting(false)
            onDone(false)
          }}
        />
      )}
    </>
  )
}
