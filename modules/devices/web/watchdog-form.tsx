import { useLocation, useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { InvalidAddress } from '#kit/web/record-failure.tsx'
import { send } from '#kit/web/send.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addWatchdog, editWatchdog, getWatchdog, type Watchdog } from '../contract/watchdog.ts'
import { paths } from '../module.ts'

const restartsMachine = (values: Partial<Watchdog>): boolean => values.action !== 'restartService'

const groups = defineFormGroups([
  { title: '看门狗', keys: ['name', 'deviceId', 'state'] },
  { title: '看护', keys: ['targetGatewayId', 'targetDeviceId', 'checkSeconds', 'missLimit'] },
  {
    title: '恢复',
    keys: ['action', { key: 'serviceName', isRequired: true, isHidden: restartsMachine }, 'remark'],
  },
])

function EditForm({ watchdog }: { readonly watchdog: Watchdog }) {
  const tab = useTab()
  const sending = useSend(editWatchdog, { quiet: true })
  return (
    <FormPage
      shape={editWatchdog.input}
      title={`编辑看门狗「${watchdog.name}」`}
      groups={groups}
      initial={watchdog}
      draftKey={`watchdog/${watchdog.id}`}
      save={values => sending.mutateAsync(values)}
      loadCurrent={async () => ({ ...(await send(getWatchdog, { id: watchdog.id })) })}
      onDone={() => {
        toast.success(`已保存「${watchdog.name}」`)
        tab.close()
      }}
    />
  )
}

function AddForm() {
  const tab = useTab()
  const sending = useSend(addWatchdog, { quiet: true })
  return (
    <FormPage
      shape={addWatchdog.input}
      title="新增看门狗"
      groups={groups}
      initial={{ checkSeconds: 60, missLimit: 3, action: 'restartService', state: 'on' }}
      draftKey="watchdog/new"
      submitLabel="新增看门狗"
      save={values => sending.mutateAsync(values)}
      onDone={added => {
        toast.success(`已新增看门狗「${added.name}」`)
        tab.close()
      }}
    />
  )
}

/** 新增、编辑看门狗设备: each at its own address; `?id=` names which is edited. */
export default function WatchdogFormPage() {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const id = parseId(params.get('id'))
  const query = useCall(getWatchdog, { id }, { quiet: true, enabled: id > 0 })
  if (pathname === paths.watchdogAdd) return <AddForm />
  if (!id) return <InvalidAddress />
  return (
    <Loaded query={query} height={400} rows={8}>
      {watchdog => <EditForm key={watchdog.id} watchdog={watchdog} />}
    </Loaded>
  )
}
