import { Button, Radio } from 'antd'
import { useCallback, useState } from 'react'
import { daysBetween } from '#kit/domain/day.ts'
import { act } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { count, yuan } from '#kit/web/figure.tsx'
import { go } from '#kit/web/go.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall } from '#kit/web/query.ts'
import { later } from '#kit/web/later.tsx'
import { usePermission } from '#kit/web/session.ts'
import { Choice } from '#kit/web/status.tsx'
import { today as todayOf } from '#kit/web/when.ts'
import { companyState, edition } from '#modules/accounts/contract/company.ts'
import { addRenewal, listEntries, renewal } from '../contract/order.ts'
import { hasExpired } from '../domain/subscription.ts'
import { menu } from '../module.ts'
import { Costs, TermField } from './buying.tsx'
import { ordered } from './order-verbs.ts'
import { places } from './places.ts'
import './products.css'

const FillBalance = later(() => import('./fill-balance.tsx').then(m => m.FillBalance))

const entries = columns(listEntries.output, [
  { key: 'createTime', title: '时间' },
  'entryType',
  { key: 'amount', strong: true },
  'balance',
  { key: 'orderNo', width: 172 },
  { key: 'remark', grow: 1 },
])

const left = (until: string | undefined, today: string): string =>
  until === undefined
    ? ''
    : hasExpired(until, today)
      ? `已过期 ${count(daysBetween(until, today))} 天`
      : `还有 ${count(daysBetween(today, until))} 天`

/** The company's own account with the platform: what it has, until when, more time, its balance. */
export default function Renew() {
  const asked = useCall(renewal, undefined, { quiet: true, project: 0, fresh: 0 })
  const may = usePermission()
  const [chosen, setChosen] = useState<number>()
  const [months, setMonths] = useState(12)
  const [busy, setBusy] = useState(false)
  const paid = useCallback((): void => void asked.refetch(), [asked])
  if (asked.isError) return <Trouble error={asked.error} retry={() => void asked.refetch()} />
  if (!asked.data) return <Skeleton rows={6} />
  const a = asked.data
  const today = todayOf()
  const open = a.options.filter(o => o.may)
  const option = open.find(o => o.productId === chosen) ?? open.find(o => o.edition === a.edition) ?? open[0]
  const submit = (): void => {
    setBusy(true)
    void act(addRenewal, { productId: option!.productId, months })
      .then(ordered, () => undefined)
      .finally(() => {
        setBusy(false)
        void asked.refetch()
      })
  }
  return (
    <div className="shop">
      <section className="shop-now" aria-label="账户">
        <div>
          <span>当前版本</span>
          <b>
            <Choice of={edition} value={a.edition} />
          </b>
        </div>
        <div>
          <span>状态</span>
          <b>
            <Choice of={companyState} value={a.state} />
          </b>
        </div>
        <div>
          <span>到期日期</span>
          <b>{a.expireDate ?? '长期有效'}</b>
          <small className={hasExpired(a.expireDate, today) ? 'bad' : ''}>{left(a.expireDate, today)}</small>
        </div>
        <div>
          <span>计费项目</span>
          <b>{count(a.estates)}</b>
        </div>
        <div>
          <span>账户余额</span>
          <b className="figure">{yuan(a.balance, true)}</b>
          {may(menu.order.may.pay) && <FillBalance onPaid={paid} />}
        </div>
      </section>
      {may(menu.renewal.may.add) && (
        <section>
          <h2>续费</h2>
          {a.orderNo ? (
            <p className="shop-note">
              有一笔待支付的续费订单 {a.orderNo}，支付或取消后可以再次续费。
              <button type="button" className="linkish" onClick={() => go(places.pending())}>
                查看订单
              </button>
            </p>
          ) : !option ? (
            <p className="shop-note">公司没有到期日期，长期有效，不需要续费。</p>
          ) : (
            <div className="shop-form">
              <div>
                <span>版本</span>
                <Radio.Group
                  aria-label="版本"
                  value={option.productId}
                  onChange={e => setChosen(e.target.value as number)}
                  className="shop-editions"
                >
                  {a.options.map(o => (
                    <Radio
                      key={o.productId}
                      value={o.productId}
                      disabled={!o.may}
                      title={o.may ? undefined : '当前版本到期后可以改选'}
                    >
                      <b>{o.productName}</b> {yuan(o.price, true)} / 项目 / 月<small>{o.intro}</small>
                    </Radio>
                  ))}
                </Radio.Group>
              </div>
              <div>
                <span>时长</span>
                <TermField value={months} onChange={setMonths} />
              </div>
              <div>
                <span>费用</span>
                <Costs
                  price={option.price}
                  quantity={a.estates}
                  unit="项目"
                  months={months}
                  now={a.expireDate}
                  today={today}
                />
              </div>
              <div>
                <span />
                <Button type="primary" loading={busy} onClick={submit}>
                  创建续费订单
                </Button>
                <small>按启用中的项目数计费；订单 24 小时内有效</small>
              </div>
            </div>
          )}
        </section>
      )}
      <section className="shop-list">
        <h2>余额明细</h2>
        <ListPage
          embedded
          list={listEntries}
          what="余额变动"
          columns={entries}
          bar={['entryType', 'createTime']}
          name="balance"
        />
      </section>
    </div>
  )
}
