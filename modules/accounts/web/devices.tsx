import type { Id } from '#kit/domain/id.ts'
import { Button, Tag } from 'antd'
import { confirm } from '#kit/web/confirm.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { listDevices, endSessions } from '../contract/devices.ts'
import { formatDeviceName } from '../domain/device-name.ts'
import { identityEntry } from '../domain/identity-entry.ts'
import { signInEntries } from './sign-in-entries.ts'

const getEntryTitle = (e: string | undefined): string =>
  signInEntries.find(x => x.name === e)?.title ??
  ({ qr: '扫码登录', sso: '单点登录', [identityEntry]: '统一身份登录' } as Record<string, string>)[e ?? ''] ??
  '登录'

/** Where the user's account is signed in, and how to end it there. */
export function Devices() {
  const query = useCall(listDevices, undefined, { quiet: true, project: 0, staleMs: 0 })
  const list = query.data ?? []
  const end = async (id: Id | undefined, what: string): Promise<void> => {
    if (!(await confirm({ title: what, text: '该设备再次操作时需重新登录。', okLabel: '退出登录' }))) return
    try {
      await send(endSessions, id === undefined ? {} : { id })
      toast.success('已退出')
    } finally {
      void query.refetch()
    }
  }
  return (
    <section>
      <h2>
        登录设备
        <span className="spring" />
        {list.length > 1 && (
          <Button onClick={() => void end(undefined, `退出其他 ${list.length - 1} 台设备`)}>
            退出其他设备
          </Button>
        )}
      </h2>
      <Loaded query={query} height={96} rows={2}>
        {() => (
          <ul className="devices">
            {list.map(device => (
              <li key={device.id}>
                <span className="what">{formatDeviceName(device.agent)}</span>
                <span>{getEntryTitle(device.entry)}</span>
                <span>{device.ip}</span>
                <span className="spring" />
                <span>最近使用 {device.lastTime.slice(0, 16)}</span>
                {device.isCurrent ? (
                  <Tag>当前设备</Tag>
                ) : (
                  <button
                    type="button"
                    className="linkish"
                    onClick={() => void end(device.id, `退出 ${formatDeviceName(device.agent)}`)}
                  >
                    退出登录
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}
