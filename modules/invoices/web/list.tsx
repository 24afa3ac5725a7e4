import { act } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { danger } from '#kit/web/confirm.tsx'
import { go } from '#kit/web/go.ts'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { invoiceState } from '../contract/choices.ts'
import { issueInvoices, redInvoices } from '../contract/open.ts'
import { exportInvoices, listInvoices, oneInvoice, type InvoiceRecord } from '../contract/record.ts'
import { issueRefusal, redRefusal } from '../domain/invoice.ts'
import { menu } from '../module.ts'
import type { Whole } from './body.tsx'
import { invoiceGroups } from './groups.ts'
import { places, seeInvoice } from './places.ts'
import { useInvoiceVerbs } from './verbs.tsx'
import { callIt, kindWords } from './words.ts'

const InvoiceMore = later(() => import('./body.tsx').then(m => m.InvoiceMore))

const shown = columns(listInvoices.output, [
  { key: 'invoiceNo', identity: true, width: 196, render: r => callIt(r), text: r => callIt(r) },
  { key: 'kind', title: '票种', width: 112, render: kindWords, text: kindWords },
  { key: 'buyerName', width: 130, grow: 1 },
  { key: 'sourceName', width: 100, grow: 1, drop: 2 },
  { key: 'payerName', aside: true },
  { key: 'netAmount', roomy: true },
  { key: 'taxAmount', drop: 1 },
  { key: 'totalAmount', strong: true },
  { key: 'redAmount', roomy: true },
  { key: 'issueTime', drop: 1 },
  { key: 'operatorName', roomy: true },
  { key: 'failReason', aside: true },
  { key: 'serialNo', aside: true },
  'state',
])

const views = [
  { id: '', name: '有效', filter: { state: ['pending', 'doing', 'issued', 'failed', 'redDue', 'red'] } },
  { id: 'pending', name: '待开具', filter: { state: ['pending'] } },
  { id: 'doing', name: '开具中', filter: { state: ['doing'] } },
  { id: 'issued', name: '已开具', filter: { state: ['issued'] } },
  { id: 'failed', name: '开具失败', filter: { state: ['failed'] } },
  { id: 'redDue', name: '待红冲', filter: { state: ['redDue'] } },
  { id: 'part', name: '部分红冲', filter: { state: ['issued', 'redDue'], redAmountFrom: 1 } },
  { id: 'red', name: '已红冲', filter: { state: ['red'] } },
  { id: 'cancelled', name: '已作废', filter: { state: ['cancelled'] } },
  { id: '*', name: '全部', filter: {} },
]

const first = (
  list: readonly InvoiceRecord[],
  why: (r: InvoiceRecord) => string | undefined,
): string | undefined => {
  for (const r of list) {
    const no = why(r)
    if (no) return `${callIt(r)}：${no}`
  }
  return undefined
}

const byPlatform = (r: InvoiceRecord): string | undefined =>
  r.channel === 'manual' ? '手工登记的发票请逐张办理' : undefined

/** 发票管理: every invoice with its state, and what can be done with it. */
export default function InvoicesPage() {
  const { verbs, dialogs } = useInvoiceVerbs()
  const { open, red } = menu.invoice.may
  const issueAll = async (ids: readonly string[]): Promise<boolean> => {
    const done = await act(issueInvoices, { ids } as never)
    toast.success(`已提交开票平台 ${done.count} 张，进度见任务中心`)
    return true
  }
  const redAll = (list: readonly InvoiceRecord[]): Promise<boolean> =>
    danger({
      verb: '红冲',
      what: '张发票',
      count: list.length,
      follows: ['每张把余下的金额全部红冲，完成后收款恢复为可开票', '只红冲一部分请逐张办理'],
      reason: { presets: ['抬头有误', '金额有误', '收款已退'] },
      run: async reason => {
        const done = await act(redInvoices, { ids: list.map(r => String(r.id)), reason }, { quiet: true })
        toast.success(`已提交红冲 ${done.count} 张，进度见任务中心`)
      },
    })
  return (
    <>
      <ListPage
        list={listInvoices}
        what="发票"
        sought="发票号/流水号/购买方/税号/对象"
        columns={shown}
        filters={[
          'invoiceType',
          'medium',
          'isRed',
          'channel',
          'issueTime',
          'createTime',
          'totalAmount',
          'redAmount',
          'buildCode',
          'state',
        ]}
        bar={['invoiceType', 'issueTime', 'isRed']}
        views={views}
        export={exportInvoices}
        primary={{ label: '开票', may: open, run: () => go(places.waiting) }}
        row={verbs}
        dim={r => r.state === 'red' || r.state === 'cancelled'}
        batch={[
          {
            label: '开具',
            may: open,
            why: t =>
              first(t.rows, r => byPlatform(r) ?? issueRefusal(r)) ??
              (t.count > 100 ? '一次最多 100 张' : undefined),
            run: t => issueAll(t.ids.map(String)),
          },
          {
            label: '红冲',
            may: red,
            danger: true,
            why: t =>
              first(t.rows, r => byPlatform(r) ?? redRefusal(r)) ??
              (t.count > 50 ? '一次最多 50 张' : undefined),
            run: t => redAll(t.rows),
          },
        ]}
        drawer={{
          title: callIt,
          width: 880,
          status: r => <Choice of={invoiceState} value={r.state} />,
          one: oneInvoice as never,
          groups: invoiceGroups,
          more: r => <InvoiceMore of={r as Whole} />,
          history: 'invoiceRecord',
          page: r => go(seeInvoice(r.id)),
        }}
      />
      {dialogs}
    </>
  )
}
