import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { payMethod } from '#modules/payments/contract/choices.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { orderReturnState } from '../contract/choices.ts'
import { listOrderReturns } from '../contract/order-return.ts'
import { listOrderDetails, listOrderPayments } from '../contract/order.ts'
import './merchant-coupons.css'

interface OrderProps {
  readonly id: Id
}

/** The coupons of an order. */
export function OrderDetails({ id }: OrderProps) {
  const details = useCall(listOrderDetails, { id }, { quiet: true })
  return (
    <Loaded query={details} height={96} rows={3}>
      {rows => (
        <table className="coupon-lines">
          <thead>
            <tr>
              <th>停车券</th>
              <th>数量</th>
              <th>单价</th>
              <th>金额</th>
              <th>已退</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.couponId}>
                <td>{row.couponName}</td>
                <td>{row.qty}</td>
                <td>{displayYuan(row.unitPrice)}</td>
                <td>{displayYuan(row.amount)}</td>
                <td>{row.refundedQty}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Loaded>
  )
}

/** What was paid for an order, and paid back. */
export function OrderPayments({ id }: OrderProps) {
  const payments = useCall(listOrderPayments, { id }, { quiet: true })
  return (
    <Loaded query={payments} height={96} rows={3}>
      {rows =>
        rows.length === 0 ? (
          <p className="coupon-empty">暂无收款记录</p>
        ) : (
          <table className="coupon-lines">
            <thead>
              <tr>
                <th>流水号</th>
                <th>金额</th>
                <th>支付方式</th>
                <th>时间</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.recordId}>
                  <td>{row.recordNo}</td>
                  <td>{displayYuan(row.amount)}</td>
                  <td>{labelOf(payMethod, row.payMethod)}</td>
                  <td>{row.payTime}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </Loaded>
  )
}

/** The coupons that went back, one return after the other. */
export function OrderReturns({ id }: OrderProps) {
  const returns = useCall(listOrderReturns, { id }, { quiet: true })
  return (
    <Loaded query={returns} height={96} rows={3}>
      {rows =>
        rows.length === 0 ? (
          <p className="coupon-empty">暂无退券记录</p>
        ) : (
          <table className="coupon-lines">
            <thead>
              <tr>
                <th>停车券</th>
                <th>数量</th>
                <th>退款金额</th>
                <th>状态</th>
                <th>申请时间</th>
                <th>退券时间</th>
                <th>原因</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.id}>
                  <td>{row.content}</td>
                  <td>{row.qty}</td>
                  <td>{displayYuan(row.amount)}</td>
                  <td>
                    <ChoiceStatus choices={orderReturnState} value={row.state} />
                  </td>
                  <td>{row.askTime}</td>
                  <td>{row.doneTime}</td>
                  <td>{row.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </Loaded>
  )
}
