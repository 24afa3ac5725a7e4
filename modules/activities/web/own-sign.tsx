import { useState } from 'react'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { QrCode } from '#kit/web/qr-code.tsx'
import { send } from '#kit/web/send.ts'
import type { ResidentAddress } from '#modules/resident-page/web/public.resident-frame.tsx'
import { displayYuan } from '#kit/domain/money.ts'
import { cancelOwnSign, signUp, type HomeActivity } from '../contract/home.ts'
import { feeOf, hasFee } from '../domain/fee.ts'
import { OwnFee } from './own-fee.tsx'

const anonymous = { quiet: true, project: 0 } as const

interface OwnProps {
  readonly address: ResidentAddress
  readonly page: HomeActivity
  readonly isBusy: boolean
  readonly run: (action: () => Promise<HomeActivity>, doneText: string) => Promise<void>
}

function SignForm({ address, page, isBusy, run }: OwnProps) {
  const [personCount, setPersonCount] = useState(1)
  const [remark, setRemark] = useState('')
  const submit = (): Promise<void> =>
    run(
      () =>
        send(
          signUp,
          { ...address, id: page.id, personCount, ...(remark.trim() ? { remark: remark.trim() } : {}) },
          anonymous,
        ),
      page.willWait ? '已候补' : '报名成功',
    )
  return (
    <section aria-label="报名">
      {page.maxPersons > 1 && (
        <PhoneField label="人数" hint={`含本人，最多 ${page.maxPersons} 人`}>
          {control => (
            <select
              {...control}
              value={personCount}
              onChange={event => setPersonCount(Number(event.target.value))}
            >
              {Array.from({ length: page.maxPersons }, (_, i) => i + 1).map(count => (
                <option key={count} value={count}>
                  {count} 人
                </option>
              ))}
            </select>
          )}
        </PhoneField>
      )}
      <PhoneField label="备注" hint="选填">
        {control => (
          <input
            {...control}
            maxLength={100}
            value={remark}
            onChange={event => setRemark(event.target.value)}
          />
        )}
      </PhoneField>
      {hasFee(page) && (
        <p>
          费用 {displayYuan(feeOf(page, personCount))} 元，
          {page.willWait ? '递补成功后' : '报名后'}在「我的账单」缴纳
        </p>
      )}
      {page.willWait && <small>按报名顺序递补，递补成功会通知</small>}
      <button type="button" className="big primary" disabled={isBusy} onClick={() => void submit()}>
        {page.willWait ? '候补报名' : '报名'}
      </button>
    </section>
  )
}

function waitingText({ waitingBefore }: HomeActivity): string {
  if (waitingBefore === undefined) return '活动已开始，不再递补'
  return waitingBefore > 0 ? `前面还有 ${waitingBefore} 人候补` : '有人取消时首先递补'
}

const stateText = {
  signed: '已报名',
  waiting: '候补中',
  checkedIn: '已签到',
  cancelled: '已取消',
} as const

/** What a resident has of the activity, or the form to sign up. */
export function OwnSign(props: OwnProps) {
  const { address, page, isBusy, run } = props
  const { ownState } = page
  const [isAsking, setAsking] = useState(false)
  if (ownState === undefined || ownState === 'cancelled')
    return (
      <>
        {page.cancelReason !== undefined && (
          <section>
            <b>{page.refusal === '活动已取消' ? '活动已取消' : '报名已取消'}</b>
            <small>{page.cancelReason}</small>
            <OwnFee address={address} page={page} />
          </section>
        )}
        {page.refusal === undefined ? (
          <SignForm {...props} />
        ) : (
          <p className="empty" role="status">
            {page.refusal}
          </p>
        )}
      </>
    )
  const cancel = (): Promise<void> => {
    setAsking(false)
    return run(() => send(cancelOwnSign, { ...address, id: page.id }, anonymous), '已取消报名')
  }
  return (
    <section className="own" aria-label="本人报名">
      <span className="state">{stateText[ownState]}</span>
      <small>{page.personCount} 人</small>
      {ownState === 'waiting' && <p>{waitingText(page)}</p>}
      <OwnFee address={address} page={page} />
      {page.checkInCode !== undefined && (
        <>
          <QrCode aria-label="签到码" value={page.checkInCode} size={200} />
          <small>到现场出示此码，或扫描现场的签到码</small>
        </>
      )}
      {page.checkInTime !== undefined && <small>签到时间 {page.checkInTime.slice(5, 16)}</small>}
      {page.canCancel && !isAsking && (
        <button type="button" className="big" disabled={isBusy} onClick={() => setAsking(true)}>
          取消报名
        </button>
      )}
      {isAsking && page.payState === 'paid' && <small>已缴的费用由物业退回</small>}
      {isAsking && (
        <div className="why">
          <button type="button" className="big" onClick={() => setAsking(false)}>
            保留
          </button>
          <button type="button" className="big primary" disabled={isBusy} onClick={() => void cancel()}>
            确认取消报名
          </button>
        </div>
      )}
    </section>
  )
}
