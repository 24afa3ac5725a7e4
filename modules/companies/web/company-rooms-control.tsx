import { defined } from '#kit/domain/defined.ts'
import { DeleteOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { controls, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { today } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getRoom } from '#modules/rooms/contract/room.ts'
import { MultiRoomPicker, type PickedRoom } from '#modules/rooms/web/public.tsx'
import { findRoomsInUse, type CompanyRoomDraft } from '../contract/company.ts'
import './companies.css'

/** A room on the form knows what it is called; only its draft is sent. */
export type RoomRow = Partial<CompanyRoomDraft> & { readonly roomCode?: string; readonly roomPath?: string }

function RoomName({ row }: { readonly row: RoomRow }) {
  const one = useCall(
    getRoom,
    { id: defined(row.roomId) },
    { quiet: true, enabled: row.roomPath === undefined && row.roomId !== undefined },
  )
  return <>{row.roomPath ?? one.data?.path ?? '…'}</>
}

const openEnd = '9999-12-31'

/** Rooms with their time: chosen in the tree, each checked against the companies that have it (BASE-16). */
export function CompanyRoomsControl({
  field,
  id,
  value,
  onChange,
  onBlur,
  disabled,
  formValues,
  nestedFaults,
  describedBy,
}: ControlProps) {
  const project = useProject()
  const projectCode = (formValues.projectCode as string | undefined) ?? project
  const [picking, setPicking] = useState(false)
  const rows = useMemo(() => (value as readonly RoomRow[] | undefined) ?? [], [value])
  const members = Object.entries(nestedFieldsOf(field)).filter(([k]) => k !== 'roomId')
  const ids = rows.flatMap(r => (r.roomId ? [String(r.roomId)] : []))
  const from = rows
    .map(r => r.beginDate)
    .filter(d => d !== undefined)
    .toSorted()[0]
  const used = useCall(
    findRoomsInUse,
    {
      roomIds: ids,
      ...(formValues.id ? { companyId: Number(formValues.id) } : {}),
      ...(from ? { beginDate: from } : {}),
    },
    { enabled: ids.length > 0 && from !== undefined, keepPrevious: true, quiet: true, staleMs: 0 },
  )
  const clash = (r: RoomRow): string | undefined => {
    const held = r.beginDate
      ? used.data?.find(
          u =>
            u.roomId === r.roomId &&
            u.beginDate <= (r.endDate ?? openEnd) &&
            (u.endDate ?? openEnd) >= defined(r.beginDate),
        )
      : undefined
    return held && `${held.beginDate} 至 ${held.endDate ?? '今'} 属于「${held.companyName}」`
  }
  const put = (i: number, k: string, v: unknown): void =>
    onChange(rows.map((r, n) => (n === i ? { ...r, [k]: v } : r)))
  const take = (got: readonly PickedRoom[] | undefined): void => {
    setPicking(false)
    if (!got) return
    const picked = new Set(got.map(g => g.id))
    const kept = rows.filter(r => r.roomId !== undefined && picked.has(r.roomId))
    const fresh = got.filter(g => !rows.some(r => r.roomId === g.id))
    onChange([
      ...kept,
      ...fresh.map(g => ({
        roomId: g.id,
        roomCode: g.code,
        roomPath: g.path,
        beginDate: (formValues.inDate as string | undefined) ?? today(),
        ...(g.room.buildArea ? { area: g.room.buildArea } : {}),
      })),
    ])
    onBlur()
  }
  const codes = rows.flatMap(r => r.roomCode ?? [])
  const why = disabled ? undefined : !projectCode ? '请先选择项目' : undefined
  return (
    <div className="lines" id={id} role="group" aria-label={field.label} aria-describedby={describedBy}>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th style={{ minWidth: 120 }}>房间</th>
              {members.map(([k, m]) => (
                <th key={k} style={{ minWidth: m.kind === 'day' ? 132 : 96 }}>
                  {m.required && <i className="star">*</i>}
                  {m.kind === 'decimal' ? `${m.label}（㎡）` : m.label}
                </th>
              ))}
              <th />
            </tr>
          </thead>
          <tbody>
            {rows.map((r, i) => {
              const wrong = nestedFaults[`[${i}].roomId`] ?? clash(r)
              return (
                <tr key={r.roomId ?? i}>
                  <td className="company-room">
                    <b>
                      <RoomName row={r} />
                    </b>
                    {wrong && (
                      <span className="fault" role="alert">
                        {wrong}
                      </span>
                    )}
                  </td>
                  {members.map(([k, m]) => {
                    const Control = controls[m.kind]
                    const fault = nestedFaults[`[${i}].${k}`]
                    return (
                      <td key={k}>
                        <Control
                          field={{ ...m, unit: undefined }}
                          id={`${id}-${i}-${k}`}
                          value={(r as Readonly<Record<string, unknown>>)[k]}
                          onChange={v => put(i, k, v)}
                          onBlur={onBlur}
                          disabled={disabled}
                          invalid={fault !== undefined}
                          describedBy={undefined}
                          formValues={{}}
                          nestedFaults={{}}
                          compact
                        />
                        {fault && <span className="fault">{fault}</span>}
                      </td>
                    )
                  })}
                  <td>
                    {!disabled && (
                      <button
                        type="button"
                        className="plain"
                        aria-label={`移除 ${r.roomPath ?? `第 ${i + 1} 行`}`}
                        onClick={() => onChange(rows.filter((_, n) => n !== i))}
                      >
                        <DeleteOutlined />
                      </button>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {!disabled && (
        <Button size="small" disabled={why !== undefined} title={why} onClick={() => setPicking(true)}>
          选择房间
        </Button>
      )}
      {picking && <MultiRoomPicker max={field.max} projectCode={projectCode} value={codes} onDone={take} />}
    </div>
  )
}
