import { useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { InvalidAddress } from '#kit/web/record-failure.tsx'
import { send } from '#kit/web/send.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { editDeviceParameters, getDeviceParameters, type DoorwayDevice } from '../contract/doorway-device.ts'

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

/** 门禁设备设置: of the device that `?id=` names. */
export default function DeviceParametersPage() {
  const [params] = useSearchParams()
  const deviceId = parseId(params.get('id'))
  const query = useCall(getDeviceParameters, { deviceId }, { quiet: true, enabled: deviceId > 0 })
  if (!deviceId) return <InvalidAddress />
  return (
    <Loaded query={query} height={300} rows={5}>
      {device => <ParametersForm key={device.id} device={device} />}
    </Loaded>
  )
}
