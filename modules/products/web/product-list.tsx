import { Segmented } from 'antd'
import { useState } from 'react'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { Skeleton, State, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { Choice } from '#kit/web/status.tsx'
import { productCenter } from '../contract/product.ts'
import { holding, productKind } from '../contract/words.ts'
import { places } from './places.ts'
import { Price, ProductCard } from './product-card.tsx'
import './products.css'

type Kind = ChoiceOf<typeof productKind>
const kinds = Object.keys(productKind.rows) as Kind[]

/** What the platform offers and what the company has of it. */
export default function ProductCentre() {
  const asked = useCall(productCenter, {}, { quiet: true, project: 0, fresh: 0 })
  const [kind, setKind] = useState<Kind | 'all'>('all')
  if (asked.isError) return <Trouble error={asked.error} retry={() => void asked.refetch()} />
  if (!asked.data) return <Skeleton rows={8} />
  const shown = kinds
    .filter(k => kind === 'all' || k === kind)
    .map(k => [k, asked.data.filter(p => p.kind === k)] as const)
    .filter(([, all]) => all.length)
  return (
    <div className="shop">
      <Segmented
        aria-label="产品类别"
        value={kind}
        onChange={v => setKind(v as Kind | 'all')}
        options={[
          { value: 'all', label: '全部' },
          ...kinds.map(k => ({ value: k, label: labelOf(productKind, k) })),
        ]}
      />
      {shown.length === 0 && <State words="这个类别还没有产品" />}
      {shown.map(([k, all]) => (
        <section key={k}>
          <h2>{labelOf(productKind, k)}</h2>
          <div className="shop-cards">
            {all.map(p => (
              <ProductCard
                key={p.id}
                name={p.productName}
                type={p.typeName}
                intro={p.intro}
                to={p.kind === 'node' ? places.value(p.id) : places.product(p.id)}
                price={<Price price={p.price} unit={p.unit} by={p.chargeBy} />}
                status={p.kind !== 'device' && <Choice of={holding} value={p.state} />}
                note={
                  p.included && p.state === 'open' ? '当前版本已包含' : p.expireDate && `至 ${p.expireDate}`
                }
              />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}
