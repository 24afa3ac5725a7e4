import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { download } from '#kit/web/send.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import type { TicketState } from '../contract/choices.ts'
import {
  exportTickets,
  merchantTickets,
  printTicketCodes,
  withdrawTickets,
  type MerchantTicket,
} from '../contract/ticket.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'

const PresentDialog = lazyComponent(() => import('./present-dialog.tsx').then(m => m.PresentDialog))
const IssueDialog = lazyComponent(() => import('./present-dialog.tsx').then(m => m.IssueDialog))

const { permissions } = menu.ticket

const isUnused = ({ state }: MerchantTicket): boolean => state === 'unused'
const stateView = (state: TicketState, name: string) => ({ id: state, name, filter: { state: [state] } })

/** The codes that nobody has scanned yet, of the chosen project. */
function useCodePrinting(): CrudExtras<MerchantTicket, unknown> {
  const project = useProject()
  const input = { ...(project ? { projectCode: project } : {}), address: location.origin }
  return {
    toolbar: [
      {
        label: '打印一次性码',
        needs: permissions.code,
        run: () => download(printTicketCodes, input),
      },
    ],
  }
}

export const pages = crudPages(merchantTickets, {
  useExtras: useCodePrinting,
  paths: { detail: paths.ticket },
  unit: '张停车券',
  itemName: '停车券',
  nameOf: row => row.ticketNo,
  export: exportTickets,
  toolbar: [
    { label: '发放停车券', needs: permissions.present, dialog: PresentDialog },
    { label: '生成一次性码', needs: permissions.code, dialog: IssueDialog },
  ],
  actions: [
    {
      label: '撤回',
      call: withdrawTickets,
      keys: [{ key: 'reason', wide: true }],
      isOffered: isUnused,
      batch: rows => (rows.every(isUnused) ? undefined : '只能撤回未使用的停车券'),
      danger: true,
    },
  ],
  columns: [
    { key: 'ticketNo', identity: true, width: 160 },
    { key: 'plateNo', width: 100 },
    { key: 'merchantName', grow: 1 },
    { key: 'couponName', grow: 1 },
    { key: 'origin', hidePriority: 2 },
    { key: 'presentTime', width: 150, hidePriority: 1 },
    { key: 'validTo', hidePriority: 1 },
    { key: 'usedTime', width: 150, hidePriority: 3 },
    { key: 'usedValue', hidePriority: 2 },
    'state',
  ],
  detail: [
    {
      title: '停车券',
      keys: ['ticketNo', 'couponName', 'kind', 'merchantName', 'parkName', 'state'],
    },
    {
      title: '发放',
      keys: ['plateNo', 'origin', 'presentTime', 'validTo', 'operatorName', 'withdrawReason'],
    },
    { title: '使用', keys: ['usedPassNo', 'usedTime', 'usedValue'] },
  ],
})

/** 发放记录: tickets by plate, and one-time codes that wait for one. */
export const Tickets = () => (
  <CrudList
    model={pages.model}
    list={{
      embedded: true,
      addressed: true,
      pageSize: 15,
      keywordPlaceholder: '车牌、券号',
      barFilters: ['merchantId', 'couponId', 'presentTime'],
      settingsKey: 'merchant-coupons/tickets',
      views: [
        { id: '', name: '全部', filter: {} },
        stateView('unused', '未使用'),
        stateView('used', '已使用'),
        stateView('expired', '已过期'),
        stateView('withdrawn', '已撤回'),
      ],
    }}
  />
)
