import { useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { queryClient, queryKeyOf, useCall, useSend } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { orderState, stopReason } from '../contract/choices.ts'
import { openChargerOrder, stopOwnCharge, type OrderPage } from '../contract/payer.ts'
import { describeProblem, Frame, incompleteCode, Placeholder } from './payer-frame.tsx'

/** While something may change soon. */
const refetchMs = 3000

/** Month, day and minute. */
const clockOf = (at: string | undefined): string | undefined => at?.slice(5, 16)

const factsOf = (page: OrderPage): readonly (readonly [string, string | undefined])[] => [
  ['充电桩', `${page.hubName} ${page.portNo} 号`],
  ['订单', page.orderNo],
  ['预付', `${displayYuan(page.prepaid)} 元`],
  ['电量', `${Number(page.energyKwh)} 度`],
  ['时长', `${page.minutes} 分钟`],
  ['开始', clockOf(page.beginTime)],
  ['结束', clockOf(page.endTime)],
  ['停止原因', page.stopReason && labelOf(stopReason, page.stopReason)],
  ['退款', page.refund > 0 ? `${displayYuan(page.refund)} 元` : undefined],
]

const Facts = ({ page }: { readonly page: OrderPage }) => (
  <dl className="facts">
    {factsOf(page)
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

function OpenedOrder({ token }: { readonly token: string }) {
  const opened = useCall(openChargerOrder, { token }, { quiet: true, project: 0, staleMs: 0, refetchMs })
  const stopping = useSend(stopOwnCharge, { quiet: true, project: 0 })
  const page = opened.data
  if (!page) return <Placeholder error={opened.error} onRetry={() => void opened.refetch()} />
  const stop = async (): Promise<void> => {
    queryClient.setQueryData(
      queryKeyOf(openChargerOrder, { token }, 0),
      await stopping.mutateAsync({ token }),
    )
  }
  return (
    <Frame site={page}>
      <main>
        <section className="state" aria-label="充电进度">
          <div className="charge-head">
            <span className="sum">¥{displayYuan(page.fee)}</span>
            <ChoiceStatus choices={orderState} value={page.state} />
          </div>
          <p role="status">{page.stateText}</p>
          {stopping.isError && (
            <p className="fault" role="alert">
              {describeProblem(stopping.error)}
            </p>
          )}
        </section>
        <Facts page={page} />
        {page.payUrl !== undefined && (
          <a className="big primary call" href={page.payUrl}>
            立即付款
          </a>
        )}
        {page.state === 'charging' && (
          <button
            type="button"
            className="big"
            disabled={!page.canStop || stopping.isPending}
            onClick={() => void stop().catch(() => undefined)}
          >
            {page.canStop ? '停止充电' : '正在停止…'}
          </button>
        )}
      </main>
    </Frame>
  )
}

/** 充电进度: one charge, for who has paid it. */
export default function ProgressPage() {
  const [params] = useSearchParams()
  const token = params.get('t')?.trim() ?? ''
  return token ? <OpenedOrder token={token} key={token} /> : <Placeholder error={incompleteCode} />
}
