import { QrCode } from '#kit/web/qr-code.tsx'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { queryClient, queryKeyOf, useCall } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import '#kit/web/phone/phone.css'
import { visitState } from '../contract/choices.ts'
import { openGuest, type GuestPage } from '../contract/guest.ts'
import { GuestForm } from './guest-form.tsx'
import { periodText } from './period-text.ts'
import { describeProblem, incompleteLink, PhoneHead, PhonePlaceholder } from './phone-problem.tsx'
import './phone.css'

const GuestInvitationDialog = lazyComponent(() =>
  import('./invitation-dialog.tsx').then(m => m.GuestInvitationDialog),
)

const refetchMs = 15_000

/** In groups of four, as it is read aloud. */
const spaced = (code: string): string => code.replace(/(\d{4})(?=\d)/g, '$1 ')

const missingText = ({ needsCert, needsFace }: GuestPage): string =>
  `请先${[needsCert && '填写证件', needsFace && '上传人脸照片'].filter(Boolean).join('、')}，之后显示邀请码`

/** The code and its picture, or why there is none yet. */
function Code({ token, page }: { readonly token: string; readonly page: GuestPage }) {
  const { inviteNo } = page
  const [isPicture, setPicture] = useState(false)
  const isMissing = page.canComplete && (page.needsCert || page.needsFace)
  return (
    <section className="code" aria-label="邀请码">
      <ChoiceStatus choices={visitState} value={page.state} />
      {inviteNo === undefined ? (
        <p>{isMissing ? missingText(page) : page.stateText}</p>
      ) : (
        <>
          <QrCode aria-label="邀请码二维码" value={inviteNo} size={208} />
          <b>{spaced(inviteNo)}</b>
          <p>在门禁上扫码，或向门岗出示</p>
          <button type="button" className="big" onClick={() => setPicture(true)}>
            查看邀请函
          </button>
        </>
      )}
      {isPicture && (
        <GuestInvitationDialog
          token={token}
          visitorName={page.visitorName}
          onClose={() => setPicture(false)}
        />
      )}
    </section>
  )
}

function Facts({ page }: { readonly page: GuestPage }) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['访客', page.visitorName],
    ['被访人', page.hostName],
    ['地点', page.placeName],
    ['来访时间', periodText(page)],
    ['通行次数', `已进 ${page.usedTimes}，共 ${page.maxTimes}`],
    ['车牌', page.plateNo],
    ['门岗', page.locations.join('、') || undefined],
  ]
  return (
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
  )
}

function GuestOpened({ token }: { readonly token: string }) {
  const opened = useCall(openGuest, { token }, { quiet: true, project: 0, staleMs: 0, refetchMs })
  const [fault, setFault] = useState<string>()
  const page = opened.data
  if (!page)
    return <PhonePlaceholder title="访客邀请码" error={opened.error} onRetry={() => void opened.refetch()} />
  const runAction = async (action: () => Promise<GuestPage>): Promise<void> => {
    setFault(undefined)
    try {
      queryClient.setQueryData(queryKeyOf(openGuest, { token }, 0), await action())
    } catch (error) {
      setFault(describeProblem(error))
    }
  }
  return (
    <div className="phone visit">
      <PhoneHead title={page.estateName} note={page.companyName} servicePhone={page.servicePhone} />
      <main>
        <Code token={token} page={page} />
        <Facts page={page} />
        {page.canComplete && <GuestForm token={token} page={page} fault={fault} runAction={runAction} />}
        {page.notice !== undefined && <p className="notice">{page.notice}</p>}
      </main>
    </div>
  )
}

/** 访客邀请码: the page of one visitor, without an account, by the link of the visit. */
export default function GuestPageByLink() {
  const [params] = useSearchParams()
  const token = params.get('t')?.trim() ?? ''
  if (!token) return <PhonePlaceholder title="访客邀请码" error={incompleteLink} onRetry={() => {}} />
  return <GuestOpened token={token} key={token} />
}
