import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { count } from '#kit/web/figure.tsx'
import { useCall } from '#kit/web/query.ts'
import { nodePrices } from '../contract/node.ts'
import { Nodes } from './nodes.tsx'
import { places } from './places.ts'
import { Price, ProductCard } from './product-card.tsx'
import './products.css'

/** Value-added services: what they cost, and what the company has of them. */
export default function ValueAdded() {
  const asked = useCall(nodePrices, undefined, { quiet: true, project: 0, fresh: 0 })
  if (asked.isError) return <Trouble error={asked.error} retry={() => void asked.refetch()} />
  if (!asked.data) return <Skeleton rows={8} />
  const had = (p: (typeof asked.data)[number]): string =>
    [
      p.openCount && `已开通 ${count(p.openCount)} ${p.unit}`,
      p.openingCount && `开通中 ${count(p.openingCount)}`,
      p.expiredCount && `到期 ${count(p.expiredCount)}`,
    ]
      .filter(Boolean)
      .join('，') || '未开通'
  return (
    <div className="shop">
      <section>
        <div className="shop-cards">
          {asked.data.map(p => (
            <ProductCard
              key={p.productId}
              name={p.productName}
              intro={p.intro}
              to={places.value(p.productId)}
              price={<Price price={p.price} unit={p.unit} by={p.chargeBy} />}
              note={had(p)}
            />
          ))}
        </div>
      </section>
      <section className="shop-list">
        <h2>我的增值服务</h2>
        <Nodes />
      </section>
    </div>
  )
}
