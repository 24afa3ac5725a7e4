import { useMemo } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { tellDone } from '#kit/web/acts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import type { Faults } from '#kit/web/form/state.ts'
import { count } from '#kit/web/figure.tsx'
import { OutcomeDialog, useOutcome } from '#kit/web/outcome.tsx'
import { useSend } from '#kit/web/query.ts'
import { changeState } from '../contract/change.ts'
import { roomState, type RoomState } from '../contract/words.ts'
import { stateFault } from '../domain/state.ts'
import type { RoomRow } from './kinds.ts'

type Said = Partial<NonNullable<typeof changeState.input.T>>
const dates = ['deliverDate', 'checkinDate', 'decorateBegin', 'decorateEnd'] as const

/** Which dates may come along with a state. */
const asked: { readonly [s in RoomState]?: readonly string[] } = {
  vacant: ['deliverDate'],
  lived: ['checkinDate'],
  fitting: ['decorateBegin', 'decorateEnd'],
}

const hides =
  (key: string) =>
  (v: Said): boolean =>
    !(v.roomState && asked[v.roomState]?.includes(key))

const groups: readonly AskGroup[] = [
  {
    keys: [
      { key: 'roomState', label: '变更为' },
      ...dates.map(key => ({ key, hidden: hides(key) })),
      { key: 'reason', help: '退回到“未售”“待交付”时必填；会写入变更记录' },
    ],
  },
]

/** Why a room may not go, before anything is sent: the same machine that the server asks (BASE-6). */
const faultOf = (r: RoomRow, v: Said): string | undefined =>
  stateFault(
    {
      ...r,
      ...(v.deliverDate ? { deliverDate: v.deliverDate } : {}),
      ...(v.decorateBegin ? { decorateBegin: v.decorateBegin } : {}),
    },
    v.roomState!,
    v.reason,
  )

const judge = (rooms: readonly RoomRow[], v: Said): ReadonlyMap<string, number> => {
  const why = new Map<string, number>()
  for (const r of rooms) {
    const f = faultOf(r, v)
    if (f) {
      why.set(f, (why.get(f) ?? 0) + 1)
    }
  }
  return why
}

const filled = { deliverDate: '2000-01-01', decorateBegin: '2000-01-01', reason: '说明' } as const

const wanted = {
  deliverDate: '请填写交付日期',
  decorateBegin: '请填写装修开始日期',
  reason: '退回请写明原因，至少 2 个字',
} as const

/** What is missing: a box that, once filled, would let a room go. */
const lacking = (rooms: readonly RoomRow[], v: Said): Faults | undefined =>
  v.roomState &&
  Object.fromEntries(
    (Object.keys(filled) as (keyof typeof filled)[])
      .filter(k =>
        rooms.some(r => faultOf(r, v) !== undefined && faultOf(r, { ...v, [k]: filled[k] }) === undefined),
      )
      .map(k => [k, wanted[k]]),
  )

function Judged({ rooms, of }: { readonly rooms: readonly RoomRow[]; readonly of: Said }) {
  const from = [...Map.groupBy(rooms, r => r.roomState)]
    .map(([s, all]) => `${labelOf(roomState, s)} ${all.length}`)
    .join('、')
  if (!of.roomState) return <p className="room-note">现在：{from}</p>
  const why = judge(rooms, of)
  const held = [...why.values()].reduce((a, b) => a + b, 0)
  return (
    <div className="room-note" role="status">
      <p>
        现在：{from}；可变更 <b>{count(rooms.length - held)}</b> 间
        {held > 0 && (
          <>
            ，<b className="bad">{count(held)}</b> 间不能变更
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
export function StateDialog({
  rooms,
  what,
  onClose,
}: {
  readonly rooms: readonly RoomRow[]
  readonly what: string
  readonly onClose: () => void
}) {
  const move = useSend(changeState, { quiet: true })
  const [outcome, show] = useOutcome()
  const initial = useMemo(() => ({ ids: rooms.map(r => String(r.id)) }), [rooms])
  if (outcome) return <OutcomeDialog of={outcome} title="房态变更结果" onClose={onClose} />
  const title =
    rooms.length === 1 ? `变更房态「${rooms[0]!.path}」` : `变更 ${count(rooms.length)} 间${what}的房态`
  return (
    <EditDialog
      of={changeState.input}
      title={title}
      groups={groups}
      initial={initial}
      words="变更房态"
      as="dialog"
      save={v => move.mutateAsync(v)}
      onClose={onClose}
      below={v => <Judged rooms={rooms} of={v} />}
      rules={v => lacking(rooms, v)}
      onDone={a => {
        const b = a as NonNullable<typeof changeState.output.T>
        if (b.fail || b.skipped) {
          show(b)
        } else {
          tellDone(b, '')
          onClose()
        }
      }}
    />
  )
}
