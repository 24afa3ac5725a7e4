import { Select } from 'antd'
import { parseId, type Id } from '#kit/domain/id.ts'
import { useAddressValue } from '#kit/web/address-value.ts'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  doorwayDevices,
  editDeviceParameters,
  getDeviceParameters,
  type DoorwayDevice,
} from '../contract/doorway-device.ts'
import './access.css'

const maxChoices = 2000

const groups = defineFormGroups([
  { title: '人员', keys: ['openRoles'] },
  { title: '设备', keys: ['antennaNo', 'volume', 'threshold'] },
])

function ParametersForm({ device }: { readonly device: DoorwayDevice }) {
  const tab = useTab()
  const sending = useSend(editDeviceParameters, { quiet: true })
  const { deviceId, deviceName = '', doorwayName = '' } = device
  return (
    <FormPage
      shape={editDeviceParameters.input}
      title={`设置「${deviceName}」（${doorwayName}）`}
      groups={groups}
      initial={device}
      draftKey={`access/parameters/${device.id}`}
      save={values => sending.mutateAsync(values)}
      loadCurrent={async () => ({ ...(await send(getDeviceParameters, { deviceId })) })}
      onDone={() => {
        toast.success(device.isOnline ? `已下发到「${deviceName}」` : `「${deviceName}」恢复连接后下发`)
        tab.close()
      }}
    />
  )
}

/** Which device is meant, where the address names none. */
function DeviceChooser({ onChosen }: { readonly onChosen: (deviceId: Id) => void }) {
  const project = useProject()
  const query = useCall(
    doorwayDevices.list,
    { size: maxChoices, ...(project ? { projectCode: project } : {}) },
    { quiet: true },
  )
  return (
    <div className="access-process-page">
      <Loaded query={query} height={300} rows={5}>
        {({ rows }) => (
          <Select
            aria-label="门禁设备"
            className="access-process-bar"
            showSearch={{ optionFilterProp: 'label' }}
            placeholder="选择门禁设备"
            notFoundContent="暂无门禁设备，请先在「门禁管理」绑定设备"
            options={rows.map(({ deviceId, deviceName, deviceNo, doorwayName }) => ({
              value: deviceId,
              label: [deviceName, deviceNo, doorwayName].filter(Boolean).join(' · '),
            }))}
            onChange={onChosen}
          />
        )}
      </Loaded>
      <p className="access-lack">请选择设备，设置开门角色、音量、识别阈值与天线号</p>
    </div>
  )
}

/** 门禁设备设置: of the device that `?id=` names, or of one that is chosen. */
export default function DeviceParametersPage() {
  const [chosen, setChosen] = useAddressValue('id')
  const deviceId = parseId(chosen)
  const query = useCall(getDeviceParameters, { deviceId }, { quiet: true, enabled: deviceId > 0 })
  if (!deviceId) return <DeviceChooser onChosen={id => setChosen(String(id))} />
  return (
    <Loaded query={query} height={300} rows={5}>
      {device => <ParametersForm key={device.id} device={device} />}
    </Loaded>
  )
}
