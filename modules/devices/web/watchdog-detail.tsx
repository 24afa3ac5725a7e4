import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { permissionOf } from '#kit/web/form/use-edit.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { editWatchdog, getWatchdog, watchdog, type Watchdog } from '../contract/watchdog.ts'
import { paths } from '../module.ts'
import { useLiveDevices } from './live-devices.ts'
import { deleteWatchdog } from './watchdogs.tsx'

const groups = [
  { title: '看门狗', keys: ['deviceName', 'targetGatewayName', 'targetDeviceName', 'remark'] as const },
  {
    title: '规则',
    keys: [
      { key: 'checkSeconds', render: (row: Watchdog) => `${formatCount(row.checkSeconds)} 秒` },
      { key: 'missLimit', render: (row: Watchdog) => `${formatCount(row.missLimit)} 次` },
      'action',
      'serviceName',
    ] as const,
  },
  {
    title: '运行',
    keys: ['checkTime', 'missCount', 'restartTime', 'restartCount', 'lastMessage'] as const,
  },
]

/** 查看看门狗设备: what it watches, and what it has done. */
export default function WatchdogDetailPage() {
  useLiveDevices(getWatchdog)
  return (
    <DetailPage
      loadCall={getWatchdog}
      title={row => `看门狗「${row.name}」`}
      status={row => <ChoiceStatus choices={enabledState} value={row.state} />}
      groups={groups}
      historyEntity={watchdog.name}
      actions={row => [
        {
          label: '编辑',
          needs: permissionOf(editWatchdog),
          run: () => navigateTo(`${paths.watchdogEdit}?id=${row.id}`),
        },
        deleteWatchdog.row(row),
      ]}
    />
  )
}
