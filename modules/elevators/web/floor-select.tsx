import { Select } from 'antd'
import { ariaProps, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { pickElevators } from '../contract/elevator.ts'

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Floors of the form's lift: those of `floorList`, or of the lift that is chosen. */
export function FloorSelect(props: ControlProps) {
  const { elevatorId, floorList } = props.formValues
  const isKnown = Array.isArray(floorList)
  const chosen = typeof elevatorId === 'number' ? elevatorId : undefined
  const { data } = useCall(
    pickElevators,
    { ids: [String(chosen ?? 0)], size: 1 },
    { quiet: true, enabled: !isKnown && chosen !== undefined },
  )
  const floors = isKnown ? textsOf(floorList) : (data?.rows[0]?.floorList ?? [])
  return (
    <Select
      {...ariaProps(props)}
      mode="multiple"
      style={{ width: '100%' }}
      disabled={props.disabled}
      placeholder={floors.length ? '请选择楼层' : '请先选择电梯'}
      notFoundContent="没有可选的楼层"
      options={floors.map(floor => ({ value: floor, label: `${floor} 层` }))}
      value={textsOf(props.value)}
      onChange={value => props.onChange(floors.filter(floor => value.includes(floor)))}
      onBlur={props.onBlur}
    />
  )
}

/** One of them. */
export function OneFloorSelect(props: ControlProps) {
  const { elevatorId } = props.formValues
  const chosen = typeof elevatorId === 'number' ? elevatorId : undefined
  const { data } = useCall(
    pickElevators,
    { ids: [String(chosen ?? 0)], size: 1 },
    { quiet: true, enabled: chosen !== undefined },
  )
  const floors = data?.rows[0]?.floorList ?? []
  return (
    <Select
      {...ariaProps(props)}
      style={{ width: '100%' }}
      disabled={props.disabled}
      placeholder={floors.length ? '请选择楼层' : '请先选择电梯'}
      notFoundContent="没有可选的楼层"
      options={floors.map(floor => ({ value: floor, label: `${floor} 层` }))}
      value={typeof props.value === 'string' ? props.value : null}
      onChange={value => props.onChange(value ?? undefined)}
      onBlur={props.onBlur}
    />
  )
}
