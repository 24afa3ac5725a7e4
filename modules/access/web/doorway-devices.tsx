import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { confirmAndSend, sendAndInvalidate } from '#kit/web/record-actions.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { toast } from '#kit/web/toast.ts'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { doorwayDevices } from '../contract/doorway-device.ts'
import type { Doorway } from '../contract/doorway.ts'
import { listDoorwayItems, recomputeProject, resendDoorwayItems } from '../contract/sync.ts'
import { menu, paths } from '../module.ts'
import { FreeDeviceSelect } from './free-device-select.tsx'
import { OnlineCell, onlineText } from './online-text.tsx'

const DeviceItems = lazyComponent(() => import('./device-items.tsx').then(m => m.DeviceItems))

const liveDevices = { topic: 'devices', kind: 'devices', pauseMs: 3000 }

const deviceControl = { key: 'deviceId', control: FreeDeviceSelect, wide: true } as const

/** 门禁设备: the devices of all doors, whether they can be reached and what they lack. */
export const pages = crudPages(doorwayDevices, {
  paths: { list: paths.devices },
  unit: '台门禁设备',
  nameOf: row => row.deviceName ?? '',
  deletion: {
    label: '解绑',
    consequences: ['设备上该门的凭证随之删除，设备保留'],
    reasons: ['更换设备', '绑定有误'],
  },
  columns: [
    { key: 'deviceName', identity: true, grow: 1 },
    { key: 'deviceNo', hidePriority: 2 },
    { key: 'doorwayName', grow: 1 },
    'direction',
    { key: 'deviceModel', hidePriority: 2 },
    { key: 'isOnline', text: onlineText, render: OnlineCell },
    { key: 'wantedCount', hidePriority: 2 },
    { key: 'waitingCount', hidePriority: 1 },
    { key: 'failedCount', hidePriority: 1 },
    { key: 'removingCount', hidePriority: 3 },
    { key: 'missingReason', grow: 1, hidePriority: 1 },
    { key: 'lastBeat', hidePriority: 3, wideOnly: true },
  ],
  form: { presentation: 'dialog', groups: [{ keys: ['doorwayId', deviceControl, 'direction'] }] },
  list: { barFilters: ['doorwayId', 'direction'], keywordPlaceholder: '设备名称' },
  drawer: { width: 880 },
  tabs: [
    {
      key: 'items',
      label: '下发项',
      needs: menu.sync.permissions.view,
      inDrawer: true,
      body: device => <DeviceItems device={device} />,
    },
  ],
  actions: [
    {
      label: '设备参数',
      needs: menu.doorway.permissions.param,
      run: device => navigateTo(`${paths.parameters}?id=${device.deviceId}`),
    },
    {
      label: '重新下发',
      needs: menu.sync.permissions.resend,
      run: device =>
        confirmAndSend(resendDoorwayItems, {
          actionLabel: '重新下发',
          unit: '台门禁设备',
          title: `重新下发「${device.deviceName ?? ''}」的全部凭证`,
          reason: false,
          consequences: ['设备应有的凭证全部重新发送，设备离线的在恢复连接后发送'],
          input: { id: device.id },
          doneText: `已重新下发「${device.deviceName ?? ''}」`,
        }),
    },
  ],
  useExtras: () => {
    useLiveRefetch(liveDevices, [doorwayDevices.list, listDoorwayItems])
    const project = useProject()
    return {
      toolbar: [
        {
          label: '重新计算',
          needs: menu.sync.permissions.resend,
          disabledReason: project ? undefined : '请先选择项目',
          run: async () => {
            await sendAndInvalidate(recomputeProject, { projectCode: project ?? '' })
            toast.success('已开始重新计算，有差异的随后下发')
          },
        },
      ],
    }
  },
})

/** The devices of one door, in its drawer. */
export const DoorwayDevices = ({ doorway }: { readonly doorway: Doorway }) => (
  <CrudList
    model={pages.model}
    initial={{ projectCode: doorway.projectCode, doorwayId: doorway.id, direction: doorway.direction }}
    groups={[{ keys: [deviceControl, 'direction'] }]}
    list={{
      embedded: true,
      fixedFilter: { doorwayId: [String(doorway.id)] },
      filters: [],
      settingsKey: 'access/devices-of-door',
    }}
  />
)
