import { Button } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { act } from '#kit/web/acts.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { go } from '#kit/web/go.ts'
import { Skeleton, State, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { Choice } from '#kit/web/status.tsx'
import { useTabName } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { today as todayOf } from '#kit/web/when.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { switchApp } from '../contract/app.ts'
import { addAppOrder } from '../contract/order.ts'
import { oneProduct } from '../contract/product.ts'
import { chargeBy, holding, productKind } from '../contract/words.ts'
import { menu } from '../module.ts'
import { Costs, TermField } from './buying.tsx'
import { ordered } from './order-verbs.ts'
import { places } from './places.ts'
import { Price } from './product-card.tsx'
import './products.css'

/** One product: what it holds, what it costs, and what can be done with it now. */
export default function ProductDetail() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const may = usePermission()
  const { screens } = useHost()
  const asked = useCall(oneProduct, { id }, { quiet: true, project: 0, fresh: 0, enabled: id > 0 })
  const p = asked.data
  const [months, setMonths] = useState(12)
  const [busy, setBusy] = useState(false)
  const mayBuy = p?.kind === 'app' && !p.included && may(menu.product.may.add)
  useTabName(p?.productName)
  if (id <= 0)
    return (
      <State
        words="地址里没有要查看的产品"
        deeds={[{ label: '去产品中心', run: () => go(places.products) }]}
      />
    )
  if (asked.isError) return <Trouble error={asked.error} retry={() => void asked.refetch()} />
  if (!p) return <Skeleton rows={6} />
  const run = (what: Promise<unknown>): void => {
    setBusy(true)
    void what
      .catch(() => undefined)
      .finally(() => {
        setBusy(false)
        void asked.refetch()
      })
  }
  const buy = (): void => run(act(addAppOrder, { productId: p.id, months }).then(ordered))
  const turn = async (enabled: boolean): Promise<void> => {
    if (
      !enabled &&
      !(await confirm({
        title: `停用「${p.productName}」`,
        text: '停用后，全公司的菜单和接口中都不再出现这个应用，数据保留；可以随时再启用。',
        ok: '停用',
      }))
    )
      return
    await act(switchApp, { appCode: p.productCode, enabled })
    toast.success(enabled ? `已启用「${p.productName}」` : `已停用「${p.productName}」`)
  }
  const opened = p.state === 'open' || p.state === 'off'
  const names = screens.all.filter(s => s.group && p.modules?.includes(s.module)).map(s => s.title)
  return (
    <div className="shop">
      <section>
        <h2>
          {p.productName}
          {p.kind !== 'device' && <Choice of={holding} value={p.state} />}
          <span className="spring" />
          {p.kind === 'app' && opened && may(menu.product.may.edit) && (
            <Button loading={busy} onClick={() => run(turn(!p.enabled))}>
              {p.enabled ? '停用' : '启用'}
            </Button>
          )}
          {p.kind === 'edition' && may(menu.renewal.may.view) && (
            <Button type="primary" onClick={() => go(places.renew)}>
              去续费
            </Button>
          )}
          {p.kind === 'node' && may(menu.increment.may.view) && (
            <Button type="primary" onClick={() => go(places.value(p.id))}>
              去增值服务
            </Button>
          )}
        </h2>
        <p className="shop-lead">{p.intro}</p>
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
          {names.length > 0 && (
            <div>
              <dt>菜单</dt>
              <dd>{names.join('、')}</dd>
            </div>
          )}
          {!!p.infs?.length && (
            <div>
              <dt>接口</dt>
              <dd>{p.infs.join('、')}</dd>
            </div>
          )}
          {!!p.properties?.length && (
            <div>
              <dt>{p.kind === 'device' ? '选型参数' : '计费说明'}</dt>
              <dd>{p.properties.join('、')}</dd>
            </div>
          )}
        </dl>
        {!!p.features?.length && (
          <ul className="shop-features" aria-label="包含内容">
            {p.features.map(f => (
              <li key={f}>{f}</li>
            ))}
          </ul>
        )}
      </section>
      {mayBuy && (
        <section>
          <h2>{p.expireDate ? '续期' : '开通'}</h2>
          {p.orderNo ? (
            <p className="shop-note">
              有一笔待支付的订单 {p.orderNo}，支付后生效。
              <button type="button" className="linkish" onClick={() => go(places.pending())}>
                查看订单
              </button>
            </p>
          ) : (
            <div className="shop-form">
              <div>
                <span>时长</span>
                <TermField value={months} onChange={setMonths} />
              </div>
              {p.price !== undefined && (
                <div>
                  <span>费用</span>
                  <Costs
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
                <Button type="primary" loading={busy} onClick={buy}>
                  创建订单
                </Button>
                <small>按启用中的项目数计费；订单 24 小时内有效</small>
              </div>
            </div>
          )}
        </section>
      )}
    </div>
  )
}
