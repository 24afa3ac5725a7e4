import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { relativeText } from '#kit/web/date-format.ts'
import { Images } from '#kit/web/images.tsx'
import { queryClient, queryKeyOf, useCall } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { orderAction, orderState } from '../contract/choices.ts'
import { followOrder } from '../contract/resident.ts'
import { ResidentActions } from './resident-actions.tsx'
import { ResidentCost } from './resident-cost.tsx'
import { describeProblem, ResidentProblem } from './resident-problem.tsx'

export type FollowedOrder = NonNullable<typeof followOrder.output.T>

const refetchMs = 15_000

/** Behind the link of an order: how far it is, and what its reporter may do now. */
export function ResidentOrder({ token }: { readonly token: string }) {
  const follow = useCall(followOrder, { token }, { quiet: true, project: 0, staleMs: 0, refetchMs })
  const [fault, setFault] = useState<string>()
  const order = follow.data
  if (!order)
    return follow.isError ? (
      <ResidentProblem error={follow.error} onRetry={() => void follow.refetch()} />
    ) : (
      <div className="phone resident">
        <p className="empty" role="status">
          正在加载…
        </p>
      </div>
    )
  const runAction = async (action: () => Promise<FollowedOrder | undefined>): Promise<boolean> => {
    setFault(undefined)
    try {
      const after = await action()
      if (after) {
        queryClient.setQueryData(queryKeyOf(followOrder, { token }, 0), after)
      }
      return true
    } catch (error) {
      setFault(describeProblem(error))
      void follow.refetch()
      return false
    }
  }
  return (
    <div className="phone resident">
      <header>
        <div>
          <h1>{order.typeName}</h1>
          {order.servicePhone && (
            <a
              className="big call"
              href={`tel:${order.servicePhone}`}
              aria-label={`拨打物业电话 ${order.servicePhone}`}
            >
              电话
            </a>
          )}
        </div>
        <small>
          {order.estateName} · {order.orderNo}
        </small>
      </header>
      {follow.isError && (
        <p className="waits" role="status">
          <span>网络不通，显示的可能不是最新进度</span>
        </p>
      )}
      <main>
        <OrderState order={order} />
        <OrderFacts order={order} />
        <ResidentCost order={order} />
        <OrderSteps order={order} />
      </main>
      <ResidentActions token={token} order={order} runAction={runAction} fault={fault} />
    </div>
  )
}

function OrderState({ order }: { readonly order: FollowedOrder }) {
  return (
    <section className="current-state" aria-label="进度">
      <b>{order.stateText}</b>
      <ChoiceStatus choices={orderState} value={order.state} />
    </section>
  )
}

function OrderFacts({ order }: { readonly order: FollowedOrder }) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['位置', order.address],
    ['报事时间', order.registerTime.slice(0, 16)],
    ['处理人', order.handlerName],
    ['预约时间', order.appointTime?.slice(0, 16)],
    ['预计完成', order.finishDeadline?.slice(0, 16)],
    ['处理结果', order.resultText],
  ]
  return (
    <>
      <p className="job-content">{order.content}</p>
      {order.photos.length > 0 && <Images images={order.photos} size={72} />}
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== undefined)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {order.resultPhotos.length > 0 && <Images images={order.resultPhotos} size={72} />}
      {order.evaluation && (
        <p className="note">
          我的评价：{order.evaluation.score} 分（响应 {order.evaluation.speedScore}、态度{' '}
          {order.evaluation.attitudeScore}、质量 {order.evaluation.qualityScore}）
          {order.evaluation.content && `：${order.evaluation.content}`}
        </p>
      )}
    </>
  )
}

function OrderSteps({ order }: { readonly order: FollowedOrder }) {
  return (
    <section aria-label="处理过程">
      <h2>处理过程</h2>
      <ul className="flow">
        {order.steps.toReversed().map(step => (
          <li key={`${step.actionTime}/${step.action}`}>
            <b>{step.text || labelOf(orderAction, step.action)}</b>
            <small>{relativeText(step.actionTime)}</small>
            {step.photos.length > 0 && <Images images={step.photos} size={72} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
