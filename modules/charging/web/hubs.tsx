import { buildColumns } from '#kit/web/columns.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { download } from '#kit/web/send.ts'
import { Status } from '#kit/web/status.tsx'
import {
  chargerHubs,
  exportHubCodes,
  exportHubs,
  importHubs,
  listHubCommands,
  sendHubCommand,
  type ChargerHub,
} from '../contract/hub.ts'
import { menu, paths } from '../module.ts'
import { useLiveChargers } from './live-chargers.ts'

const KeyDialog = lazyComponent(() => import('./key-dialog.tsx').then(m => m.KeyDialog))

const { permissions } = menu.hub

const printCodes = (input: object): Promise<string> =>
  download(exportHubCodes, { ...input, address: location.origin })

const onlineText = ({ isOnline }: Pick<ChargerHub, 'isOnline'>): string => (isOnline ? '在线' : '离线')

const OnlineCell = (hub: Pick<ChargerHub, 'isOnline'>) => (
  <Status tone={hub.isOnline ? 'done' : 'bad'} plain>
    {onlineText(hub)}
  </Status>
)

const commandColumns = buildColumns(listHubCommands.output, [
  { key: 'sendTime', identity: true, width: 150 },
  'kind',
  { key: 'portNo', width: 64 },
  'state',
  { key: 'answer', grow: 1 },
  'operatorName',
])

const HubCommands = ({ hub }: { readonly hub: ChargerHub }) => {
  useLiveChargers(listHubCommands)
  return (
    <ListPage
      embedded
      list={listHubCommands}
      itemName="充电桩指令"
      fixedFilter={{ hubId: [String(hub.id)] }}
      filters={[]}
      columns={commandColumns}
      settingsKey="charging/commands-of-hub"
    />
  )
}

const isNotUnlock = ({ kind }: { readonly kind?: string }): boolean => kind !== 'unlock'

/** 充电桩管理: piles with their ports, keys, signs, and commands from afar. */
export const pages = crudPages(chargerHubs, {
  paths: { list: paths.hubs, detail: paths.hubDetail },
  unit: '个充电桩',
  import: importHubs,
  export: exportHubs,
  deletion: {
    consequences: ['二维码与密钥失效；有未完成充电订单的不能删除'],
    reasons: ['录入有误', '已拆除'],
  },
  columns: [
    { key: 'hubName', identity: true, grow: 1 },
    'hubNo',
    { key: 'hubType', hidePriority: 2 },
    { key: 'location', grow: 1, hidePriority: 2 },
    { key: 'standardName', hidePriority: 1 },
    { key: 'portsText', title: '端口', width: 200, grow: 2 },
    { key: 'isOnline', text: onlineText, render: OnlineCell },
    { key: 'lastSeen', width: 150, hidePriority: 3 },
    'state',
  ],
  form: {
    opensNew: false,
    presentation: 'dialog',
    groups: [
      {
        keys: [
          'hubName',
          'hubNo',
          'hubType',
          'portCount',
          'maxKw',
          'standardId',
          'location',
          'state',
          'remark',
        ],
      },
    ],
  },
  detail: [
    {
      title: '充电桩',
      keys: [
        'hubNo',
        'hubType',
        'location',
        'standardName',
        'portCount',
        'maxKw',
        { key: 'isOnline', render: OnlineCell },
        'lastSeen',
        'hasKey',
        'vendor',
        'model',
        'firmware',
        'remark',
        'state',
      ],
    },
    { title: '端口', keys: ['ports'] },
  ],
  list: {
    keywordPlaceholder: '名称、桩号',
    barFilters: ['hubType', 'standardId', 'isOnline'],
    isDimmed: hub => hub.state === 'off',
  },
  actions: [
    {
      label: '打印二维码',
      needs: permissions.label,
      run: hub => printCodes({ ids: [String(hub.id)] }),
    },
    { label: '重置密钥', needs: permissions.key, dialog: KeyDialog },
    {
      label: '远程控制',
      call: sendHubCommand,
      keys: ['kind', { key: 'portNo', isHidden: isNotUnlock }],
      disabledReason: hub => (hub.isOnline ? undefined : '充电桩离线'),
      doneText: '已发送，结果见「远程控制」：',
    },
  ],
  tabs: [
    {
      key: 'commands',
      label: '远程控制',
      needs: permissions.command,
      inDrawer: true,
      body: hub => <HubCommands hub={hub} />,
    },
  ],
  useExtras: () => {
    useLiveChargers(chargerHubs.list)
    return {
      batch: [
        {
          label: '打印二维码',
          needs: permissions.label,
          acceptsAllMatching: true,
          run: selected =>
            printCodes(selected.allMatching ? selected.allMatching.filter : { ids: selected.ids }),
        },
      ],
    }
  },
})
