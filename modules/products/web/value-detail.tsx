import { Button } from 'antd'
import { useSearchParams } from 'react-router'
import { go } from '#kit/web/go.ts'
import { Skeleton, State, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useTabName } from '#kit/web/tab.ts'
import { nodePrices } from '../contract/node.ts'
import { menu } from '../module.ts'
import { Nodes } from './nodes.tsx'
import { places } from './places.ts'
import { Price } from './product-card.tsx'
import './products.css'

/** One value-added service with what the company has of it. */
export default function ValueDetail() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const may = usePermission()
  const asked = useCall(nodePrices, undefined, { quiet: true, project: 0, fresh: 0 })
  const p = asked.data?.find(x => x.productId === id)
  useTabName(p?.productName)
  if (asked.isError) return <Trouble error={asked.error} retry={() => void asked.refetch()} />
  if (!asked.data) return <Skeleton rows={8} />
  if (!p)
    return <State words="没有这项增值服务" deeds={[{ label: '去增值服务', run: () => go(places.values) }]} />
  return (
    <div className="shop">
      <section>
        <h2>
          {p.productName}
          <span className="spring" />
          {may(menu.increment.may.add) && (
            <Button type="primary" onClick={() => go(places.pay(p.productId))}>
              {p.chargeBy === 'piece' ? '购买' : '开通'}
            </Button>
          )}
        </h2>
        <p className="shop-lead">{p.intro}</p>
        <dl className="shop-facts">
          <div>
            <dt>价格</dt>
            <dd>
              <Price price={p.price} unit={p.unit} by={p.chargeBy} />
            </dd>
          </div>
          <div>
            <dt>起订数量</dt>
            <dd>
              {p.minQuantity.toLocaleString('en-US')} {p.unit}
            </dd>
          </div>
          <div>
            <dt>已开通</dt>
            <dd>
              {p.openCount.toLocaleString('en-US')} {p.unit}
            </dd>
          </div>
          <div>
            <dt>到期</dt>
            <dd>
              {p.expiredCount.toLocaleString('en-US')} {p.unit}
            </dd>
          </div>
        </dl>
      </section>
      <section className="shop-list">
        <h2>我的{p.productName}</h2>
        <Nodes type={p.nodeType} />
      </section>
    </div>
  )
}
