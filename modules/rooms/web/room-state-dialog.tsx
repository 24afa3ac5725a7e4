import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import type { Day } from '#kit/domain/day.ts'
import { labelOf } from '#kit/contract/field.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { FormField, FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Faults } from '#kit/web/form/use-form.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import { useSend } from '#kit/web/query.ts'
import { today } from '#kit/web/date-format.ts'
import { usePermission } from '#kit/web/session.ts'
import { changeRoomState } from '../contract/room-change.ts'
import { roomState, type RoomState } from '../contract/labels.ts'
import { beforeDelivery, roomStateFault } from '../domain/room-state.ts'
import { menu } from '../module.ts'
import type { Room } from '../contract/room.ts'
import { useEffectiveDateLimit } from './effective-date.ts'

type StateInput = Partial<NonNullable<typeof changeRoomState.input.T>>
const dateKeys = ['deliverDate', 'checkinDate', 'decorateBegin', 'decorateEnd'] as const

/** Which dates may come along with a state. */
const datesByState: { readonly [state in RoomState]?: readonly string[] } = {
  vacant: ['deliverDate'],
  lived: ['checkinDate'],
  fitting: ['decorateBegin', 'decorateEnd'],
}

const isDateHidden =
  (key: string) =>
  (input: StateInput): boolean =>
    !(input.roomState && datesByState[input.roomState]?.includes(key))

/** The state began on the day that is entered for it, where a change may reach back so far. */
const followedDates: readonly string[] = ['deliverDate', 'checkinDate', 'decorateBegin']

const isNotDelivery = ({ roomState: state }: StateInput): boolean =>
  state === undefined || beforeDelivery.includes(state)

const buildGroups = (
  { help, faultOf: dateFaultOf }: ReturnType<typeof useEffectiveDateLimit>,
  canOverride: boolean,
): readonly FormFieldGroup[] => [
  {
    keys: [
      { key: 'roomState', label: '变更为' },
      ...dateKeys.map((key): FormField => ({
        key,
        isHidden: isDateHidden(key),
        deriveValues: (day: Day | undefined) =>
          followedDates.includes(key) && day && !dateFaultOf(day) ? { effectiveDate: day } : undefined,
      })),
      { key: 'effectiveDate', help },
      { key: 'reason', help: '退回到“未售”“待交付”时必填；会写入变更记录' },
      ...(canOverride ? [{ key: 'overridesChecks', isHidden: isNotDelivery }] : []),
    ],
  },
]

/** Why a room may not go, before anything is sent: the same machine that the server asks (BASE-6). */
const faultOf = (row: Room, input: StateInput): string | undefined =>
  roomStateFault(
    {
      ...row,
      ...(input.deliverDate ? { deliverDate: input.deliverDate } : {}),
      ...(input.decorateBegin ? { decorateBegin: input.decorateBegin } : {}),
    },
    defined(input.roomState),
    input.reason,
  )

const countFaults = (rooms: readonly Room[], input: StateInput): ReadonlyMap<string, number> => {
  const countByFault = new Map<string, number>()
  for (const row of rooms) {
    const fault = faultOf(row, input)
    if (fault) {
      countByFault.set(fault, (countByFault.get(fault) ?? 0) + 1)
    }
  }
  return countByFault
}

const sampleValues = { deliverDate: '2000-01-01', decorateBegin: '2000-01-01', reason: '说明' } as const

const missingMessages = {
  deliverDate: '请填写交付日期',
  decorateBegin: '请填写装修开始日期',
  reason: '退回请注明原因，至少 2 个字',
} as const

/** What is missing: a box that, once filled, would let a room go. */
const findMissingFields = (rooms: readonly Room[], input: StateInput): Faults | undefined =>
  input.roomState &&
  Object.fromEntries(
    (['deliverDate', 'decorateBegin', 'reason'] as const)
      .filter(key =>
        rooms.some(
          row =>
            faultOf(row, input) !== undefined &&
            faultOf(row, { ...input, [key]: sampleValues[key] }) === undefined,
        ),
      )
      .map(k => [k, missingMessages[k]]),
  )

function StateSummary({ rooms, input }: { readonly rooms: readonly Room[]; readonly input: StateInput }) {
  const from = [...Map.groupBy(rooms, row => row.roomState)]
    .map(([state, all]) => `${labelOf(roomState, state)} ${all.length}`)
    .join('、')
  if (!input.roomState) return <p className="room-note">现在：{from}</p>
  const countByFault = countFaults(rooms, input)
  const refused = [...countByFault.values()].reduce((answer, result) => answer + result, 0)
  return (
    <div className="room-note" role="status">
      <p>
        现在：{from}；可变更 <b>{formatCount(rooms.length - refused)}</b> 间
        {refused > 0 && (
          <>
            ，<b className="bad">{formatCount(refused)}</b> 间不能变更
          </>
        )}
      </p>
      {refused > 0 && (
        <ul>
          {[...countByFault].slice(0, 5).map(([fault, n]) => (
            <li key={fault}>
              {fault}（{n} 间）
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Moves rooms to another state; what cannot change is listed before and after. */
export function RoomStateDialog({
  rooms,
  itemName,
  onClose,
}: {
  readonly rooms: readonly Room[]
  readonly itemName: string
  readonly onClose: () => void
}) {
  const submit = useSend(changeRoomState, { quiet: true })
  const roomIds = useMemo(() => [...new Map(rooms.map(row => [row.projectCode, row.id])).values()], [rooms])
  const limit = useEffectiveDateLimit(roomIds)
  const hasPermission = usePermission()
  const canOverride =
    rooms.some(row => beforeDelivery.includes(row.roomState)) &&
    hasPermission(menu.room.permissions.overrideDelivery)
  const groups = useMemo(() => buildGroups(limit, canOverride), [limit.help, canOverride])
  const initial = useMemo(() => ({ ids: rooms.map(row => String(row.id)), effectiveDate: today() }), [rooms])
  const title =
    rooms.length === 1
      ? `变更房态「${defined(rooms[0]).path}」`
      : `变更 ${formatCount(rooms.length)} 间${itemName}的房态`
  return (
    <EditDialog
      shape={changeRoomState.input}
      draftKey={draftKeyOf(changeRoomState, initial.ids)}
      title={title}
      groups={groups}
      initial={initial}
      submitLabel="变更房态"
      presentation="dialog"
      save={input => submit.mutateAsync(input)}
      onClose={onClose}
      below={input => <StateSummary rooms={rooms} input={input} />}
      rules={input => {
        const dateFault = limit.faultOf(input.effectiveDate)
        return { ...findMissingFields(rooms, input), ...(dateFault ? { effectiveDate: dateFault } : {}) }
      }}
      onDone={answer => {
        reportBulkResult(answer, '房态变更结果')
        onClose()
      }}
    />
  )
}
