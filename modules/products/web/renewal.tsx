import { parseId, type Id } from '#kit/domain/id.ts'
import { Button, Radio } from 'antd'
import { useCallback, useState } from 'react'
import { daysBetween, type Day } from '#kit/domain/day.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { today as todayOf } from '#kit/web/date-format.ts'
import { companyState, edition } from '#modules/accounts/contract/company.ts'
import { addRenewal, listAccountEntries, getRenewal } from '../contract/order.ts'
import { hasExpired } from '../domain/subscription.ts'
import { menu } from '../module.ts'
import { OrderCost, TermField } from './order-cost.tsx'
import { showCreatedOrder } from './order-actions.ts'
import { pendingOrdersLink } from './pending-orders.ts'
import './products.css'

const TopUpBalance = lazyComponent(() => import('./top-up-balance.tsx').then(m => m.TopUpBalance))

const entryColumns = buildColumns(listAccountEntries.output, [
  { key: 'createTime', title: '时间' },
  'entryType',
  { key: 'amount', strong: true },
  'balance',
  { key: 'orderNo', width: 172 },
  { key: 'remark', grow: 1 },
])

const formatRemainingDays = (until: Day | undefined, today: Day): string =>
  until === undefined
    ? ''
    : hasExpired(until, today)
      ? `已过期 ${formatCount(daysBetween(until, today))} 天`
      : `还有 ${formatCount(daysBetween(today, until))} 天`

/** The company's subscription: its edition and end date, its renewal, and its balance. */
export default function Renewal() {
  const query = useCall(getRenewal, undefined, { quiet: true, project: 0, staleMs: 0 })
  const hasPermission = usePermission()
  const [chosen, setChosen] = useState<number>()
  const [months, setMonths] = useState(12)
  const [busy, setBusy] = useState(false)
  const paid = useCallback((): void => void query.refetch(), [query])
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <RowSkeleton rows={6} />
  const result = query.data
  const today = todayOf()
  const open = result.options.filter(o => o.canChoose)
  const option =
    open.find(o => o.productId === chosen) ?? open.find(o => o.edition === result.edition) ?? open[0]
  const submit = (): void => {
    if (!option) return
    setBusy(true)
    void sendAndInvalidate(addRenewal, { productId: option.productId, months })
      .then(showCreatedOrder, () => undefined)
      .finally(() => {
        setBusy(false)
        void query.refetch()
      })
  }
  return (
    <div className="shop">
      <AccountSummary renewal={result} today={today} onPaid={paid} />
      {hasPermission(menu.renewal.permissions.add) && (
        <section>
          <h2>续费</h2>
          {result.orderNo ? (
            <p className="shop-note">
              有一笔待支付的续费订单 {result.orderNo}，支付或取消后可以再次续费。
              <button type="button" className="linkish" onClick={() => navigateTo(pendingOrdersLink())}>
                查看订单
              </button>
            </p>
          ) : !option ? (
            <p className="shop-note">公司无到期日期，长期有效，无需续费。</p>
          ) : (
            <RenewalForm
              renewal={result}
              option={option}
              months={months}
              busy={busy}
              today={today}
              onChoose={setChosen}
              onMonths={setMonths}
              onSubmit={submit}
            />
          )}
        </section>
      )}
      <section className="shop-list">
        <h2>余额明细</h2>
        <ListPage
          embedded
          list={listAccountEntries}
          itemName="余额变动"
          columns={entryColumns}
          barFilters={['entryType', 'createTime']}
          settingsKey="balance"
        />
      </section>
    </div>
  )
}

type RenewalView = NonNullable<typeof getRenewal.output.T>

interface AccountSummaryProps {
  readonly renewal: RenewalView
  readonly today: Day
  readonly onPaid: () => void
}

function AccountSummary({ renewal, today, onPaid }: AccountSummaryProps) {
  const hasPermission = usePermission()
  return (
    <section className="shop-now" aria-label="账户">
      <div>
        <span>当前版本</span>
        <b>
          <ChoiceStatus choices={edition} value={renewal.edition} />
        </b>
      </div>
      <div>
        <span>状态</span>
        <b>
          <ChoiceStatus choices={companyState} value={renewal.state} />
        </b>
      </div>
      <div>
        <span>到期日期</span>
        <b>{renewal.expireDate ?? '长期有效'}</b>
        <small className={hasExpired(renewal.expireDate, today) ? 'bad' : ''}>
          {formatRemainingDays(renewal.expireDate, today)}
        </small>
      </div>
      <div>
        <span>计费项目</span>
        <b>{formatCount(renewal.estates)}</b>
      </div>
      <div>
        <span>账户余额</span>
        <b className="figure">{displayYuanWithSymbol(renewal.balance)}</b>
        {hasPermission(menu.order.permissions.pay) && <TopUpBalance onPaid={onPaid} />}
      </div>
    </section>
  )
}

interface RenewalFormProps {
  readonly renewal: RenewalView
  readonly option: RenewalView['options'][number]
  readonly months: number
  readonly busy: boolean
  readonly today: Day
  readonly onChoose: (productId: Id) => void
  readonly onMonths: (months: number) => void
  readonly onSubmit: () => void
}

function RenewalForm({
  renewal,
  option,
  months,
  busy,
  today,
  onChoose,
  onMonths,
  onSubmit,
}: RenewalFormProps) {
  return (
    <div className="shop-form">
      <div>
        <span>版本</span>
        <Radio.Group
          aria-label="版本"
          value={option.productId}
          onChange={e => onChoose(parseId(e.target.value))}
          className="shop-editions"
        >
          {renewal.options.map(each => (
            <Radio
              key={each.productId}
              value={each.productId}
              disabled={!each.canChoose}
              title={each.canChoose ? undefined : '当前版本到期后可以改选'}
            >
              <b>{each.productName}</b> {displayYuanWithSymbol(each.price)} / 项目 / 月
              <small>{each.intro}</small>
            </Radio>
          ))}
        </Radio.Group>
      </div>
      <div>
        <span>时长</span>
        <TermField value={months} onChange={onMonths} />
      </div>
      <div>
        <span>费用</span>
        <OrderCost
          price={option.price}
          quantity={renewal.estates}
          unit="项目"
          months={months}
          now={renewal.expireDate}
          today={today}
        />
      </div>
      <div>
        <span />
        <Button type="primary" loading={busy} onClick={onSubmit}>
          创建续费订单
        </Button>
        <small>按启用中的项目数计费；订单 24 小时内有效</small>
      </div>
    </div>
  )
}
