import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import type { Action } from '#kit/web/action.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { confirmAndSend, sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { screenAction } from '#kit/web/screen-action.ts'
import { useChannelPayment } from '#modules/payments/web/public/channel-payment.ts'
import {
  charge,
  chargeLines,
  createPaymentOrder,
  exportCharges,
  listCharges,
  refundCharge,
  remindPayment,
  type Charge,
} from '../contract/charge.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'
import { openOrder } from './order-address.ts'
import { useLiveOrders } from './live-orders.ts'
import { paidEntities } from './order-reasons.ts'

const { permissions } = menu.charge
const ChargeLines = lazyComponent(() => import('./material-list.tsx').then(m => m.ChargeLines))
const RewardDialog = lazyComponent(() => import('./reward-dialog.tsx').then(m => m.RewardDialog))

const columns = buildColumns(charge, [
  { key: 'orderNo', identity: true, width: 150 },
  'chargeKind',
  { key: 'typeName', width: 92, grow: 1 },
  { key: 'address', width: 120, grow: 1 },
  { key: 'reporterName', width: 84, hidePriority: 1 },
  'amount',
  { key: 'discountAmount', hidePriority: 1 },
  'paidAmount',
  { key: 'chargeTime', hidePriority: 1 },
  { key: 'paidTime', wideOnly: true, hidePriority: 2 },
  { key: 'remindTime', wideOnly: true, hidePriority: 2 },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'unpaid', name: '未支付', filter: { state: ['unpaid'] } },
  { id: 'paid', name: '已支付', filter: { state: ['paid'] } },
  { id: 'refunded', name: '已退款', filter: { state: ['refunded'] } },
  { id: 'reward', name: '打赏', filter: { chargeKind: ['reward'] } },
]

const refund = ({ orderId, orderNo, paidAmount }: Charge): Promise<boolean> =>
  confirmAndSend(refundCharge, {
    actionLabel: '退款',
    unit: '笔费用',
    title: `退款「${orderNo ?? ''}」`,
    affectedSums: [['实收', displayYuanWithSymbol(paidAmount)]],
    amount: paidAmount,
    reason: { presets: ['服务未完成', '收费有误'] },
    consequences: ['全额退还，按收银的退款流程办理'],
    input: { orderId },
    doneText: '已申请退款',
  })

const remind = async ({ orderId }: Charge): Promise<void> => {
  await sendAndToast(remindPayment, { orderId }, '已发送催付短信')
}

/** 工单财务: what orders cost, and whether it is paid. */
export default function ChargeListPage() {
  useLiveOrders(listCharges, chargeLines.list)
  const [rewarded, setRewarded] = useState<Charge>()
  const payment = useChannelPayment({ type: 'workOrder', stale: paidEntities })
  const pay = (orderId: Id): Promise<void> =>
    payment.start(() => sendAndInvalidate(createPaymentOrder, { orderId }))
  const rowActions = (row: Charge): (Action | false)[] => {
    const isRepair = row.chargeKind === 'repair'
    const isUnpaid = isRepair && row.state === 'unpaid'
    return [
      { label: '工单', run: () => openOrder(row.orderId) },
      isUnpaid && {
        label: '发起收款',
        needs: permissions.pay,
        disabledReason: payment.open ? undefined : '未开通在线收款渠道，请到收银台收取',
        run: () => pay(row.orderId),
      },
      isUnpaid && { label: '催付', needs: permissions.pay, run: () => remind(row) },
      isRepair && {
        label: '打赏',
        needs: permissions.pay,
        disabledReason: payment.open ? undefined : '未开通在线收款渠道',
        run: () => setRewarded(row),
      },
      // What is asked back already is not offered again: its refund is.
      row.refundNo !== undefined && screenAction(paths.refunds, { keyword: row.refundNo }, '退款单'),
      isRepair &&
        row.state === 'paid' &&
        row.paidAmount > (row.refundingAmount ?? 0) && {
          label: '退款',
          needs: permissions.refund,
          danger: true,
          run: () => refund(row),
        },
    ]
  }
  return (
    <>
      <ListPage
        list={listCharges}
        itemName="工单费用"
        columns={columns}
        filters={['chargeKind', 'state', 'chargeTime', 'paidTime', 'buildCode', 'amount']}
        barFilters={['chargeKind', 'buildCode']}
        views={views}
        rowActions={rowActions}
        export={exportCharges}
        drawer={{
          title: row => row.orderNo ?? '',
          width: 880,
          actions: rowActions,
          afterGroups: row => <ChargeLines orderId={row.orderId} />,
          openAsPage: row => openOrder(row.orderId),
        }}
      />
      {rewarded && (
        <RewardDialog
          record={rewarded}
          onClose={() => setRewarded(undefined)}
          onDone={order => {
            setRewarded(undefined)
            payment.show(order, () => Promise.resolve(order))
          }}
        />
      )}
      {payment.dialog}
    </>
  )
}
