import { parseId } from '#kit/domain/id.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { InvalidAddress } from '#kit/web/record-failure.tsx'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { useTabTitle } from '#kit/web/tab.ts'
import { today as todayOf } from '#kit/web/date-format.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { setAppEnabled } from '../contract/property-app.ts'
import { addAppOrder } from '../contract/order.ts'
import { getProduct } from '../contract/product.ts'
import { chargeBy, holdingState, productKind } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { OrderCost, TermField } from './order-cost.tsx'
import { showCreatedOrder } from './order-actions.ts'
import { paths } from './paths.ts'
import { pendingOrdersLink } from './pending-orders.ts'
import { Price } from './product-card.tsx'
import './products.css'

/** One product: what it includes, what it costs, and what the company can do with it now. */
export default function ProductDetail() {
  const [at] = useSearchParams()
  const id = parseId(at.get('id'))
  const hasPermission = usePermission()
  const { screens } = useHost()
  const query = useCall(getProduct, { id }, { quiet: true, project: 0, staleMs: 0, enabled: id > 0 })
  const product = query.data
  const [months, setMonths] = useState(12)
  const [busy, setBusy] = useState(false)
  const canBuy = product?.kind === 'app' && !product.included && hasPermission(menu.product.permissions.add)
  useTabTitle(product?.productName)
  if (id <= 0) return <InvalidAddress />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!product) return <RowSkeleton rows={6} />
  const run = (work: Promise<unknown>): void => {
    setBusy(true)
    void work
      .catch(() => undefined)
      .finally(() => {
        setBusy(false)
        void query.refetch()
      })
  }
  const buy = (): void =>
    run(sendAndInvalidate(addAppOrder, { productId: product.id, months }).then(showCreatedOrder))
  const setEnabled = async (enabled: boolean): Promise<void> => {
    if (
      !enabled &&
      !(await confirm({
        title: `停用「${product.productName}」`,
        text: '停用后，全公司的菜单和接口中都不再出现该应用，数据保留；可以随时再启用。',
        okLabel: '停用',
      }))
    )
      return
    await sendAndToast(
      setAppEnabled,
      { appCode: product.productCode, enabled },
      enabled ? `已启用「${product.productName}」` : `已停用「${product.productName}」`,
    )
  }
  const isHeld = product.state === 'open' || product.state === 'off'
  const menuTitles = screens.all.filter(s => s.group && product.modules?.includes(s.module)).map(s => s.title)
  return (
    <div className="shop">
      <section>
        <h2>
          {product.productName}
          {product.kind !== 'device' && <ChoiceStatus choices={holdingState} value={product.state} />}
          <span className="spring" />
          {product.kind === 'app' && isHeld && hasPermission(menu.product.permissions.edit) && (
            <Button loading={busy} onClick={() => run(setEnabled(!product.enabled))}>
              {product.enabled ? '停用' : '启用'}
            </Button>
          )}
          {product.kind === 'edition' && hasPermission(menu.renewal.permissions.view) && (
            <Button type="primary" onClick={() => navigateTo(paths.renew)}>
              续费
            </Button>
          )}
          {product.kind === 'node' && hasPermission(menu.increment.permissions.view) && (
            <Button type="primary" onClick={() => navigateTo(paths.valueService(product.id))}>
              查看增值服务
            </Button>
          )}
        </h2>
        <p className="shop-lead">{product.intro}</p>
        <ProductFacts product={product} menuTitles={menuTitles} />
        {product.features !== undefined && product.features.length > 0 && (
          <ul className="shop-features" aria-label="包含内容">
            {product.features.map(f => (
              <li key={f}>{f}</li>
            ))}
          </ul>
        )}
      </section>
      {canBuy && (
        <AppOrderForm product={product} months={months} busy={busy} onMonths={setMonths} onBuy={buy} />
      )}
    </div>
  )
}

type ProductView = NonNullable<typeof getProduct.output.T>

interface ProductFactsProps {
  readonly product: ProductView
  readonly menuTitles: readonly string[]
}

function ProductFacts({ product, menuTitles }: ProductFactsProps) {
  return (
    <dl className="shop-facts">
      <div>
        <dt>类别</dt>
        <dd>
          {labelOf(productKind, product.kind)} · {product.typeName}
        </dd>
      </div>
      <div>
        <dt>价格</dt>
        <dd>
          <Price price={product.price} unit={product.unit} by={product.chargeBy} />
        </dd>
      </div>
      <div>
        <dt>计价方式</dt>
        <dd>{labelOf(chargeBy, product.chargeBy)}</dd>
      </div>
      {product.included && (
        <div>
          <dt>开通方式</dt>
          <dd>当前版本已包含</dd>
        </div>
      )}
      {product.expireDate && (
        <div>
          <dt>到期日期</dt>
          <dd>{product.expireDate}</dd>
        </div>
      )}
      {menuTitles.length > 0 && (
        <div>
          <dt>菜单</dt>
          <dd>{menuTitles.join('、')}</dd>
        </div>
      )}
      {product.infs !== undefined && product.infs.length > 0 && (
        <div>
          <dt>接口</dt>
          <dd>{product.infs.join('、')}</dd>
        </div>
      )}
      {product.properties !== undefined && product.properties.length > 0 && (
        <div>
          <dt>{product.kind === 'device' ? '选型参数' : '计费说明'}</dt>
          <dd>{product.properties.join('、')}</dd>
        </div>
      )}
    </dl>
  )
}

interface AppOrderFormProps {
  readonly product: ProductView
  readonly months: number
  readonly busy: boolean
  readonly onMonths: (months: number) => void
  readonly onBuy: () => void
}

/** Subscribes to an application, or extends it. */
function AppOrderForm({ product, months, busy, onMonths, onBuy }: AppOrderFormProps) {
  return (
    <section>
      <h2>{product.expireDate ? '续期' : '开通'}</h2>
      {product.orderNo ? (
        <p className="shop-note">
          有一笔待支付的订单 {product.orderNo}，支付后生效。
          <button type="button" className="linkish" onClick={() => navigateTo(pendingOrdersLink())}>
            查看订单
          </button>
        </p>
      ) : (
        <div className="shop-form">
          <div>
            <span>时长</span>
            <TermField value={months} onChange={onMonths} />
          </div>
          {product.price !== undefined && (
            <div>
              <span>费用</span>
              <OrderCost
                price={product.price}
                quantity={product.estates ?? 1}
                unit="项目"
                months={months}
                now={product.expireDate}
                today={todayOf()}
              />
            </div>
          )}
          <div>
            <span />
            <Button type="primary" loading={busy} onClick={onBuy}>
              创建订单
            </Button>
            <small>按启用中的项目数计费；订单 24 小时内有效</small>
          </div>
        </div>
      )}
    </section>
  )
}
