import { parseId, type Id } from '#kit/domain/id.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Call } from '#kit/contract/call.ts'
import { subtractFen } from '#kit/domain/money.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import type { Actions } from '#kit/web/action.tsx'
import {
  escalateReconcileItems,
  exportReconcileItems,
  handleReconcileItems,
  listReconcileItems,
  reconcileItem,
  type ReconcileItem,
} from '../contract/channel-bill.ts'
import { reconcileItemState } from '../contract/choices.ts'
import { handleRefusal } from '../domain/reconcile-item.ts'
import { menu, reconcileDayPath } from '../module.ts'

const differenceOf = (i: ReconcileItem): string => displayYuan(subtractFen(i.channelAmount, i.localAmount))

const columnKeys = (day: boolean) =>
  [
    { key: 'orderNo', identity: true, width: 172 },
    ...(day ? [] : ['checkDate' as const, 'channel' as const]),
    { key: 'kind', wideOnly: true },
    { key: 'sourceName', width: 110, grow: 1 },
    { key: 'localState', hidePriority: 1 },
    'localAmount',
    'channelAmount',
    {
      key: 'gap',
      title: '差异',
      width: 100,
      fitContent: true,
      align: 'right',
      render: differenceOf,
      text: differenceOf,
    },
    'diffType',
    { key: 'refundNo', hiddenByDefault: true },
    { key: 'transactionId', hiddenByDefault: true },
    'state',
    { key: 'handleNote', width: 160, grow: 1, wideOnly: true },
    { key: 'handlerName', wideOnly: true },
    { key: 'handleTime', wideOnly: true },
  ] as const

const dayColumns = buildColumns(listReconcileItems.output, columnKeys(true))
const allColumns = buildColumns(listReconcileItems.output, columnKeys(false))

const views = [
  { id: '', name: '待处理', filter: { state: ['pending', 'escalated'] } },
  { id: 'all', name: '全部', filter: {} },
  { id: 'settled', name: '自动平账', filter: { state: ['settled'] } },
  { id: 'handled', name: '人工处理', filter: { state: ['handled'] } },
]

const groups = [
  {
    title: '差异',
    keys: [
      'diffType',
      'checkDate',
      'channel',
      'kind',
      'orderNo',
      'refundNo',
      'transactionId',
      'sourceName',
      'localState',
      'localAmount',
      'channelAmount',
    ],
  },
  {
    title: '处理',
    keys: ['state', 'handleResult', 'handlerName', 'handleTime', 'handleNote'],
  },
] as const

/** What each kind asks for, where a person must decide. */
const hints: Readonly<Record<ReconcileItem['diffType'], string>> = {
  onlyLocal: '本系统已记收款，渠道账单中没有：核对渠道后台，确认未到账的办理退款或作废',
  onlyChannel: '渠道收款在本系统无对应支付单：查明付款人，补记收款或退回',
  amount: '双方金额不同：以渠道为准，查明差额后补记或退款',
  state: '渠道已收款，支付单未入账：到支付单「按实收转预存」，或联系付款人',
  refund: '双方的退款不同：核对退款单与渠道后台',
}

const groupsByAction = {
  handle: [{ keys: ['handleResult', { key: 'reason', label: '处理说明' }] }],
  escalate: [{ keys: [{ key: 'reason', label: '说明' }] }],
}

/** What to do to which differences; `item` where it is one. */
interface ChosenItems {
  readonly action: keyof typeof groupsByAction
  readonly ids: readonly string[]
  readonly item?: ReconcileItem | undefined
}

const emptyInitial = {}

/** Asks for the note that the call takes, and sends it for the chosen differences. */
function ItemsDialog<I extends { readonly ids: readonly string[] }>({
  call,
  action,
  ids,
  item,
  onClose,
}: ChosenItems & { readonly call: Call<I, void>; readonly onClose: () => void }) {
  const handles = action === 'handle'
  const name = item ? `「${item.orderNo}」` : ` ${formatCount(ids.length)} 笔`
  return (
    <EditDialog
      shape={call.input}
      draftKey={draftKeyOf(call, ids)}
      presentation="dialog"
      title={`${handles ? '处理' : '升级'}差异${name}`}
      groups={groupsByAction[action]}
      initial={emptyInitial}
      submitLabel={handles ? '记为已处理' : '升级'}
      below={() =>
        item ? (
          <p className="rec-hint">
            {hints[item.diffType]}。{handles ? '' : '会通知所有能处理差异的人。'}
          </p>
        ) : null
      }
      save={v => sendAndInvalidate(call, { ...v, ids }, { quiet: true })}
      onClose={onClose}
      onDone={() => {
        toast.success(handles ? '已记为已处理' : '已升级并通知')
        onClose()
      }}
    />
  )
}

/** Differences, of one day or of all: handled with a note, or escalated. */
export function ReconcileItems({ billId }: { readonly billId?: Id }) {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<ChosenItems>()
  const isOver = (i: ReconcileItem): boolean => i.state === 'settled' || i.state === 'handled'
  const rowActions = (item: ReconcileItem): Actions => [
    !isOver(item) && {
      label: '处理',
      needs: menu.reconcile.permissions.handle,
      disabledReason: handleRefusal(item.state, 'handled'),
      run: () => setDialog({ action: 'handle', ids: [String(item.id)], item }),
    },
    !isOver(item) && {
      label: '升级',
      needs: menu.reconcile.permissions.handle,
      disabledReason: handleRefusal(item.state, 'escalated'),
      run: () => setDialog({ action: 'escalate', ids: [String(item.id)], item }),
    },
    billId === undefined && {
      label: '查看该日',
      run: () => navigate(reconcileDayPath(parseId(item.billId))),
    },
  ]
  return (
    <>
      <ListPage
        list={listReconcileItems}
        itemName="差异"
        columns={billId === undefined ? allColumns : dayColumns}
        views={views}
        filters={[
          'checkDate',
          'channel',
          'diffType',
          'state',
          'kind',
          'handleResult',
          'localAmount',
          'channelAmount',
          'handleTime',
        ].filter(k => billId === undefined || (k !== 'checkDate' && k !== 'channel'))}
        barFilters={billId === undefined ? ['checkDate', 'channel', 'diffType'] : ['diffType', 'kind']}
        keywordPlaceholder="订单号/退款单号"
        {...(billId === undefined
          ? {}
          : {
              embedded: true,
              pageSize: 20,
              fixedFilter: { billId: [String(billId)] },
              settingsKey: 'reconcile/day-items',
            })}
        rowActions={rowActions}
        export={exportReconcileItems}
        unselectableReason={i => handleRefusal(i.state, 'handled')}
        batchActions={[
          {
            label: '处理',
            needs: menu.reconcile.permissions.handle,
            run: t => setDialog({ action: 'handle', ids: t.ids }),
          },
          {
            label: '升级',
            needs: menu.reconcile.permissions.handle,
            run: t => setDialog({ action: 'escalate', ids: t.ids }),
          },
        ]}
        drawer={{
          title: i => i.orderNo,
          status: i => <ChoiceStatus choices={reconcileItemState} value={i.state} />,
          groups,
          historyEntity: reconcileItem.name,
          actions: rowActions,
        }}
      />
      {dialog &&
        (dialog.action === 'handle' ? (
          <ItemsDialog call={handleReconcileItems} {...dialog} onClose={() => setDialog(undefined)} />
        ) : (
          <ItemsDialog call={escalateReconcileItems} {...dialog} onClose={() => setDialog(undefined)} />
        ))}
    </>
  )
}

export default function ReconcileItemsPage() {
  return <ReconcileItems />
}
