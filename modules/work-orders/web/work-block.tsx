import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { orderView } from '../contract/choices.ts'
import { countOrders, listOrders } from '../contract/order-list.ts'
import { paths } from '../module.ts'
import { useLiveOrders } from './live-orders.ts'
import './statistics.css'

const shown = ['open', 'late', 'dueSoon', 'suspended', 'unpaid', 'unrated'] as const

/** 工单 on the workbench: what is open, and what is late. */
export function WorkBlock() {
  const counts = useCall(countOrders, {}, { quiet: true, staleMs: 30_000 })
  useLiveOrders(countOrders)
  return (
    <>
      <header>
        <h2>工单</h2>
        <Link to={paths.record}>工单记录</Link>
      </header>
      <Loaded query={counts} height={96} rows={2} keepsAnswer>
        {({ views }) => {
          const rows = shown.map(view => ({ view, count: views.find(v => v.view === view)?.count ?? 0 }))
          return rows.some(row => row.count) ? (
            <div className="work-counts">
              {rows.map(({ view, count }) => (
                <Link key={view} to={listLink(paths.record, listOrders, { view }, { view: 'all' })}>
                  <span>{labelOf(orderView, view)}</span>
                  <b className={view === 'late' && count ? 'late' : ''}>{formatCount(count)}</b>
                </Link>
              ))}
            </div>
          ) : (
            <Empty text="暂无未完结的工单" />
          )
        }}
      </Loaded>
    </>
  )
}
