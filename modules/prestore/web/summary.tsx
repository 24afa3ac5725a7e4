import { DownloadOutlined } from '@ant-design/icons'
import { useMemo } from 'react'
import { useLocation } from 'react-router'
import { columns } from '#kit/web/columns.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { filterFields, readQuery } from '#kit/web/list/query.ts'
import { useCall } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { exportSummary, listSummary, sumSummary } from '../contract/summary.ts'
import { menu } from '../module.ts'
import './prestore.css'

const shown = columns(listSummary.output, ['month', { key: 'estateName', drop: 1 }, 'open', 'came', 'offset', 'refund', 'other', 'close']).map(c => ({ ...c, sort: undefined, identity: false }))
const fields = filterFields(listSummary)
/** The filter's own sums: what opened, what moved, what closes. */
function Sums({ asked }: { readonly asked: object }) {
  const s = useCall(sumSummary, asked as never, { quiet: true, keep: true }).data
  return s ? <div className="prestore-band" aria-label="合计">{([['期初', s.open], ['收入', s.came], ['冲抵', s.offset], ['退款', s.refund], ['转账与调整', s.other], ['期末', s.close]] as const).map(([k, n]) => <span key={k}>{k} <b className="figure">{yuan(n)}</b></span>)}</div> : null
}
/** 预存汇总: 期初 + 收入 − 冲抵 − 退款 + 转账与调整 = 期末, by month. */
export default function SummaryPage() {
  const at = useLocation(), asked = useMemo(() => readQuery(at.search, fields).filter, [at.search])
  return <ListPage list={listSummary} what="预存汇总" columns={shown} keyOf={r => `${r.projectCode}/${r.month}`} filters={['month']} bar={['month']} above={<Sums asked={asked} />} tools={[{ label: '导出汇总', icon: <DownloadOutlined />, may: menu.account.may.export, run: () => download(exportSummary, asked as never) }]} />
}
