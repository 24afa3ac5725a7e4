import { Select } from 'antd'
import { ariaProps, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { listFreeDevices } from '../contract/doorway-device.ts'

interface SelectProps extends ControlProps {
  readonly devType?: string
}

/** A device of the form's project that no door has yet; the one that is bound stays. */
export function FreeDeviceSelect({ devType, ...props }: SelectProps) {
  const project = props.formValues.projectCode
  const chosen = typeof props.value === 'number' ? props.value : undefined
  const isBound = props.formValues.id !== undefined
  const devices = useCall(
    listFreeDevices,
    { devType, ...(typeof project === 'string' ? { projectCode: project } : {}) },
    { quiet: true, enabled: !isBound },
  ).data
  const boundName = props.formValues.deviceName
  const options = [
    ...(isBound && chosen !== undefined
      ? [{ value: chosen, label: typeof boundName === 'string' ? boundName : '' }]
      : []),
    ...(devices ?? []).map(({ deviceId, deviceName, deviceNo, location }) => ({
      value: deviceId,
      label: [deviceName, deviceNo, location].filter(Boolean).join(' · '),
    })),
  ]
  return (
    <Select
      {...ariaProps(props)}
      style={{ width: '100%' }}
      disabled={props.disabled || isBound}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="请选择设备"
      notFoundContent="该项目暂无可绑定的设备，请先在「设备管理」新增"
      options={options}
      value={chosen ?? null}
      onChange={value => props.onChange(value ?? undefined)}
      onBlur={props.onBlur}
    />
  )
}

export const FreeLockSelect = (props: ControlProps) => <FreeDeviceSelect {...props} devType="lock" />
