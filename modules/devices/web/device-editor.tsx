import { useNavigate, useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addDevice, editDevice, getDevice, type Device } from '../contract/device.ts'
import { paths } from '../module.ts'

const groups = defineFormGroups([
  { title: '设备', keys: ['name', 'devNo', 'modelId', 'gatewayId', 'state'] },
  { title: '连接', keys: ['address', 'identity', 'hostNo', 'settings'] },
  { title: '位置', keys: ['buildCode', 'areaId', 'location', 'remark'] },
])

function EditForm({ device }: { readonly device: Device }) {
  const tab = useTab()
  const sending = useSend(editDevice, { quiet: true })
  return (
    <FormPage
      shape={editDevice.input}
      title={`编辑设备「${device.name}」`}
      groups={groups}
      initial={device}
      draftKey={`device/${device.id}`}
      save={values => sending.mutateAsync(values)}
      loadCurrent={async () => ({ ...(await send(getDevice, { id: device.id })) })}
      onDone={() => {
        toast.success(`已保存「${device.name}」`)
        tab.close()
      }}
    />
  )
}

function AddForm() {
  const navigate = useNavigate()
  const tab = useTab()
  const sending = useSend(addDevice, { quiet: true })
  return (
    <FormPage
      shape={addDevice.input}
      title="新增设备"
      groups={groups}
      initial={{ state: 'normal' }}
      draftKey="device/new"
      submitLabel="新增设备"
      save={values => sending.mutateAsync(values)}
      onDone={added => {
        toast.success(`已新增设备「${added.name}」`)
        tab.close()
        void navigate(`${paths.detail}?id=${added.id}`)
      }}
    />
  )
}

/** 设备编辑: with `?id=` that device, else a new one. */
export default function DeviceEditorPage() {
  const [params] = useSearchParams()
  const id = parseId(params.get('id'))
  const query = useCall(getDevice, { id }, { quiet: true, enabled: id > 0 })
  if (!id) return <AddForm />
  return (
    <Loaded query={query} height={400} rows={8}>
      {device => <EditForm key={device.id} device={device} />}
    </Loaded>
  )
}
