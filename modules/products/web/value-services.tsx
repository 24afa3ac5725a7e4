import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { listNodePrices } from '../contract/increment-node.ts'
import { IncrementNodes } from './increment-nodes.tsx'
import { paths } from './paths.ts'
import { Price, ProductCard } from './product-card.tsx'
import './products.css'

/** Value-added services: what they cost, and what the company has of them. */
export default function ValueServices() {
  const query = useCall(listNodePrices, undefined, { quiet: true, project: 0, staleMs: 0 })
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={8} />
  const describeHolding = (p: (typeof query.data)[number]): string =>
    [
      p.openCount && `已开通 ${formatCount(p.openCount)} ${p.unit}`,
      p.openingCount && `开通中 ${formatCount(p.openingCount)}`,
      p.expiredCount && `到期 ${formatCount(p.expiredCount)}`,
    ]
      .filter(Boolean)
      .join('，') || '未开通'
  return (
    <div className="shop">
      <section>
        <div className="shop-cards">
          {query.data.map(p => (
            <ProductCard
              key={p.productId}
              name={p.productName}
              intro={p.intro}
              to={paths.valueService(p.productId)}
              price={<Price price={p.price} unit={p.unit} by={p.chargeBy} />}
              note={describeHolding(p)}
            />
          ))}
        </div>
      </section>
      <section className="shop-list">
        <h2>我的增值服务</h2>
        <IncrementNodes />
      </section>
    </div>
  )
}
