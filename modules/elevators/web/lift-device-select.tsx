import { Select } from 'antd'
import { ariaProps, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { listLiftDevices } from '../contract/elevator.ts'

/** A device of the lift's project that controls lifts and is free, or is this lift's already. */
export function LiftDeviceSelect(props: ControlProps) {
  const { projectCode, id } = props.formValues
  const chosen = typeof props.value === 'number' ? props.value : undefined
  const { data } = useCall(listLiftDevices, typeof projectCode === 'string' ? { projectCode } : {}, {
    quiet: true,
    staleMs: 0,
  })
  const options = (data ?? [])
    .filter(({ elevatorId }) => elevatorId === undefined || elevatorId === id)
    .map(({ deviceId, deviceName, deviceNo, location }) => ({
      value: deviceId,
      label: [deviceName, deviceNo, location].filter(Boolean).join(' · '),
    }))
  return (
    <Select
      {...ariaProps(props)}
      style={{ width: '100%' }}
      disabled={props.disabled}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="请选择设备"
      notFoundContent="该项目暂无可绑定的梯控设备，请先在「设备管理」新增系统类型为电梯的设备"
      options={options}
      value={chosen ?? null}
      onChange={value => props.onChange(value ?? undefined)}
      onBlur={props.onBlur}
    />
  )
}
