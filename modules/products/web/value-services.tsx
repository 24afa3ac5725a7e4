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
  const describeHolding = (product: (typeof query.data)[number]): string =>
    [
      product.openCount && `已开通 ${formatCount(product.openCount)} ${product.unit}`,
      product.openingCount && `开通中 ${formatCount(product.openingCount)}`,
      product.expiredCount && `到期 ${formatCount(product.expiredCount)}`,
    ]
      .filter(Boolean)
      .join('，') || '未开通'
  return (
    <div className="shop">
      <section>
        <div className="shop-cards">
          {query.data.map(product => (
            <ProductCard
              key={product.productId}
              name={product.productName}
              intro={product.intro}
              to={paths.valueService(product.productId)}
              price={<Price price={product.price} unit={product.unit} by={product.chargeBy} />}
              note={describeHolding(product)}
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
