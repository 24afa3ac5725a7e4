import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { FormField, FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { BulkResultDialog, useBulkResult } from '#kit/web/bulk-result-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { changeRoomState } from '../contract/room-change.ts'
import { roomState, type RoomState } from '../contract/labels.ts'
import { roomStateFault } from '../domain/room-state.ts'
import type { RoomRow } from './room-kinds.ts'

type StateInput = Partial<NonNullable<typeof changeRoomState.input.T>>
const dateKeys = ['deliverDate', 'checkinDate', 'decorateBegin', 'decorateEnd'] as const

/** Which dates may come along with a state. */
const datesByState: { readonly [s in RoomState]?: readonly string[] } = {
  vacant: ['deliverDate'],
  lived: ['checkinDate'],
  fitting: ['decorateBegin', 'decorateEnd'],
}

const isDateHidden =
  (key: string) =>
  (v: StateInput): boolean =>
    !(v.roomState && datesByState[v.roomState]?.includes(key))

const groups: readonly FormFieldGroup[] = [
  {
    keys: [
      { key: 'roomState', label: '变更为' },
      ...dateKeys.map((key): FormField => ({ key, isHidden: isDateHidden(key) })),
      { key: 'reason', help: '退回到“未售”“待交付”时必填；会写入变更记录' },
    ],
  },
]

/** Why a room may not go, before anything is sent: the same machine that the server asks (BASE-6). */
const faultOf = (r: RoomRow, v: StateInput): string | undefined =>
  roomStateFault(
    {
      ...r,
      ...(v.deliverDate ? { deliverDate: v.deliverDate } : {}),
      ...(v.decorateBegin ? { decorateBegin: v.decorateBegin } : {}),
    },
    defined(v.roomState),
    v.reason,
  )

const countFaults = (rooms: readonly RoomRow[], v: StateInput): ReadonlyMap<string, number> => {
  const why = new Map<string, number>()
  for (const r of rooms) {
    const f = faultOf(r, v)
    if (f) {
      why.set(f, (why.get(f) ?? 0) + 1)
    }
  }
  return why
}

const sampleValues = { deliverDate: '2000-01-01', decorateBegin: '2000-01-01', reason: '说明' } as const

const missingMessages = {
  deliverDate: '请填写交付日期',
  decorateBegin: '请填写装修开始日期',
  reason: '退回请写明原因，至少 2 个字',
} as const

/** What is missing: a box that, once filled, would let a room go. */
const findMissingFields = (rooms: readonly RoomRow[], v: StateInput): Faults | undefined =>
  v.roomState &&
  Object.fromEntries(
    (Object.keys(sampleValues) as (keyof typeof sampleValues)[])
      .filter(k =>
        rooms.some(
          r => faultOf(r, v) !== undefined && faultOf(r, { ...v, [k]: sampleValues[k] }) === undefined,
        ),
      )
      .map(k => [k, missingMessages[k]]),
  )

function StateSummary({ rooms, of }: { readonly rooms: readonly RoomRow[]; readonly of: StateInput }) {
  const from = [...Map.groupBy(rooms, r => r.roomState)]
    .map(([s, all]) => `${labelOf(roomState, s)} ${all.length}`)
    .join('、')
  if (!of.roomState) return <p className="room-note">现在：{from}</p>
  const why = countFaults(rooms, of)
  const held = [...why.values()].reduce((a, b) => a + b, 0)
  return (
    <div className="room-note" role="status">
      <p>
        现在：{from}；可变更 <b>{formatCount(rooms.length - held)}</b> 间
        {held > 0 && (
          <>
            ，<b className="bad">{formatCount(held)}</b> 间不能变更
          </>
        )}
      </p>
      {held > 0 && (
        <ul>
          {[...why].slice(0, 5).map(([f, n]) => (
            <li key={f}>
              {f}（{n} 间）
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Moves rooms to another state; what cannot go is said before and after. */
export function RoomStateDialog({
  rooms,
  what,
  onClose,
}: {
  readonly rooms: readonly RoomRow[]
  readonly what: string
  readonly onClose: () => void
}) {
  const move = useSend(changeRoomState, { quiet: true })
  const [outcome, show] = useBulkResult()
  const initial = useMemo(() => ({ ids: rooms.map(r => String(r.id)) }), [rooms])
  if (outcome) return <BulkResultDialog result={outcome} title="房态变更结果" onClose={onClose} />
  const title =
    rooms.length === 1
      ? `变更房态「${defined(rooms[0]).path}」`
      : `变更 ${formatCount(rooms.length)} 间${what}的房态`
  return (
    <EditDialog
      shape={changeRoomState.input}
      title={title}
      groups={groups}
      initial={initial}
      submitLabel="变更房态"
      presentation="dialog"
      save={v => move.mutateAsync(v)}
      onClose={onClose}
      below={v => <StateSummary rooms={rooms} of={v} />}
      rules={v => findMissingFields(rooms, v)}
      onDone={a => {
        const b = a as NonNullable<typeof changeRoomState.output.T>
        if (b.fail || b.skipped) {
          show(b)
        } else {
          toastResult(b, '')
          onClose()
        }
      }}
    />
  )
}
