import { labelOf } from '#kit/contract/field.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { StatusIcon } from '#kit/web/status.tsx'
import { channel } from '../contract/choices.ts'
import type { OrderView } from '../contract/order.ts'
import { formatCountdown } from './countdown.ts'
import type { PayMode } from './pay-mode.ts'
import { isOrderOpen, isPlatformPaid, type PolledOrder } from './use-polled-order.ts'

const isBillOrder = (order: OrderView): boolean => order.orderType === 'bill'

/** What is paid, by whom and to whom. */
export function OrderSummary({ order }: { readonly order: OrderView }) {
  return (
    <>
      <h2>{isPlatformPaid(order) ? '支付' : '收款'}</h2>
      <strong className="figure">{displayYuanWithSymbol(order.amount)}</strong>
      <dl>
        <div>
          <dt>缴费人</dt>
          <dd>{[order.payerName, order.orderObj].filter(Boolean).join(' · ')}</dd>
        </div>
        <div>
          <dt>{isBillOrder(order) ? '收费项目' : '付款内容'}</dt>
          <dd>{order.orderBody}</dd>
        </div>
        <div>
          <dt>收费单位</dt>
          <dd>{order.orderMain}</dd>
        </div>
        <div>
          <dt>订单号</dt>
          <dd>{order.orderNo}</dd>
        </div>
      </dl>
    </>
  )
}

interface Step {
  readonly label: string
  readonly note: string
  readonly time: string
  readonly isDone: boolean
  readonly isCurrent?: boolean
}

const clockTime = (moment: Moment | undefined): string => moment?.slice(11) ?? ''

const channelNote = (order: OrderView, mode: PayMode): string => {
  if (order.channel) return labelOf(channel, order.channel)
  return mode === 'pos' ? '等待选择 POS 机' : '等待付款人扫码'
}

const pollingNote = ({ order }: PolledOrder): string => (isOrderOpen(order) ? '每秒查询一次，无需刷新' : '')

/** What happens to an order, by how it is paid. */
export function stepsOf(polled: PolledOrder, mode: PayMode): readonly Step[] {
  const { order, payingMs } = polled
  const isPaid = order.state === 'paid'
  const isBill = isBillOrder(order)
  // Money on the counter is neither scanned nor polled for.
  const isAtCounter = mode === 'offline' && order.channel === undefined
  return [
    {
      label: '已下单',
      note: isBill ? '账单已锁定 15 分钟，其他人员不可重复收款' : '15 分钟内有效',
      time: clockTime(order.createTime),
      isDone: true,
    },
    ...(isAtCounter
      ? []
      : [
          {
            label: mode === 'pos' ? '已发送至 POS 机' : '已扫码',
            note: channelNote(order, mode),
            time: clockTime(order.scanTime),
            isDone: order.scanTime !== undefined || order.channel !== undefined || isPaid,
          },
        ]),
    {
      label: isAtCounter ? '收款中' : '支付中',
      note: isAtCounter ? '请收取款项后点「确认收款」' : pollingNote(polled),
      time: payingMs === undefined ? '' : formatCountdown(payingMs),
      isDone: isPaid,
      isCurrent: order.state === 'paying',
    },
    {
      label: isAtCounter ? '已收款' : '已到账',
      note: isBill ? '自动关闭本窗口并打印收据' : '自动关闭本窗口',
      time: clockTime(order.paidTime),
      isDone: isPaid,
    },
  ]
}

const stepTone = (step: Step): 'done' | 'doing' | 'open' => {
  if (step.isDone) return 'done'
  return step.isCurrent ? 'doing' : 'open'
}

export function OrderSteps({ polled, mode }: { readonly polled: PolledOrder; readonly mode: PayMode }) {
  return (
    <ol>
      {stepsOf(polled, mode).map(step => (
        <li key={step.label} data-done={step.isDone || undefined} data-at={step.isCurrent || undefined}>
          <StatusIcon tone={stepTone(step)} size={12} />
          <div>
            <b>{step.label}</b>
            <small>{step.note}</small>
          </div>
          <time className="figure">{step.time}</time>
        </li>
      ))}
    </ol>
  )
}

const endMessages: Partial<Record<OrderView['state'], string>> = {
  closed: '收款已关闭',
  failed: '支付失败',
  refunded: '该笔款已经退回',
}

const adviceAfterEnd = (order: OrderView): string => {
  if (order.isPrepaid && order.state !== 'refunded') return '预缴账单已撤销，请重新办理预缴'
  if (order.state !== 'refunded') return '未收到款，可重新发起或更换方式'
  return isBillOrder(order) ? '账单已恢复未缴，请刷新后重新收款' : '请刷新后查看'
}

const withAdvice = (reason: string, advice: string): string =>
  /请/.test(reason) ? reason : `${reason}，${advice}`

/** What an order that waits for a person says, once: a refusal to act on it may name the same reason. */
export function alertsOf(order: OrderView, fault: string): readonly string[] {
  const { failReason = '' } = order
  if (isOrderOpen(order)) {
    const waiting = failReason && withAdvice(failReason, '请联系有退款权限的人员处理，不要重复收款')
    return [waiting, failReason && fault.includes(failReason) ? '' : fault].filter(Boolean)
  }
  if (order.state === 'paid') return [fault].filter(Boolean)
  const ending = [endMessages[order.state], failReason].filter(Boolean).join('：')
  // A refusal that ended the order is its reason.
  const isReason = failReason !== '' && fault.includes(failReason)
  return [
    /请/.test(failReason) ? ending : `${ending}。${adviceAfterEnd(order)}`,
    isReason ? '' : fault,
  ].filter(Boolean)
}

/** Why an order ended without money, waits for a person (PAY-6), or could not be acted on. */
export function OrderAlerts({ order, fault }: { readonly order: OrderView; readonly fault: string }) {
  return alertsOf(order, fault).map(text => (
    <p key={text} role="alert" className="cashier-fault">
      {text}
    </p>
  ))
}
