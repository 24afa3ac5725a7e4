import { Button } from 'antd'
import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { copyText } from '#kit/web/copy-text.ts'
import { relativeText } from '#kit/web/date-format.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import { MaskedValue } from '#kit/web/masked-value.tsx'
import { BlankValue } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { getPersonalDataLoader } from '#kit/web/reveal.ts'
import { screenAction } from '#kit/web/screen-action.ts'
import { send } from '#kit/web/send.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { orderSource, orderState, visitResult, visitState } from '../contract/choices.ts'
import { getOrderLink } from '../contract/order.ts'
import { listOrders } from '../contract/order-list.ts'
import type { OrderDetail } from './clock-bars.ts'
import { orderPath } from './order-address.ts'
import { CostSection } from './order-costs.tsx'
import { HandlerSection } from './order-handler.tsx'
import { paths } from './paths.ts'
import { SideSection } from './side-section.tsx'
import type { OrderActions } from './use-order-actions.tsx'

interface SideProps {
  readonly order: OrderDetail
  readonly tools: OrderActions
}

function Place({ order }: Pick<SideProps, 'order'>) {
  const load = getPersonalDataLoader()
  const reveal = load && (() => load('workOrder', order.id, 'reporterPhone'))
  const copyLink = async (): Promise<void> => {
    const { url } = await send(getOrderLink, { id: order.id })
    await copyText(new URL(url, location.origin).href)
  }
  return (
    <SideSection
      title="地点与报事人"
      actions={[
        order.roomId ? screenAction(paths.room, { id: order.roomId }, '查看房间') : false,
        { label: '复制报事人链接', run: copyLink },
      ]}
    >
      <dl>
        <div>
          <dt>位置</dt>
          <dd>{order.address ?? <BlankValue />}</dd>
        </div>
        <div>
          <dt>报事人</dt>
          <dd>{order.reporterName ?? <BlankValue />}</dd>
        </div>
        <div>
          <dt>电话</dt>
          <dd>
            {order.reporterPhone ? (
              <MaskedValue value={order.reporterPhone} reveal={reveal} />
            ) : (
              <BlankValue />
            )}
          </dd>
        </div>
        <div>
          <dt>预约</dt>
          <dd>{order.appointTime ? relativeText(order.appointTime) : <BlankValue />}</dd>
        </div>
        <div>
          <dt>来源</dt>
          <dd>
            {labelOf(orderSource, order.source)}
            {order.registrarName ? ` · ${order.registrarName}登记` : ''}
          </dd>
        </div>
      </dl>
    </SideSection>
  )
}

/** One rating; of an order that was taken up again each keeps its own. */
const Scores = ({ rating }: { readonly rating: OrderDetail['earlierEvaluations'][number] }) => (
  <>
    <p>
      {rating.score} 分{rating.isDefault ? '（系统默认）' : ''}
      {rating.reopenTime === undefined ? '' : '（重新处理前）'} · 响应 {rating.speedScore}，态度{' '}
      {rating.attitudeScore}，质量 {rating.qualityScore}
    </p>
    {rating.content && <p>{rating.content}</p>}
  </>
)

function Rating({ order, tools }: SideProps) {
  const { evaluation, earlierEvaluations, visits } = order
  if (!evaluation && !earlierEvaluations.length && !visits.length) return null
  return (
    <section aria-label="评价与回访">
      <header>
        <h3>评价与回访</h3>
      </header>
      {evaluation && <Scores rating={evaluation} />}
      {earlierEvaluations.map(rating => (
        <Scores key={rating.id} rating={rating} />
      ))}
      {visits.map(visit => (
        <div key={visit.id} className="foot">
          <ChoiceStatus choices={visitState} value={visit.state} />
          {visit.result && <ChoiceStatus choices={visitResult} value={visit.result} plain />}
          <small>{visit.content ?? `${relativeText(visit.dueTime)} 前回访`}</small>
          {visit.state === 'waiting' && order.actions.some(a => a.action === 'visit') && (
            <Button size="small" onClick={() => tools.openDialog('visit')}>
              回访
            </Button>
          )}
        </div>
      ))}
    </section>
  )
}

/** Other orders of the same place, the newest first. */
function SamePlace({ order }: Pick<SideProps, 'order'>) {
  const filter = order.roomCode
    ? { roomCode: [order.roomCode] }
    : order.areaId
      ? { areaId: [String(order.areaId)] }
      : undefined
  const page = useCall(
    listOrders,
    { ...filter, projectCode: order.projectCode, page: 1, size: 6 },
    { quiet: true, enabled: filter !== undefined },
  )
  const others = (page.data?.rows ?? []).filter(row => row.id !== order.id).slice(0, 5)
  if (!filter || !others.length) return null
  const total = (page.data?.total ?? 1) - 1
  return (
    <section aria-label="同一位置历史">
      <header>
        <h3>{order.roomCode ? '同房间历史' : '同区域历史'}</h3>
        <Link to={listLink(paths.record, listOrders, filter, { view: 'all' })}>全部 {total}</Link>
      </header>
      <ul>
        {others.map(row => (
          <li key={row.id}>
            <Link to={orderPath(row.id)}>{row.title ?? row.typeName}</Link>
            <small>{row.registerTime.slice(0, 10)}</small>
            <ChoiceStatus choices={orderState} value={row.state} plain />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What belongs to the order, beside what happened to it. */
export const OrderSide = (props: SideProps) => (
  <aside className="order-side" aria-label="工单资料">
    <Place order={props.order} />
    <HandlerSection {...props} />
    <CostSection {...props} />
    <Rating {...props} />
    <SamePlace order={props.order} />
  </aside>
)
