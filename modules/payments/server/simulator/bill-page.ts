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

const hiddenInput = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`

const addedLineInputs = `
  <input name="no" placeholder="订单号" aria-label="订单号">
  <input name="amount" size="8" placeholder="金额" aria-label="金额">
  <input name="refundNo" placeholder="退款单号（收款不填）" aria-label="退款单号">`

export const renderBillPage = (
  channel: Order['channel'],
  day: Day,
  list: readonly BillLine[],
  slipped: readonly InjectedFault[],
): string => {
  const form = (slip: string, label: string, inputs = ''): string => `
    <form method="post" action="/bill">
      ${hiddenInput('channel', channel)}${hiddenInput('day', day)}${inputs}
      <button class="plain" name="slip" value="${slip}">${label}</button>
    </form>`
  const lineRow = (line: BillLine): string => {
    const keys = hiddenInput('no', line.no) + hiddenInput('refundNo', line.refundNo)
    const amount = formatYuan(line.amount)
    const amountInput = `<input name="amount" size="8" value="${amount}" aria-label="改为">`
    const kind = line.kind === 'pay' ? '收款' : `退款 ${escapeHtml(line.refundNo)}`
    return `
      <tr>
        <td>${escapeHtml(line.no)}<br>${kind} ${fromInstant(line.at).slice(11)}</td>
        <td align="right">¥${amount}
          ${form('leave', billFaults.leave, keys)}
          ${form('change', billFaults.change, keys + amountInput)}
        </td>
      </tr>`
  }
  const channelLinks = Object.entries(channelLabels).map(
    ([key, label]) => `<a href="/bill?channel=${key}&amp;day=${day}">${label}</a>`,
  )
  return `${pageHead('渠道账单（模拟渠道）')}<main>
    <h1>${channelLabels[channel]} ${day} 的账单（模拟渠道）</h1>
    <p class="note">${channelLinks.join(' · ')}</p>
    <table>${list.length ? list.map(lineRow).join('') : '<tr><td>当日没有交易</td></tr>'}</table>
    ${form('add', billFaults.add, addedLineInputs)}
    ${form('forge', billFaults.forge)}
    ${form('later', billFaults.later)}
    ${slipped.length ? form('right', `改回原样（${slipped.length} 处）`) : ''}
  </main></html>`
}
