import { formatYuan } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { behaviours, type Order } from './order-store.ts'

export const escapeHtml = (s: string): string => s.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)

export const pageHead = (title: string, extraHead = ''): string => `<!doctype html><html lang="zh-CN">
${extraHead}<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>
body{margin:0;background:#ededed;color:#16211f;font:16px/1.6 sans-serif}
main{max-width:400px;min-height:100vh;margin:0 auto;padding:32px 24px;background:#fff;box-sizing:border-box}
h1{font-size:16px;font-weight:400;text-align:center}
strong.sum{display:block;margin:12px 0 24px;font-size:40px;text-align:center}
dl{padding:12px 0;border-block:1px solid #e3e6e8}
dl div{display:flex;gap:16px;padding:4px 0}
dt{flex:none;color:#5a666e}
dd{flex:1;margin:0;text-align:right;overflow-wrap:anywhere}
fieldset{margin:20px 0;border:1px dashed #b7bfc4;border-radius:8px}
label{display:block;padding:3px 0;font-size:14px}
button,a.button{display:block;width:100%;margin-top:12px;padding:12px;border:0;border-radius:8px;background:#07864b;color:#fff;font:inherit;text-align:center;text-decoration:none;box-sizing:border-box;cursor:pointer}
button.plain{background:#eef1f3;color:#16211f}
p.note{color:#5a666e;font-size:13px;text-align:center}
table{width:100%;border-collapse:collapse;font-size:14px}
td{padding:6px 0;border-bottom:1px solid #e3e6e8}
</style>`

const stateLabels: Readonly<Record<Order['state'], string>> = {
  NOTPAY: '待支付',
  USERPAYING: '等待输入密码',
  SUCCESS: '支付成功',
  CLOSED: '订单已关闭',
  PAYERROR: '支付失败',
  REFUND: '已退款',
}

const cardKinds = `
  <fieldset><legend>卡种</legend>
    <label><input type="radio" name="card" value="debit" checked> 借记卡</label>
    <label><input type="radio" name="card" value="credit"> 贷记卡</label>
  </fieldset>`

/** What the payer would see on the phone. */
export function renderPhonePage(order: Order): string {
  const open = order.state === 'NOTPAY' || order.state === 'USERPAYING'
  const name = { wechat: '微信支付', alipay: '支付宝', pos: `POS 机 ${order.terminal ?? ''}` }[order.channel]
  const choices = Object.entries(behaviours)
    .map(
      ([k, label], i) =>
        `<label><input type="radio" name="how" value="${k}"${i ? '' : ' checked'}> ${label}</label>`,
    )
    .join('')
  const form = `
    <form method="post" action="/phone/${encodeURIComponent(order.orderNo)}">
      <input type="hidden" name="key" value="${order.pageKey}">
      <fieldset><legend>网关应答方式</legend>${choices}</fieldset>
      ${order.channel === 'pos' ? cardKinds : ''}
      <button>${order.channel === 'pos' ? '刷卡' : '确认支付'}</button>
    </form>`
  return `${pageHead(`${name}（模拟渠道）`)}<main>
    <h1>${name}（模拟渠道）</h1>
    <strong class="sum">¥${formatYuan(order.amount, { thousands: true })}</strong>
    <dl>
      <div><dt>商品</dt><dd>${escapeHtml(order.title)}</dd></div>
      <div><dt>订单号</dt><dd>${escapeHtml(order.orderNo)}</dd></div>
      <div><dt>状态</dt><dd role="status">${stateLabels[order.state]}</dd></div>
    </dl>
    ${open ? form : ''}
    ${order.returnUrl ? `<a class="button" href="${escapeHtml(order.returnUrl)}">返回商家</a>` : ''}
    <p class="note">这一页代替${order.channel === 'pos' ? 'POS 机' : '付款人的手机'}，不产生真实扣款。</p>
  </main></html>`
}

const orderLink = (o: Order, link: (o: Order) => string): string =>
  `<a href="${escapeHtml(link(o))}">${escapeHtml(o.orderNo)}</a>`

const orderRow = (order: Order, link: (o: Order) => string): string => `
  <tr>
    <td>${orderLink(order, link)}<br>${escapeHtml(order.title)}</td>
    <td align="right">¥${formatYuan(order.amount, { thousands: true })}<br>
      ${stateLabels[order.state]}${order.paidAt ? ` ${fromInstant(order.paidAt).slice(11)}` : ''}</td>
  </tr>`

export const renderListPage = (orders: readonly Order[], link: (o: Order) => string): string =>
  `${pageHead('支付网关（模拟渠道）')}<main>
    <h1>支付网关（模拟渠道）</h1>
    <table>${orders.length ? orders.map(o => orderRow(o, link)).join('') : '<tr><td>暂无订单</td></tr>'}</table>
  </main></html>`

const terminalRow = (o: Order, link: (o: Order) => string): string => `
  <tr>
    <td>${orderLink(o, link)}</td>
    <td align="right">¥${formatYuan(o.amount, { thousands: true })} ${stateLabels[o.state]}</td>
  </tr>`

/** What a terminal's screen shows: the order that waits for a card, and the latest ones. */
export const renderTerminalPage = (
  terminal: string,
  orders: readonly Order[],
  link: (o: Order) => string,
): string => {
  const waits = orders.find(o => o.state === 'NOTPAY' || o.state === 'USERPAYING')
  if (waits) return renderPhonePage(waits)
  const title = `POS 机 ${escapeHtml(terminal)}（模拟渠道）`
  const latest = orders.slice(0, 10).map(o => terminalRow(o, link))
  return `${pageHead(title, '<meta http-equiv="refresh" content="2">')}<main>
    <h1>${title}</h1>
    <p class="note">等待收款…</p>
    <table>${latest.join('')}</table>
  </main></html>`
}
