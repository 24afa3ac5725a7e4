import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { doorwayDevices } from '../contract/doorway-device.ts'
import { listDoorwayItems, resendDoorwayItems } from '../contract/sync.ts'
import { locksPath, menu } from '../module.ts'
import { FreeLockSelect } from './free-device-select.tsx'
import { OnlineCell, onlineText } from './online-text.tsx'

const DeviceItems = lazyComponent(() => import('./device-items.tsx').then(m => m.DeviceItems))

const liveDevices = { topic: 'devices', kind: 'devices', pauseMs: 3000 }

/** 门锁管理: the locks of doors, whether they can be reached and what they lack. */
export const pages = crudPages(doorwayDevices, {
  paths: { list: locksPath },
  unit: '把门锁',
  itemName: '门锁',
  nameOf: row => row.deviceName ?? '',
  deletion: {
    label: '解绑',
    consequences: ['锁上该门的凭证随之删除，设备保留'],
    reasons: ['更换门锁', '绑定有误'],
  },
  columns: [
    { key: 'deviceName', title: '门锁', identity: true, grow: 1 },
    { key: 'deviceNo', hidePriority: 2 },
    { key: 'doorwayName', grow: 1 },
    { key: 'deviceModel', hidePriority: 2 },
    { key: 'isOnline', text: onlineText, render: OnlineCell },
    { key: 'wantedCount', hidePriority: 2 },
    { key: 'waitingCount', hidePriority: 1 },
    { key: 'failedCount', hidePriority: 1 },
    { key: 'removingCount', hidePriority: 3 },
    { key: 'missingReason', grow: 1, hidePriority: 1 },
    { key: 'lastBeat', hidePriority: 3, wideOnly: true },
  ],
  form: {
    presentation: 'dialog',
    groups: [
      {
        keys: [
          'doorwayId',
          {
            key: 'deviceId',
            label: '门锁',
            control: FreeLockSelect,
            wide: true,
            help: '列出型号的类型代码为 lock 的设备',
          },
          'direction',
        ],
      },
    ],
  },
  list: {
    fixedFilter: { devType: 'lock' },
    filters: ['doorwayId', 'direction'],
    barFilters: ['doorwayId'],
    keywordPlaceholder: '门锁名称',
    settingsKey: 'access/locks',
  },
  drawer: { width: 880 },
  tabs: [
    {
      key: 'items',
      label: '下发项',
      needs: menu.sync.permissions.view,
      inDrawer: true,
      body: lock => <DeviceItems device={lock} />,
    },
  ],
  actions: [
    {
      label: '重新下发',
      needs: menu.sync.permissions.resend,
      run: lock =>
        confirmAndSend(resendDoorwayItems, {
          actionLabel: '重新下发',
          unit: '把门锁',
          title: `重新下发「${lock.deviceName ?? ''}」的全部凭证`,
          reason: false,
          consequences: ['门锁应有的凭证全部重新发送，离线的在恢复连接后发送'],
          input: { id: lock.id },
          doneText: `已重新下发「${lock.deviceName ?? ''}」`,
        }),
    },
  ],
  useExtras: () => {
    useLiveRefetch(liveDevices, [doorwayDevices.list, listDoorwayItems])
    return {}
  },
})
