import { Link } from 'react-router'
import { codeOf, labelOf } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import { ActionButton, useAllowedActions } from '#kit/web/action.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { relativeText } from '#kit/web/date-format.ts'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { invalidateCalls } from '#kit/web/query.ts'
import { sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { screenAction } from '#kit/web/screen-action.ts'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { refundState } from '#modules/payments/contract/choices.ts'
import { closeOrder } from '#modules/payments/contract/order.ts'
import { getOrder } from '../contract/order.ts'
import { chargeLineFields, remindPayment } from '../contract/charge.ts'
import { chargeState } from '../contract/choices.ts'
import { menu } from '../module.ts'
import type { OrderDetail } from './clock-bars.ts'
import { cashierAddress, paths } from './paths.ts'
import { SideSection } from './side-section.tsx'
import type { OrderActions } from './use-order-actions.tsx'

type Money = NonNullable<OrderDetail['money']>

const refundAction = (refundNo: string) => screenAction(paths.refunds, { keyword: refundNo }, refundNo)

/** A refund that is asked for and not through yet: it is not asked for again. */
function OpenRefunds({ refunds }: Pick<Money, 'refunds'>) {
  const allow = useAllowedActions()
  return refunds.map(({ refundNo, state, amount }) => {
    const [open] = allow([refundAction(refundNo)])
    return (
      <div key={refundNo} className="foot order-refund">
        <p>
          退款单{' '}
          {open ? (
            <button type="button" className="linkish" onClick={() => void open.run()}>
              {refundNo}
            </button>
          ) : (
            refundNo
          )}
        </p>
        <ChoiceStatus choices={refundState} value={state} />
        <span className="figure">{displayYuan(amount)}</span>
      </div>
    )
  })
}

function CostLines({ order }: { readonly order: OrderDetail }) {
  const { lateFee, paidTotal, dueAmount } = order.money ?? { lateFee: 0, paidTotal: 0, dueAmount: 0 }
  const repair = order.charges.find(charge => charge.chargeKind === 'repair')
  const endState = repair?.state === 'abolished' || repair?.state === 'refunded' ? repair.state : undefined
  const isPartPaid = paidTotal > 0 && dueAmount > 0
  return (
    <ul>
      {order.chargeLines.map(line => (
        <li key={line.id}>
          <span>{line.name}</span>
          <small>
            {formatValue(line.quantity, chargeLineFields.quantity)} {line.unit ?? ''}
          </small>
          <span className="figure">{displayYuan(line.amount)}</span>
        </li>
      ))}
      {order.waiveCost > 0 && (
        <li>
          <span>减免</span>
          <span className="figure">-{displayYuan(order.waiveCost)}</span>
        </li>
      )}
      <li className="sum">
        <span>
          合计
          {order.isWarranty
            ? '（质保内免费）'
            : endState && `（${labelOf(chargeState, endState)}，无需支付）`}
        </span>
        <span className="figure">
          {displayYuanWithSymbol(order.isWarranty || endState ? 0 : order.totalCost)}
        </span>
      </li>
      {lateFee > 0 && (
        <li>
          <span>违约金</span>
          <span className="figure">{displayYuan(lateFee)}</span>
        </li>
      )}
      {isPartPaid && (
        <li>
          <span>已付</span>
          <span className="figure">-{displayYuan(paidTotal)}</span>
        </li>
      )}
      {dueAmount > 0 && (lateFee > 0 || isPartPaid) && (
        <li className="sum">
          <span>待付</span>
          <span className="figure">{displayYuanWithSymbol(dueAmount)}</span>
        </li>
      )}
    </ul>
  )
}

/** Somebody may be paying: until that ends, or is called off here, the cost stays as it is. */
function WaitingPayment({ payOrder }: { readonly payOrder: NonNullable<OrderDetail['payOrder']> }) {
  const canCancel = usePermission()(menu.charge.permissions.pay)
  const cancel = async (): Promise<void> => {
    const isSure = await confirm({
      title: '取消收款',
      text: `取消支付单 ${payOrder.orderNo} 后，已打开的付款页不能再付款。`,
      okLabel: '取消收款',
      cancelLabel: '返回',
    })
    if (!isSure) return
    const after = await sendAndInvalidate(closeOrder, { orderNo: payOrder.orderNo })
    void invalidateCalls(getOrder)
    toast.success(after.state === 'paid' ? '费用已支付' : '已取消收款')
  }
  return (
    <div className="foot order-refund">
      <p>
        支付单 {payOrder.orderNo} 待支付，{relativeText(payOrder.expireTime)} 失效
      </p>
      {canCancel && <ActionButton small action={{ label: '取消收款', run: cancel }} />}
    </div>
  )
}

/** What the work costs, line by line, and how it is paid. */
export function CostSection({ order, tools }: { readonly order: OrderDetail; readonly tools: OrderActions }) {
  const hasPermission = usePermission()
  const repair = order.charges.find(c => c.chargeKind === 'repair')
  const isUnpaid = repair?.state === 'unpaid'
  const canRemind = isUnpaid && hasPermission(menu.charge.permissions.pay)
  const canChange = order.actions.some(a => a.action === 'modifyCost')
  const remind = async (): Promise<void> => {
    await sendAndToast(remindPayment, { orderId: order.id }, '已发送催付短信')
  }
  return (
    <SideSection
      title="费用"
      actions={[canChange && { label: '改费用', run: () => tools.openDialog('modifyCost') }]}
    >
      <CostLines order={order} />
      {repair && (
        <div className="foot">
          <ChoiceStatus choices={chargeState} value={repair.state} />
          <span className="spring" />
          {canRemind && <ActionButton small action={{ label: '催付', run: remind }} />}
          {isUnpaid && repair.billId && order.roomCode && (
            <Link to={cashierAddress(codeOf(sourceType, 'room'), order.roomCode)}>到收银台</Link>
          )}
          {tools.startPayment && (
            <ActionButton small action={{ label: '发起收款', run: tools.startPayment }} />
          )}
        </div>
      )}
      {order.payOrder && <WaitingPayment payOrder={order.payOrder} />}
      <OpenRefunds refunds={order.money?.refunds ?? []} />
    </SideSection>
  )
}
