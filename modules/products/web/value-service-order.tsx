import { parseId } from '#kit/domain/id.ts'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { int } from '#kit/contract/field.ts'
import { Refused, type FieldFault } from '#kit/contract/wire.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { InvalidInput } from '#kit/web/controls/invalid-input.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { today as todayOf } from '#kit/web/date-format.ts'
import { listNodePrices, listNodes, type IncrementNode } from '../contract/increment-node.ts'
import { addNodeOrder } from '../contract/order.ts'
import { OrderCost, TermField } from './order-cost.tsx'
import { showCreatedOrder } from './order-actions.ts'
import { paths } from './paths.ts'
import './products.css'

/** Orders a value-added service, or more time for one that the company has. */
export default function ValueServiceOrder() {
  const [at] = useSearchParams()
  const id = parseId(at.get('id'))
  const nodeId = parseId(at.get('node'))
  const prices = useCall(listNodePrices, undefined, { quiet: true, project: 0, staleMs: 0 })
  const nodes = useCall(
    listNodes,
    { page: 1, size: 2000 },
    { quiet: true, project: 0, staleMs: 0, enabled: nodeId > 0 },
  )
  const product = prices.data?.find(x => x.productId === id)
  const node = nodes.data?.rows.find(n => n.id === nodeId)
  useTabTitle(product && `${node ? '续费' : '开通'}${product.productName}`)
  if (prices.isError || nodes.isError)
    return (
      <ErrorState
        error={prices.error ?? nodes.error}
        onRetry={() => {
          void prices.refetch()
          void nodes.refetch()
        }}
      />
    )
  if (!prices.data || (nodeId > 0 && !nodes.data)) return <RowSkeleton rows={6} />
  if (!product || (nodeId > 0 && node?.productId !== id))
    return (
      <StateMessage
        text={product ? '暂无待续费的增值服务' : '增值服务不存在'}
        actions={[{ label: '查看增值服务', run: () => navigateTo(paths.valueServices) }]}
      />
    )
  return <NodeOrderForm price={product} node={node} />
}

const quantityField = int('数量', { min: 1, max: 1_000_000 })

type NodePrice = NonNullable<typeof listNodePrices.output.T>[number]

interface NodeOrderFormProps {
  readonly price: NodePrice
  /** The node to be renewed; a new one is ordered without. */
  readonly node: IncrementNode | undefined
}

function NodeOrderForm({ price, node }: NodeOrderFormProps) {
  const [typed, setTyped] = useState<unknown>()
  const [months, setMonths] = useState(12)
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const isTimed = price.chargeBy !== 'piece'
  const quantity = node ? node.quantity : typed === undefined ? price.minQuantity : typed
  const isQuantityValid = typeof quantity === 'number' && quantity >= price.minQuantity
  const submit = (): void => {
    if (!isQuantityValid) {
      setFault(typeof quantity === 'number' ? `至少 ${price.minQuantity} ${price.unit}` : '数量应为整数')
      return
    }
    setBusy(true)
    void sendAndInvalidate(
      addNodeOrder,
      {
        productId: price.productId,
        ...(node ? { nodeId: node.id } : { quantity, ...(name.trim() ? { nodeName: name.trim() } : {}) }),
        ...(isTimed ? { months } : {}),
      },
      { quiet: true },
    )
      .then(showCreatedOrder, (error: unknown) => {
        const faults: readonly FieldFault[] =
          error instanceof Refused && Array.isArray(error.data) ? error.data : []
        const first = faults.find(f => f.Field === 'Quantity')
        if (first) {
          setFault(first.Message)
        } else {
          toast.error(error instanceof Error ? error.message : '创建失败，请重试')
        }
      })
      .finally(() => setBusy(false))
  }
  return (
    <div className="shop">
      <section>
        <h2>{node ? `续费「${node.nodeName}」` : `${isTimed ? '开通' : '购买'}${price.productName}`}</h2>
        <div className="shop-form">
          {!node && (
            <div>
              <label htmlFor="pay-name">名称</label>
              <Input
                id="pay-name"
                maxLength={60}
                placeholder={price.productName}
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
                <NumberInput
                  id="pay-quantity"
                  field={quantityField}
                  value={typed instanceof InvalidInput ? typed : quantity}
                  status={fault ? 'error' : undefined}
                  onChange={v => {
                    setTyped(v)
                    setFault(undefined)
                  }}
                />{' '}
                {price.unit}
                {fault && <em role="alert">{fault}</em>}
              </span>
            )}
          </div>
          {isTimed && (
            <div>
              <span>时长</span>
              <TermField value={months} onChange={setMonths} />
            </div>
          )}
          {isQuantityValid && (
            <div>
              <span>费用</span>
              <OrderCost
                price={price.price}
                quantity={quantity}
                unit={price.unit}
                months={isTimed ? months : undefined}
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
