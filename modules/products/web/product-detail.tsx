import { parseId } from '#kit/domain/id.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { InvalidAddress } from '#kit/web/record-failure.tsx'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
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
import { Price } from './product-card.tsx'
import './products.css'

/** One product: what it includes, what it costs, and what the company can do with it now. */
export default function ProductDetail() {
  const [at] = useSearchParams()
  const id = parseId(at.get('id'))
  const hasPermission = usePermission()
  const { screens } = useHost()
  const query = useCall(getProduct, { id }, { quiet: true, project: 0, staleMs: 0, enabled: id > 0 })
  const p = query.data
  const [months, setMonths] = useState(12)
  const [busy, setBusy] = useState(false)
  const canBuy = p?.kind === 'app' && !p.included && hasPermission(menu.product.permissions.add)
  useTabTitle(p?.productName)
  if (id <= 0) return <InvalidAddress />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!p) return <RowSkeleton rows={6} />
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
    run(sendAndInvalidate(addAppOrder, { productId: p.id, months }).then(showCreatedOrder))
  const setEnabled = async (enabled: boolean): Promise<void> => {
    if (
      !enabled &&
      !(await confirm({
        title: `停用「${p.productName}」`,
        text: '停用后，全公司的菜单和接口中都不再出现该应用，数据保留；可以随时再启用。',
        okLabel: '停用',
      }))
    )
      return
    await sendAndInvalidate(setAppEnabled, { appCode: p.productCode, enabled })
    toast.success(enabled ? `已启用「${p.productName}」` : `已停用「${p.productName}」`)
  }
  const isHeld = p.state === 'open' || p.state === 'off'
  const menuTitles = screens.all.filter(s => s.group && p.modules?.includes(s.module)).map(s => s.title)
  return (
    <div className="shop">
      <section>
        <h2>
          {p.productName}
          {p.kind !== 'device' && <ChoiceStatus choices={holdingState} value={p.state} />}
          <span className="spring" />
          {p.kind === 'app' && isHeld && hasPermission(menu.product.permissions.edit) && (
            <Button loading={busy} onClick={() => run(setEnabled(!p.enabled))}>
              {p.enabled ? '停用' : '启用'}
            </Button>
          )}
          {p.kind === 'edition' && hasPermission(menu.renewal.permissions.view) && (
            <Button type="primary" onClick={() => navigateTo(paths.renew)}>
              续费
            </Button>
          )}
          {p.kind === 'node' && hasPermission(menu.increment.permissions.view) && (
            <Button type="primary" onClick={() => navigateTo(paths.valueService(p.id))}>
              查看增值服务
            </Button>
          )}
        </h2>
        <p className="shop-lead">{p.intro}</p>
        <ProductFacts product={p} menuTitles={menuTitles} />
        {p.features !== undefined && p.features.length > 0 && (
          <ul className="shop-features" aria-label="包含内容">
            {p.features.map(f => (
              <li key={f}>{f}</li>
            ))}
          </ul>
        )}
      </section>
      {canBuy && <AppOrderForm product={p} months={months} busy={busy} onMonths={setMonths} onBuy={buy} />}
    </div>
  )
}

type ProductView = NonNullable<typeof getProduct.output.T>

interface ProductFactsProps {
  readonly product: ProductView
  readonly menuTitles: readonly string[]
}

function ProductFacts({ product: p, menuTitles }: ProductFactsProps) {
  return (
    <dl className="shop-facts">
      <div>
        <dt>类别</dt>
        <dd>
          {labelOf(productKind, p.kind)} · {p.typeName}
        </dd>
      </div>
      <div>
        <dt>价格</dt>
        <dd>
          <Price price={p.price} unit={p.unit} by={p.chargeBy} />
        </dd>
      </div>
      <div>
        <dt>计价方式</dt>
        <dd>{labelOf(chargeBy, p.chargeBy)}</dd>
      </div>
      {p.included && (
        <div>
          <dt>开通方式</dt>
          <dd>当前版本已包含</dd>
        </div>
      )}
      {p.expireDate && (
        <div>
          <dt>到期日期</dt>
          <dd>{p.expireDate}</dd>
        </div>
      )}
      {menuTitles.length > 0 && (
        <div>
          <dt>菜单</dt>
          <dd>{menuTitles.join('、')}</dd>
        </div>
      )}
      {p.infs !== undefined && p.infs.length > 0 && (
        <div>
          <dt>接口</dt>
          <dd>{p.infs.join('、')}</dd>
        </div>
      )}
      {p.properties !== undefined && p.properties.length > 0 && (
        <div>
          <dt>{p.kind === 'device' ? '选型参数' : '计费说明'}</dt>
          <dd>{p.properties.join('、')}</dd>
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
function AppOrderForm({ product: p, months, busy, onMonths, onBuy }: AppOrderFormProps) {
  return (
    <section>
      <h2>{p.expireDate ? '续期' : '开通'}</h2>
      {p.orderNo ? (
        <p className="shop-note">
          有一笔待支付的订单 {p.orderNo}，支付后生效。
          <button type="button" className="linkish" onClick={() => navigateTo(paths.pendingOrders())}>
            查看订单
          </button>
        </p>
      ) : (
        <div className="shop-form">
          <div>
            <span>时长</span>
            <TermField value={months} onChange={onMonths} />
          </div>
          {p.price !== undefined && (
            <div>
              <span>费用</span>
              <OrderCost
                price={p.price}
                quantity={p.estates ?? 1}
                unit="项目"
                months={months}
                now={p.expireDate}
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
