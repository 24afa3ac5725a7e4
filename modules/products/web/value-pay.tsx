import { Button, Input } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { int } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { act } from '#kit/web/acts.ts'
import { Numeric } from '#kit/web/controls/numeric.tsx'
import { Unread } from '#kit/web/controls/unread.ts'
import { go } from '#kit/web/go.ts'
import { Skeleton, State, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { useTabName } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { today as todayOf } from '#kit/web/when.ts'
import { listNodes, nodePrices } from '../contract/node.ts'
import { addNodeOrder } from '../contract/order.ts'
import { Costs, TermField } from './buying.tsx'
import { ordered } from './order-verbs.ts'
import { places } from './places.ts'
import './products.css'

/** Orders a value-added service, or more time for one that the company has. */
export default function ValuePay() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const nodeId = Number(at.get('node')) || 0
  const prices = useCall(nodePrices, undefined, { quiet: true, project: 0, fresh: 0 })
  const nodes = useCall(
    listNodes,
    { page: 1, size: 2000 },
    { quiet: true, project: 0, fresh: 0, enabled: nodeId > 0 },
  )
  const p = prices.data?.find(x => x.productId === id)
  const node = nodes.data?.rows.find(n => n.id === nodeId)
  const [typed, setTyped] = useState<unknown>()
  const [months, setMonths] = useState(12)
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  useTabName(p && `${node ? '续费' : '开通'}${p.productName}`)
  if (prices.isError || nodes.isError)
    return (
      <Trouble
        error={prices.error ?? nodes.error}
        retry={() => {
          void prices.refetch()
          void nodes.refetch()
        }}
      />
    )
  if (!prices.data || (nodeId > 0 && !nodes.data)) return <Skeleton rows={6} />
  if (!p || (nodeId > 0 && node?.productId !== id))
    return (
      <State
        words={p ? '没有要续费的增值服务' : '没有这项增值服务'}
        deeds={[{ label: '去增值服务', run: () => go(places.values) }]}
      />
    )
  const timed = p.chargeBy !== 'piece'
  const quantity = node ? node.quantity : typed === undefined ? p.minQuantity : typed
  const good = typeof quantity === 'number' && quantity >= p.minQuantity
  const submit = (): void => {
    if (!good) {
      setFault(typeof quantity === 'number' ? `至少 ${p.minQuantity} ${p.unit}` : '数量应为整数')
      return
    }
    setBusy(true)
    void act(
      addNodeOrder,
      {
        productId: id,
        ...(node ? { nodeId: node.id } : { quantity, ...(name.trim() ? { nodeName: name.trim() } : {}) }),
        ...(timed ? { months } : {}),
      },
      { quiet: true },
    )
      .then(ordered, (e: unknown) => {
        const first =
          e instanceof Refused && Array.isArray(e.data)
            ? (e.data as { Field: string; Message: string }[]).find(f => f.Field === 'Quantity')
            : undefined
        if (first) {
          setFault(first.Message)
        } else {
          toast.error(e instanceof Error ? e.message : '没有创建成功，请重试')
        }
      })
      .finally(() => setBusy(false))
  }
  return (
    <div className="shop">
      <section>
        <h2>{node ? `续费「${node.nodeName}」` : `${timed ? '开通' : '购买'}${p.productName}`}</h2>
        <div className="shop-form">
          {!node && (
            <div>
              <label htmlFor="pay-name">名称</label>
              <Input
                id="pay-name"
                maxLength={60}
                placeholder={p.productName}
                value={name}
                onChange={e => setName(e.target.value)}
                style={{ width: 280 }}
              />
            </div>
          )}
          <div>
            <label htmlFor="pay-quantity">数量</label>
            {node ? (
              <span>
                {node.quantity.toLocaleString('en-US')} {node.unit}
              </span>
            ) : (
              <span className="shop-quantity">
                <Numeric
                  id="pay-quantity"
                  field={quantityField}
                  value={typed instanceof Unread ? typed : quantity}
                  status={fault ? 'error' : undefined}
                  onChange={v => {
                    setTyped(v)
                    setFault(undefined)
                  }}
                />{' '}
                {p.unit}
                {fault && <em role="alert">{fault}</em>}
              </span>
            )}
          </div>
          {timed && (
            <div>
              <span>时长</span>
              <TermField value={months} onChange={setMonths} />
            </div>
          )}
          {good && (
            <div>
              <span>费用</span>
              <Costs
                price={p.price}
                quantity={quantity}
                unit={p.unit}
                months={timed ? months : undefined}
                now={node?.expireDate}
                today={todayOf()}
              />
            </div>
          )}
          <div>
            <span />
            <Button type="primary" loading={busy} onClick={submit}>
              创建订单
            </Button>
            <small>订单 24 小时内有效，支付后立即生效</small>
          </div>
        </div>
      </section>
    </div>
  )
}

const quantityField = int('数量', { min: 1, max: 1_000_000 })
