import { Select } from 'antd'
import { clearable } from '#kit/web/clearable.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { aria, type ControlProps } from '#kit/web/controls/kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { oneRoom } from '#modules/rooms/contract/room.ts'
import { homesOf } from '../contract/residency.ts'
import { relation } from '../contract/words.ts'

/** One of the rooms that the chosen resident has to do with in the project of the form, kept by its id. */
export function HomeSelect(p: ControlProps) {
  const user = Number(p.given.userId) || 0
  const value = p.value as number | undefined
  const homes = useCall(homesOf, { userId: user }, { enabled: user > 0, quiet: true }).data ?? []
  const mine = homes.filter(
    h => h.status === 'living' && (!p.given.projectCode || h.projectCode === p.given.projectCode),
  )
  // A room that he has left since keeps its name.
  const gone = useCall(
    oneRoom,
    { id: value ?? 0 },
    { enabled: value !== undefined && !mine.some(h => h.roomId === value), quiet: true },
  ).data
  const options = [
    ...mine.map(h => ({ value: h.roomId, label: `${h.roomPath ?? ''} ${labelOf(relation, h.relation)}` })),
    ...(gone ? [{ value: gone.id, label: gone.path ?? '' }] : []),
  ]
  return (
    <Select
      {...aria(p)}
      style={{ width: '100%' }}
      allowClear={clearable}
      disabled={p.disabled || user === 0}
      placeholder={user ? '请选择房屋' : '请先选择持有人'}
      notFoundContent="该住户在本项目没有在住的房屋"
      options={options}
      value={value ?? null}
      onChange={v => p.onChange(v ?? undefined)}
      onBlur={p.onBlur}
    />
  )
}
