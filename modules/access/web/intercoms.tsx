import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import { intercoms, type Intercom } from '../contract/intercom.ts'
import { intercomScreens } from '../module.ts'
import { OnlineCell, onlineText } from './online-text.tsx'

const liveDevices = { topic: 'devices', kind: 'devices', pauseMs: 3000 }

type Kind = Intercom['stationKind']

const isNot =
  (...kinds: readonly Kind[]) =>
  ({ stationKind }: { readonly stationKind?: Kind }): boolean =>
    stationKind === undefined || !kinds.includes(stationKind)

/** 可视对讲: the stations, how they are called, where they are and what they open. */
export const pages = crudPages(intercoms, {
  paths: intercomScreens.paths,
  unit: '台可视对讲设备',
  nameOf: row => row.deviceName ?? '',
  deletion: {
    consequences: ['只删除对讲登记，设备保留'],
    reasons: ['录入有误', '设备已拆除'],
  },
  columns: [
    { key: 'deviceName', identity: true, grow: 1 },
    { key: 'deviceNo', hidePriority: 3 },
    'stationKind',
    'callNo',
    { key: 'buildName', hidePriority: 2 },
    { key: 'unitName', hidePriority: 2 },
    { key: 'roomPath', hidePriority: 1, grow: 1 },
    { key: 'doorwayName', hidePriority: 1, grow: 1 },
    { key: 'deviceModel', hidePriority: 4, wideOnly: true },
    { key: 'isOnline', text: onlineText, render: OnlineCell },
    { key: 'lastBeat', hidePriority: 4, wideOnly: true },
    'state',
  ],
  form: {
    groups: [
      {
        title: '设备',
        keys: [
          {
            key: 'deviceId',
            help: '先在「设备管理」登记设备',
            disabledReason: (values: { id?: number }) =>
              values.id ? '设备不能修改，换设备请在「设备管理」更换' : undefined,
          },
          'stationKind',
          'callNo',
          'state',
        ],
      },
      {
        title: '位置',
        keys: [
          { key: 'buildCode', isHidden: isNot('unit'), isRequired: true },
          { key: 'unitName', isHidden: isNot('unit'), isRequired: true },
          { key: 'roomId', isHidden: isNot('home'), isRequired: true },
          { key: 'doorwayId', isHidden: isNot('perimeter', 'unit') },
          { key: 'remark', wide: true },
        ],
      },
    ],
  },
  detail: [
    { title: '设备', keys: ['deviceNo', 'deviceModel', 'stationKind', 'callNo'] },
    { title: '位置', keys: ['buildName', 'unitName', 'roomPath', 'doorwayName', 'remark'] },
    { title: '运行', keys: [{ key: 'isOnline', render: onlineText }, 'lastBeat'] },
  ],
  list: { barFilters: ['stationKind', 'buildCode', 'state'], keywordPlaceholder: '设备名称、呼叫号' },
  useExtras: () => {
    useLiveRefetch(liveDevices, [intercoms.list, intercoms.get])
    return {}
  },
})
