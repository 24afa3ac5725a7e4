import { Select } from 'antd'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { ariaProps, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { getRoom } from '#modules/rooms/contract/room.ts'
import { listResidentHomes } from '../contract/residency.ts'
import { relation } from '../contract/labels.ts'

/** One of the rooms that the chosen resident has to do with in the project of the form, kept by its id. */
export function HomeSelect(p: ControlProps) {
  const user = Number(p.formValues.userId) || 0
  const value = p.value as number | undefined
  const homes = useCall(listResidentHomes, { userId: user }, { enabled: user > 0, quiet: true }).data ?? []
  const mine = homes.filter(
    h => h.status === 'living' && (!p.formValues.projectCode || h.projectCode === p.formValues.projectCode),
  )
  // A room that he has left since keeps its name.
  const gone = useCall(
    getRoom,
    { id: value ?? 0 },
    { enabled: value !== undefined && !mine.some(h => h.roomId === value), quiet: true },
  ).data
  const options = [
    ...mine.map(h => ({ value: h.roomId, label: `${h.roomPath ?? ''} ${labelOf(relation, h.relation)}` })),
    ...(gone ? [{ value: gone.id, label: gone.path ?? '' }] : []),
  ]
  return (
    <Select
      {...ariaProps(p)}
      style={{ width: '100%' }}
      allowClear={allowClear}
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
