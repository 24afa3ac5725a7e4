import { useState } from 'react'
import { displayYuanWithSymbol } from '#kit/domain/money.ts'
import { asMonth, type Month } from '#kit/domain/month.ts'
import { useCall } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { send } from '#kit/web/send.ts'
import { ticketState } from '../contract/choices.ts'
import { openShop, withdrawAtShop, type ShopPage } from '../contract/shop.ts'
import type { ShopPartProps } from './shop-opened.tsx'

const Totals = ({ page }: { readonly page: ShopPage }) => (
  <dl className="facts">
    <div>
      <dt>发放</dt>
      <dd>{page.presentedQty} 张</dd>
    </div>
    <div>
      <dt>使用</dt>
      <dd>{page.usedQty} 张</dd>
    </div>
    <div>
      <dt>抵扣金额</dt>
      <dd>{displayYuanWithSymbol(page.usedValue)}</dd>
    </div>
  </dl>
)

/** 记录: what was given away in a month, and what became of it. */
export function ShopMonth({ token, page, run }: ShopPartProps) {
  const [month, setMonth] = useState<Month>(page.month)
  const isThisMonth = month === page.month
  const other = useCall(
    openShop,
    { token, month },
    { quiet: true, project: 0, staleMs: 0, enabled: !isThisMonth },
  )
  const shown = isThisMonth ? page : other.data
  return (
    <>
      <input
        type="month"
        aria-label="月份"
        value={month}
        max={page.month}
        onChange={event => event.target.value && setMonth(asMonth(event.target.value))}
      />
      {shown && <Totals page={shown} />}
      {shown?.tickets.length === 0 && <p className="empty">本月暂无发放记录</p>}
      <ul className="coupon-tickets">
        {shown?.tickets.map(ticket => (
          <li key={ticket.id}>
            <b>{ticket.plateNo ?? '待扫码'}</b>
            <ChoiceStatus choices={ticketState} value={ticket.state} />
            <small>
              {ticket.couponName} · {ticket.presentTime.slice(5, 16)}
              {ticket.usedValue === undefined ? '' : ` · 抵扣 ${displayYuanWithSymbol(ticket.usedValue)}`}
            </small>
            {ticket.state === 'unused' && isThisMonth && (
              <button
                type="button"
                className="big"
                onClick={() =>
                  void run(
                    () => send(withdrawAtShop, { token, id: ticket.id, reason: '商户撤回' }, { quiet: true }),
                    '已撤回',
                  )
                }
              >
                撤回
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
