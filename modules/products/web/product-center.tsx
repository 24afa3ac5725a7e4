import { Segmented } from 'antd'
import { useState } from 'react'
import { keysOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { listProductCenter } from '../contract/product.ts'
import { holdingState, productKind } from '../contract/labels.ts'
import { paths } from './paths.ts'
import { Price, ProductCard } from './product-card.tsx'
import './products.css'

type ProductKind = ChoiceOf<typeof productKind>
const productKinds = keysOf(productKind)

/** What the platform offers and what the company has of it. */
export default function ProductCenter() {
  const query = useCall(listProductCenter, {}, { quiet: true, project: 0, staleMs: 0 })
  const [kind, setKind] = useState<ProductKind | 'all'>('all')
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={8} />
  const shown = productKinds
    .filter(k => kind === 'all' || k === kind)
    .map(k => [k, query.data.filter(p => p.kind === k)] as const)
    .filter(([, all]) => all.length)
  return (
    <div className="shop">
      <Segmented<ProductKind | 'all'>
        aria-label="产品类别"
        value={kind}
        onChange={setKind}
        options={[
          { value: 'all', label: '全部' },
          ...productKinds.map(k => ({ value: k, label: labelOf(productKind, k) })),
        ]}
      />
      {shown.length === 0 && <StateMessage text="该类别暂无产品" />}
      {shown.map(([shownKind, all]) => (
        <section key={shownKind}>
          <h2>{labelOf(productKind, shownKind)}</h2>
          <div className="shop-cards">
            {all.map(product => (
              <ProductCard
                key={product.id}
                name={product.productName}
                type={product.typeName}
                intro={product.intro}
                to={product.kind === 'node' ? paths.valueService(product.id) : paths.product(product.id)}
                price={<Price price={product.price} unit={product.unit} by={product.chargeBy} />}
                status={
                  product.kind !== 'device' && <ChoiceStatus choices={holdingState} value={product.state} />
                }
                note={
                  product.included && product.state === 'open'
                    ? '当前版本已包含'
                    : product.expireDate && `至 ${product.expireDate}`
                }
              />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}
