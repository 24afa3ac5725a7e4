import { parseId } from '#kit/domain/id.ts'
import { Button } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import { defined } from '#kit/domain/defined.ts'
import { isDay, type Day } from '#kit/domain/day.ts'
import { controls, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { LinesControl } from '#kit/web/controls/lines.tsx'
import { useCall } from '#kit/web/query.ts'
import { today } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getRoom } from '#modules/rooms/contract/room.ts'
import { MultiRoomPicker, type PickedRoom } from '#modules/rooms/web/public.tsx'
import { findRoomsInUse, type CompanyRoomDraft } from '../contract/company.ts'
import { staysOverlap, stayText } from '../domain/room-stay.ts'
import './companies.css'

/** A room on the form knows what it is called; only its draft is sent. */
type RoomRow = Partial<CompanyRoomDraft> & { readonly roomCode?: string; readonly roomPath?: string }

const roomRowsOf = (value: unknown): readonly RoomRow[] =>
  Array.isArray(value) ? value.map((row: RoomRow) => row) : []

function RoomName({ row: { roomId, roomPath } }: { readonly row: RoomRow }) {
  const room = useCall(
    getRoom,
    { id: roomId ?? 0 },
    { quiet: true, enabled: roomPath === undefined && roomId !== undefined },
  )
  return <>{roomPath ?? room.data?.path ?? '…'}</>
}

/** Which company has a room in the time of its row (BASE-16). */
function useConflicts(rows: readonly RoomRow[], companyId: unknown): (row: RoomRow) => string | undefined {
  const roomIds = rows.flatMap(r => (r.roomId ? [String(r.roomId)] : []))
  const [beginDate] = rows.flatMap(r => r.beginDate ?? []).toSorted()
  const inUse = useCall(
    findRoomsInUse,
    {
      roomIds,
      ...(companyId ? { companyId: parseId(companyId) } : {}),
      ...(beginDate ? { beginDate } : {}),
    },
    { enabled: roomIds.length > 0 && beginDate !== undefined, keepPrevious: true, quiet: true, staleMs: 0 },
  )
  return row => {
    const { roomId, beginDate: begin, endDate } = row
    if (!begin) return undefined
    const holding = inUse.data?.find(
      h => h.roomId === roomId && staysOverlap(h, { beginDate: begin, endDate }),
    )
    return holding && `${stayText(holding)} 属于「${holding.companyName}」`
  }
}

/** The rows of what is chosen now: those that stay, then the new ones. */
function rowsOfPicked(
  rows: readonly RoomRow[],
  picked: readonly PickedRoom[],
  beginDate: Day,
): readonly RoomRow[] {
  const pickedIds = new Set(picked.map(p => p.id))
  const kept = rows.filter(r => r.roomId !== undefined && pickedIds.has(r.roomId))
  const added = picked.filter(p => !rows.some(r => r.roomId === p.id))
  return [
    ...kept,
    ...added.map(({ id, code, path, room: { buildArea } }) => ({
      roomId: id,
      roomCode: code,
      roomPath: path,
      beginDate,
      ...(buildArea ? { area: buildArea } : {}),
    })),
  ]
}

const textOr = <T,>(value: unknown, otherwise: T): string | T =>
  typeof value === 'string' ? value : otherwise

const dayOr = (value: unknown, otherwise: Day): Day =>
  typeof value === 'string' && isDay(value) ? value : otherwise

/** Rooms with their time: chosen in the tree, each checked against the companies that have it (BASE-16). */
export function CompanyRoomsControl(props: ControlProps) {
  const { field, value, onChange, formValues, nestedFaults } = props
  const project = useProject()
  const projectCode = textOr(formValues.projectCode, project)
  const [isPicking, setIsPicking] = useState(false)
  const rows = useMemo(() => roomRowsOf(value), [value])
  const conflictOf = useConflicts(rows, formValues.id)
  const finishPicking = (picked: readonly PickedRoom[] | undefined): void => {
    setIsPicking(false)
    if (!picked) return
    onChange(rowsOfPicked(rows, picked, dayOr(formValues.inDate, today())))
    props.onBlur()
  }
  const drawRoom = (index: number): ReactNode => {
    const row = defined(rows[index])
    const fault = nestedFaults[`[${index}].roomId`] ?? conflictOf(row)
    return (
      <div className="company-room">
        <b>
          <RoomName row={row} />
        </b>
        {fault && (
          <span className="fault" role="alert">
            {fault}
          </span>
        )}
      </div>
    )
  }
  const disabledReason = projectCode ? undefined : '请先选择项目'
  return (
    <>
      <LinesControl
        {...props}
        controls={controls}
        hiddenMembers={['roomId']}
        subject={{ title: '房间', draw: drawRoom }}
        removeLabel={index => `移除 ${rows[index]?.roomPath ?? `第 ${index + 1} 行`}`}
        addition={
          <Button
            size="small"
            disabled={disabledReason !== undefined}
            title={disabledReason}
            onClick={() => setIsPicking(true)}
          >
            选择房间
          </Button>
        }
      />
      {isPicking && (
        <MultiRoomPicker
          max={field.max}
          projectCode={projectCode}
          value={rows.flatMap(r => r.roomCode ?? [])}
          onDone={finishPicking}
        />
      )}
    </>
  )
}
