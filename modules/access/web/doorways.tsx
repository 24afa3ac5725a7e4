import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { doorways, type Doorway } from '../contract/doorway.ts'
import { menu, paths } from '../module.ts'
import { OnlineCell, onlineText } from './online-text.tsx'

const DoorwayDevices = lazyComponent(() => import('./doorway-devices.tsx').then(m => m.DoorwayDevices))
const DoorwayRights = lazyComponent(() => import('./rights.tsx').then(m => m.DoorwayRights))
const DoorwayPassages = lazyComponent(() => import('./passage-list.tsx').then(m => m.DoorwayPassages))
const OpenDialog = lazyComponent(() => import('./open-dialog.tsx').then(m => m.OpenDialog))
const DoorwayTimes = lazyComponent(() => import('./public-times.tsx').then(m => m.DoorwayTimes))

const openFault = ({ state, deviceCount, isOnline }: Doorway): string | undefined => {
  if (state !== 'on') return '门已停用'
  if (!deviceCount) return '未绑定设备'
  return isOnline ? undefined : '设备离线'
}

/** 门禁管理: doors, their devices and their free times. */
export const pages = crudPages(doorways, {
  paths: { list: paths.doorways },
  unit: '个门',
  deletion: {
    consequences: ['有设备、门组、VIP 门或常开时段的门不能删除；不再使用请停用'],
    reasons: ['录入有误', '已拆除'],
  },
  columns: [
    { key: 'doorwayName', identity: true, grow: 2 },
    { key: 'doorwayCode', hidePriority: 3 },
    { key: 'buildName', hidePriority: 1 },
    { key: 'unitName', hidePriority: 1 },
    'direction',
    { key: 'passageType', hidePriority: 2 },
    'isPublic',
    { key: 'deviceCount', hidePriority: 2 },
    { key: 'deviceModel', hidePriority: 3, wideOnly: true },
    { key: 'isOnline', text: onlineText, render: OnlineCell },
    { key: 'lastBeat', hidePriority: 4, wideOnly: true },
    'state',
  ],
  form: {
    presentation: 'drawer',
    groups: [
      {
        keys: [
          'doorwayName',
          'doorwayCode',
          'buildCode',
          { key: 'unitName', isHidden: (values: { buildCode?: string }) => !values.buildCode },
          'direction',
          'passageType',
          'isPublic',
          'openSeconds',
          'state',
          { key: 'remark', wide: true },
        ],
      },
    ],
  },
  actions: [
    {
      label: '远程开门',
      needs: menu.doorway.permissions.open,
      dialog: OpenDialog,
      disabledReason: openFault,
    },
  ],
  list: {
    barFilters: ['buildCode', 'passageType', 'state'],
    keywordPlaceholder: '名称、编码',
    toolbarActions: [{ label: '我的通行', run: () => void window.open(paths.ownStaff, '_blank') }],
  },
  drawer: { width: 880 },
  tabs: [
    { key: 'devices', label: '设备', inDrawer: true, body: doorway => <DoorwayDevices doorway={doorway} /> },
    {
      key: 'rights',
      label: '通行权限',
      needs: menu.doorway.permissions.reach,
      inDrawer: true,
      body: doorway => <DoorwayRights doorway={doorway} />,
    },
    {
      key: 'passages',
      label: '通行记录',
      needs: menu.passage.permissions.view,
      inDrawer: true,
      body: doorway => <DoorwayPassages doorway={doorway} />,
    },
    { key: 'times', label: '常开时段', inDrawer: true, body: doorway => <DoorwayTimes doorway={doorway} /> },
  ],
})
