import { behaviours, type InvoiceStore } from './invoice-store.ts'

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)
const stateLabels = { DOING: '开具中', ISSUED: '已开具', FAILED: '失败' } as const

/** The platform's invoices, and how it behaves towards the next ones. */
export const renderListPage = (store: InvoiceStore): string => `<!doctype html><html lang="zh-CN"><head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>开票平台（模拟渠道）</title><style>
body{margin:0;background:#f3f5f6;color:#16211f;font:16px/1.6 sans-serif}
main{max-width:760px;min-height:100vh;margin:0 auto;padding:32px 24px;background:#fff;box-sizing:border-box}
h1{font-size:16px;font-weight:400;text-align:center}
fieldset{margin:20px 0;border:1px dashed #b7bfc4;border-radius:8px}
label{display:block;padding:3px 0;font-size:14px}
button{padding:8px 20px;border:0;border-radius:8px;background:#07864b;color:#fff;font:inherit;cursor:pointer}
table{width:100%;border-collapse:collapse;font-size:14px}
td{padding:6px 8px 6px 0;border-bottom:1px solid #e3e6e8;vertical-align:top}
td.sum{text-align:right}
</style></head>
<body><main><h1>开票平台（模拟渠道，不产生真实发票）</h1>
<form method="post" action="/mood"><fieldset><legend>平台应答方式</legend>${Object.entries(behaviours)
  .map(
    ([key, label]) =>
      `<label><input type="radio" name="mood" value="${key}"${store.state.behaviour === key ? ' checked' : ''}> ${label}</label>`,
  )
  .join('')}<button>保存</button></fieldset></form>
<table>${
  [...store.invoices.values()]
    .toReversed()
    .slice(0, 50)
    .map(
      invoice =>
        `<tr>
          <td>${escapeHtml(invoice.serialNo)}${invoice.order.red ? '（红字）' : ''}<br>
            ${escapeHtml(invoice.order.buyer.title)}</td>
          <td>${escapeHtml(invoice.invoiceNo ?? invoice.reason ?? '')}</td>
          <td class="sum">¥${escapeHtml(invoice.order.total)}<br>${stateLabels[invoice.status]}</td>
        </tr>`,
    )
    .join('') || '<tr><td>暂无发票</td></tr>'
}</table></main></body></html>`
