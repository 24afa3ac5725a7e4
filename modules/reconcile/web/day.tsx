import { useState } from 'react'
import { useParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { act } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { History } from '#kit/web/detail/history.tsx'
import { count, yuan } from '#kit/web/figure.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { Choice } from '#kit/web/status.tsx'
import { useTabName } from '#kit/web/tab.ts'
import { Tabbed } from '#kit/web/tabbed.tsx'
import { FootVerbs, useVerbs } from '#kit/web/verb.tsx'
import { channel } from '#modules/payments/contract/choices.ts'
import {
  channelBill,
  checkBill,
  exportLines,
  listLines,
  oneBill,
  pullBill,
  type ChannelBill,
} from '../contract/bill.ts'
import { billSource, billState } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { ImportBill } from './import-bill.tsx'
import { Items } from './items.tsx'
import { told } from './list.tsx'
import '#kit/web/detail/detail.css'
import './reconcile.css'

const shown = columns(listLines.output, [
  { key: 'orderNo', identity: true, width: 172 },
  'kind',
  'tradeTime',
  'amount',
  { key: 'refundNo', drop: 1 },
  { key: 'transactionId', width: 220, grow: 1, drop: 1 },
  { key: 'channelState', drop: 2 },
  { key: 'diffType', title: '核对' },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pay', name: '收款', filter: { kind: ['pay'] } },
  { id: 'refund', name: '退款', filter: { kind: ['refund'] } },
]

/** Both sides, one under the other, and what is between them. */
function Sides({ b }: { readonly b: ChannelBill }) {
  const rows = [
    ['本地', b.localCount, b.localAmount, b.localRefund],
    ['渠道', b.channelCount, b.channelAmount, b.channelRefund],
    ['相差', b.channelCount - b.localCount, b.channelAmount - b.localAmount, b.channelRefund - b.localRefund],
  ] as const
  return (
    <table className="rec-sides" aria-label="两边合计">
      <thead>
        <tr>
          <th />
          <th>笔数</th>
          <th>收款</th>
          <th>退款</th>
          <th>净额</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, n, pay, back], i) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {[n, pay, back, pay - back].map((v, k) => (
              <td key={k} className="figure" data-off={(i === 2 && v !== 0) || undefined}>
                {k ? yuan(v) : count(v)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** One channel's day: its sums, what differs, every line. */
export default function DayPage() {
  const id = Number(useParams().id) || 0
  const q = useCall(oneBill, { id }, { quiet: true, enabled: id > 0 })
  const b = q.data
  const verbsFor = useVerbs()
  const [importing, setImporting] = useState(false)
  useTabName(b && `${labelOf(channel, b.channel)} ${b.checkDate}`)
  if (id <= 0)
    return <Trouble error={new Error('地址里没有要查看的记录编号')} retry={() => location.reload()} />
  if (q.isError) return <Trouble error={q.error} retry={() => void q.refetch()} />
  if (!b) return <Skeleton rows={8} />
  const has = b.state === 'same' || b.state === 'different'
  return (
    <div className="detail-page rec-day">
      <header>
        <h2>
          {labelOf(channel, b.channel)} {b.checkDate}
        </h2>
        <Choice of={billState} value={b.state} />
        <span className="spring" />
        <FootVerbs
          verbs={verbsFor([
            has && {
              label: '重新核对',
              may: menu.reconcile.may.pull,
              run: async () => told(await act(checkBill, { id })),
            },
            {
              label: has ? '重新拉取' : '拉取账单',
              may: menu.reconcile.may.pull,
              run: async () => told(await act(pullBill, { checkDate: b.checkDate, channel: b.channel })),
            },
            { label: '导入账单', may: menu.reconcile.may.import, run: () => setImporting(true) },
          ])}
        />
      </header>
      <div className="scroll">
        {b.failReason && (
          <p role="alert" className="rec-fault">
            {b.failReason}
          </p>
        )}
        {b.pullTime && (
          <p className="rec-from">
            {labelOf(billSource, b.source)}，{b.pullTime}
            {b.operatorName ? `，${b.operatorName}` : ''}
          </p>
        )}
        <Sides b={b} />
        <Tabbed
          items={[
            { key: 'items', label: `差异 ${count(b.diffCount)}`, children: <Items billId={id} /> },
            {
              key: 'lines',
              label: `渠道账单 ${count(b.channelCount)}`,
              children: (
                <ListPage
                  embedded
                  size={20}
                  list={listLines}
                  what="账单明细"
                  columns={shown}
                  fixed={{ billId: [String(id)] } as never}
                  views={views}
                  filters={['kind', 'diffType', 'amount']}
                  bar={['kind', 'diffType']}
                  sought="订单号/退款单号"
                  name="reconcile/day-lines"
                  export={exportLines}
                />
              ),
            },
            { key: 'history', label: '变更', children: <History entity={channelBill.name} id={id} /> },
          ]}
        />
      </div>
      {importing && (
        <ImportBill
          initial={{ checkDate: b.checkDate, channel: b.channel }}
          onClose={() => setImporting(false)}
          onDone={x => {
            told(x)
            setImporting(false)
          }}
        />
      )}
    </div>
  )
}
