import { relativeText } from '#kit/web/date-format.ts'
import { MaskedValue } from '#kit/web/masked-value.tsx'
import { getPersonalDataLoader } from '#kit/web/reveal.ts'
import { Status } from '#kit/web/status.tsx'
import { menu } from '../module.ts'
import type { OrderDetail } from './clock-bars.ts'
import { SideSection } from './side-section.tsx'
import type { OrderActions } from './use-order-actions.tsx'

type Handler = NonNullable<OrderDetail['handler']>

function DutyMark({ handler: { isPaused, isOnDuty } }: { readonly handler: Handler }) {
  const [tone, label] = isPaused
    ? (['hold', '暂停接单'] as const)
    : isOnDuty
      ? (['done', '在岗'] as const)
      : (['off', isOnDuty === undefined ? '不能接单' : '不在岗'] as const)
  return (
    <Status tone={tone} plain>
      {label}
    </Status>
  )
}

const loadText = ({ openCount, lateCount, monthScore, monthRated }: Handler): string =>
  [
    `在办 ${openCount} 单`,
    lateCount ? `超时 ${lateCount} 单` : '',
    monthScore === undefined ? '' : `本月满意度 ${monthScore}（${monthRated} 单）`,
  ]
    .filter(Boolean)
    .join('，')

function HandlerPhone({ staffId, mobile }: Handler) {
  const load = getPersonalDataLoader()
  if (!mobile) return null
  const reveal = load && staffId ? () => load('staff', staffId, 'mobile') : undefined
  return (
    <div>
      <dt>电话</dt>
      <dd>
        <MaskedValue value={mobile} reveal={reveal} />
      </dd>
    </div>
  )
}

/** Who does the work, how to reach them, and when they were given it, took it and arrived. */
export function HandlerSection({
  order,
  tools,
}: {
  readonly order: OrderDetail
  readonly tools: OrderActions
}) {
  const { handler, assistNames = [], observerNames = [] } = order
  const times = [
    ['派单', order.dispatchTime],
    ['接单', order.acceptTime],
    ['到场', order.arriveTime],
  ] as const
  const canDispatch = handler !== undefined && order.actions.some(a => a.action === 'dispatch')
  return (
    <SideSection
      title="处理人"
      actions={[
        canDispatch && { label: '转派', run: () => tools.openDialog('dispatch') },
        {
          label: '抄送与协助',
          needs: menu.order.permissions.follow,
          run: () => tools.openDialog('observers'),
        },
      ]}
    >
      {handler ? (
        <>
          <div className="order-handler">
            <span className="initial" aria-hidden>
              {[...handler.name][0]}
            </span>
            <p>
              <b>{handler.name}</b>{' '}
              <small>{[handler.departmentName, handler.position].filter(Boolean).join(' · ')}</small>{' '}
              <DutyMark handler={handler} />
              <small className="load">{loadText(handler)}</small>
            </p>
          </div>
          <dl>
            <HandlerPhone {...handler} />
            {times.map(([label, time]) =>
              time ? (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{relativeText(time)}</dd>
                </div>
              ) : null,
            )}
          </dl>
        </>
      ) : (
        <p>{order.handlerName ?? '尚未派单'}</p>
      )}
      {assistNames.length > 0 && <p>协助：{assistNames.join('、')}</p>}
      {observerNames.length > 0 && <p>抄送：{observerNames.join('、')}</p>}
      <p className="absent">服务时间：{order.serviceText}</p>
    </SideSection>
  )
}
