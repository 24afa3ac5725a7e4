import { parseId } from '#kit/domain/id.ts'
import { Select } from 'antd'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { ariaProps, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { getRoom } from '#modules/rooms/contract/room.ts'
import { listResidentHomes } from '../contract/residency.ts'
import { relation } from '../contract/relation.ts'

/** One of the rooms that the chosen resident has to do with in the project of the form, kept by its id. */
export function HomeSelect(props: ControlProps) {
  const userId = parseId(props.formValues.userId)
  const value = typeof props.value === 'number' ? parseId(props.value) : undefined
  const homes = useCall(listResidentHomes, { userId }, { enabled: userId > 0, quiet: true }).data ?? []
  const currentHomes = homes.filter(
    h =>
      h.status === 'living' &&
      (!props.formValues.projectCode || h.projectCode === props.formValues.projectCode),
  )
  // A room that was left since keeps its name.
  const formerRoom = useCall(
    getRoom,
    { id: value ?? 0 },
    { enabled: value !== undefined && !currentHomes.some(h => h.roomId === value), quiet: true },
  ).data
  const options = [
    ...currentHomes.map(h => ({
      value: h.roomId,
      label: `${h.roomPath ?? ''} ${labelOf(relation, h.relation)}`,
    })),
    ...(formerRoom ? [{ value: formerRoom.id, label: formerRoom.path ?? '' }] : []),
  ]
  return (
    <Select
      {...ariaProps(props)}
      style={{ width: '100%' }}
      allowClear={allowClear}
      disabled={props.disabled || userId === 0}
      placeholder={userId ? '请选择房屋' : '请先选择持有人'}
      notFoundContent="该住户在本项目没有在住的房屋"
      options={options}
      value={value ?? null}
      onChange={v => props.onChange(v ?? undefined)}
      onBlur={props.onBlur}
    />
  )
}
