import type { Day } from '#kit/domain/day.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { billFaults, type BillLine, type InjectedFault } from './bill-lines.ts'
import type { Order } from './order-store.ts'
import { pageHead, escapeHtml } from './pages.ts'

const channelLabels: Readonly<Record<Order['channel'], string>> = {
  wechat: '微信支付',
  alipay: '支付宝',
  pos: 'POS',
}

export const renderBillPage = (
  channel: Order['channel'],
  day: Day,
  list: readonly BillLine[],
  slipped: readonly InjectedFault[],
): string => {
  const own = `<input type="hidden" name="channel" value="${channel}"><input type="hidden" name="day" value="${day}">`
  const act = (slip: string, label: string, more = ''): string =>
    `<form method="post" action="/bill">${own}${more}<button class="plain" name="slip" value="${slip}">${label}</button></form>`
  return `${pageHead('渠道账单（模拟渠道）')}<main><h1>${channelLabels[channel]} ${day} 的账单（模拟渠道）</h1><p class="note">${Object.entries(
    channelLabels,
  )
    .map(([k, v]) => `<a href="/bill?channel=${k}&amp;day=${day}">${v}</a>`)
    .join(' · ')}</p>
    <table>${list.length ? list.map(l => `<tr><td>${escapeHtml(l.no)}<br>${l.kind === 'pay' ? '收款' : `退款 ${escapeHtml(l.refundNo)}`} ${fromInstant(l.at).slice(11)}</td><td align="right">¥${formatYuan(l.amount)}${act('leave', billFaults.leave, `<input type="hidden" name="no" value="${escapeHtml(l.no)}"><input type="hidden" name="refundNo" value="${escapeHtml(l.refundNo)}">`)}${act('change', billFaults.change, `<input type="hidden" name="no" value="${escapeHtml(l.no)}"><input type="hidden" name="refundNo" value="${escapeHtml(l.refundNo)}"><input name="amount" size="8" value="${formatYuan(l.amount)}" aria-label="改为">`)}</td></tr>`).join('') : '<tr><td>当日没有交易</td></tr>'}</table>
    ${act('add', billFaults.add, '<input name="no" placeholder="订单号" aria-label="订单号"><input name="amount" size="8" placeholder="金额" aria-label="金额"><input name="refundNo" placeholder="退款单号（收款留空）" aria-label="退款单号">')}${act('forge', billFaults.forge)}${act('later', billFaults.later)}${slipped.length ? act('right', `改回原样（${slipped.length} 处）`) : ''}</main></html>`
}
