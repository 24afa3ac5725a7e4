import { parseId } from '#kit/domain/id.ts'
import { Button } from 'antd'
import { useSearchParams } from 'react-router'
import { navigateTo } from '#kit/web/navigation.ts'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useTabTitle } from '#kit/web/tab.ts'
import { listNodePrices } from '../contract/increment-node.ts'
import { menu } from '../module.ts'
import { IncrementNodes } from './increment-nodes.tsx'
import { paths } from './paths.ts'
import { Price } from './product-card.tsx'
import './products.css'

/** One value-added service with what the company has of it. */
export default function ValueServiceDetail() {
  const [at] = useSearchParams()
  const id = parseId(at.get('id'))
  const hasPermission = usePermission()
  const query = useCall(listNodePrices, undefined, { quiet: true, project: 0, staleMs: 0 })
  const product = query.data?.find(x => x.productId === id)
  useTabTitle(product?.productName)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={8} />
  if (!product)
    return (
      <StateMessage
        text="增值服务不存在"
        actions={[{ label: '查看增值服务', run: () => navigateTo(paths.valueServices) }]}
      />
    )
  return (
    <div className="shop">
      <section>
        <h2>
          {product.productName}
          <span className="spring" />
          {hasPermission(menu.increment.permissions.add) && (
            <Button type="primary" onClick={() => navigateTo(paths.valueOrder(product.productId))}>
              {product.chargeBy === 'piece' ? '购买' : '开通'}
            </Button>
          )}
        </h2>
        <p className="shop-lead">{product.intro}</p>
        <dl className="shop-facts">
          <div>
            <dt>价格</dt>
            <dd>
              <Price price={product.price} unit={product.unit} by={product.chargeBy} />
            </dd>
          </div>
          <div>
            <dt>起订数量</dt>
            <dd>
              {product.minQuantity.toLocaleString('en-US')} {product.unit}
            </dd>
          </div>
          <div>
            <dt>已开通</dt>
            <dd>
              {product.openCount.toLocaleString('en-US')} {product.unit}
            </dd>
          </div>
          <div>
            <dt>到期</dt>
            <dd>
              {product.expiredCount.toLocaleString('en-US')} {product.unit}
            </dd>
          </div>
        </dl>
      </section>
      <section className="shop-list">
        <h2>我的{product.productName}</h2>
        <IncrementNodes type={product.nodeType} />
      </section>
    </div>
  )
}
