import { Button, Radio } from 'antd'
import { useState } from 'react'
import { int } from '#kit/contract/field.ts'
import { toError } from '#kit/domain/to-error.ts'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { displayYuanWithSymbol, formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { today as todayOf } from '#kit/web/date-format.ts'
import { getUsableSms } from '#modules/messaging/contract/quota.ts'
import { useChannelPayment } from '#modules/payments/web/public/channel-payment.ts'
import { payOnline } from '../contract/order.ts'
import { listSmsPackages, orderSms } from '../contract/sms-purchase.ts'
import { menu } from '../module.ts'
import { IncrementNodes } from './increment-nodes.tsx'
import { entitiesChangedByPayment, showCreatedOrder } from './order-actions.ts'
import { OrderCost } from './order-cost.tsx'
import './products.css'

type Packages = NonNullable<typeof listSmsPackages.output.T>

/** What is left, where the operator may see it. The line stands from the first, so that nothing moves. */
function Usable() {
  const usable = useCall(getUsableSms, undefined, { quiet: true, project: 0, staleMs: 0 })
  const textOf = (count: number | undefined): string => (count === undefined ? '--' : formatCount(count))
  return (
    <p className="shop-lead">
      {!usable.isError && (
        <>
          短信余量 <b>{textOf(usable.data?.usableCount)}</b> 条，冻结 {textOf(usable.data?.frozenCount)}{' '}
          条，已用 {textOf(usable.data?.usedCount)} 条。
          <br />
        </>
      )}
      70 字以内计 1 条，超过的每 67 字计 1 条；发送失败的退回，不设到期日。
    </p>
  )
}

const own = 'own'
const quantityField = int('条数', { min: 1, max: 1_000_000 })

function BuyForm({ offer }: { readonly offer: Packages }) {
  const hasPermission = usePermission()
  const [chosen, setChosen] = useState<number | typeof own>(offer.packages[0]?.qty ?? own)
  const [typed, setTyped] = useState<unknown>(offer.minQuantity)
  const [busy, setBusy] = useState(false)
  const payment = useChannelPayment({
    type: 'renewal',
    stale: entitiesChangedByPayment,
    enabled: hasPermission(menu.order.permissions.pay),
    onPaid: () => toast.success('已支付，短信已到账'),
  })
  const qty = chosen === own ? typed : chosen
  const isValid = typeof qty === 'number' && qty >= offer.minQuantity
  const buy = async (): Promise<void> => {
    if (!isValid) return
    setBusy(true)
    try {
      const order = await sendAndInvalidate(orderSms, { qty }, { quiet: true })
      if (payment.open) {
        await payment.start(() => sendAndInvalidate(payOnline, { id: order.id }))
      } else {
        showCreatedOrder(order)
      }
    } catch (error) {
      toast.error(toError(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="shop-form">
      <div>
        <span>套餐</span>
        <Radio.Group
          aria-label="套餐"
          value={chosen}
          onChange={e => setChosen(e.target.value === own ? own : Number(e.target.value))}
          options={[
            ...offer.packages.map(({ qty: value, packageName, amount }) => ({
              value,
              label: `${packageName}　${displayYuanWithSymbol(amount)}`,
            })),
            { value: own, label: '其他数量' },
          ]}
        />
      </div>
      {chosen === own && (
        <div>
          <label htmlFor="sms-quantity">条数</label>
          <span className="shop-quantity">
            <NumberInput
              id="sms-quantity"
              field={quantityField}
              value={typed}
              status={isValid ? undefined : 'error'}
              onChange={setTyped}
            />
            条{!isValid && <em role="alert">至少 {formatCount(offer.minQuantity)} 条</em>}
          </span>
        </div>
      )}
      {isValid && (
        <div>
          <span>费用</span>
          <OrderCost price={offer.price} quantity={qty} unit="条" today={todayOf()} />
        </div>
      )}
      <div>
        <span />
        {hasPermission(menu.increment.permissions.add) && (
          <Button type="primary" loading={busy} disabled={!isValid} onClick={() => void buy()}>
            {payment.open ? '购买并支付' : '创建订单'}
          </Button>
        )}
        <small>订单 24 小时内有效，支付后立即到账</small>
      </div>
      {payment.dialog}
    </div>
  )
}

/** 购买短信: packages of short messages, and those that were bought. */
export default function BuySmsPage() {
  const offer = useCall(listSmsPackages, undefined, { quiet: true, project: 0 })
  if (offer.isError) return <ErrorState error={offer.error} onRetry={() => void offer.refetch()} />
  if (!offer.data) return <RowSkeleton rows={6} />
  return (
    <div className="shop">
      <section>
        <h2>购买短信</h2>
        <Usable />
        <BuyForm offer={offer.data} />
      </section>
      <section className="shop-list">
        <h2>购买记录</h2>
        <IncrementNodes type="sms" />
      </section>
    </div>
  )
}
