import { useState } from 'react'
import { readMoment } from '#kit/domain/moment.ts'
import { labelOf } from '#kit/contract/field.ts'
import { copyText } from '#kit/web/copy-text.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { send } from '#kit/web/send.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { visitorKind, visitState } from '../contract/choices.ts'
import { cancelAsHost, decideAsHost, extendAsHost, type HostPage } from '../contract/host.ts'
import type { RunAction } from './host.tsx'
import { periodText } from './period-text.ts'

type Invited = HostPage['invitations'][number]

const GuestInvitationDialog = lazyComponent(() =>
  import('./invitation-dialog.tsx').then(m => m.GuestInvitationDialog),
)

interface InvitedProps {
  readonly token: string
  readonly row: Invited
  readonly runAction: RunAction
}

const quiet = { quiet: true, project: 0 } as const

const copyLink = (url: string): Promise<void> =>
  copyText(`${location.origin}${url}`, {
    done: '已复制链接，可发给访客',
    refused: '浏览器不允许复制，请长按链接复制',
  })

/** A later end, up to the last that is allowed. */
function ExtendForm({ token, row, runAction, onClose }: InvitedProps & { readonly onClose: () => void }) {
  const [value, setValue] = useState(row.endTime.slice(0, 16).replace(' ', 'T'))
  const endTime = readMoment(value.replace('T', ' '))
  const extend = async (): Promise<void> => {
    if (!endTime) return
    if (await runAction(() => send(extendAsHost, { token, id: row.id, endTime }, quiet), '已延长')) {
      onClose()
    }
  }
  return (
    <div className="field">
      <label className="label" htmlFor={`extend-${row.id}`}>
        延长至<small>最晚 {row.latestEndTime?.slice(5, 16)}</small>
      </label>
      <input
        id={`extend-${row.id}`}
        type="datetime-local"
        value={value}
        onChange={event => setValue(event.target.value)}
      />
      <div className="actions">
        <button type="button" className="big" onClick={onClose}>
          返回
        </button>
        <button type="button" className="big primary" disabled={!endTime} onClick={() => void extend()}>
          延长
        </button>
      </div>
    </div>
  )
}

type InvitedVisitor = Invited['visitors'][number]

const tokenOf = (url: string): string => new URLSearchParams(url.split('?')[1]).get('t') ?? ''

/** What goes to a visitor: the link, and the picture of a visit that is allowed. */
function VisitorActions({ visitor, isOne }: { readonly visitor: InvitedVisitor; readonly isOne: boolean }) {
  const { visitorName, state, url } = visitor
  const [isPicture, setPicture] = useState(false)
  return (
    <>
      <button type="button" className="big" onClick={() => void copyLink(url)}>
        {isOne ? '复制访客链接' : `${visitorName}的链接`}
      </button>
      {(state === 'passed' || state === 'arrived') && (
        <button type="button" className="big" onClick={() => setPicture(true)}>
          {isOne ? '邀请函' : `${visitorName}的邀请函`}
        </button>
      )}
      {isPicture && (
        <GuestInvitationDialog
          token={tokenOf(url)}
          visitorName={visitorName}
          onClose={() => setPicture(false)}
        />
      )}
    </>
  )
}

/** What the host may do with it now. */
function InvitedActions({
  token,
  row,
  runAction,
  onExtend,
}: InvitedProps & { readonly onExtend: () => void }) {
  const decide = (isPassed: boolean): Promise<boolean> =>
    runAction(
      () =>
        send(
          decideAsHost,
          { token, id: row.id, isPassed, ...(isPassed ? {} : { reason: '被访人拒绝' }) },
          quiet,
        ),
      isPassed ? '已同意来访' : '已拒绝来访',
    )
  const cancel = (): Promise<boolean> =>
    runAction(() => send(cancelAsHost, { token, id: row.id, reason: '被访人取消' }, quiet), '已取消')
  const isShared = row.state === 'passed' || row.state === 'arrived' || row.state === 'pending'
  return (
    <div className="actions">
      {row.awaitsHost && (
        <>
          <button type="button" className="big" onClick={() => void decide(false)}>
            拒绝
          </button>
          <button type="button" className="big primary" onClick={() => void decide(true)}>
            同意来访
          </button>
        </>
      )}
      {isShared &&
        row.visitors.map(visitor => (
          <VisitorActions key={visitor.url} visitor={visitor} isOne={row.visitors.length === 1} />
        ))}
      {row.latestEndTime !== undefined && (
        <button type="button" className="big" onClick={onExtend}>
          延长
        </button>
      )}
      {row.canCancel && !row.awaitsHost && (
        <button type="button" className="big" onClick={() => void cancel()}>
          取消邀请
        </button>
      )}
    </div>
  )
}

function InvitedCard(props: InvitedProps) {
  const { row } = props
  const [isExtending, setExtending] = useState(false)
  return (
    <article className="card" aria-label={`邀请 ${row.visitorName}`}>
      <div>
        <b>
          {row.visitorName}
          {row.personCount > 1 && ` 等 ${row.personCount} 人`}
        </b>
        <ChoiceStatus choices={visitState} value={row.state} />
      </div>
      <p>
        {labelOf(visitorKind, row.visitorKind)} · {periodText(row)}
        <br />
        {row.stateText}
        {row.rejectReason !== undefined && `：${row.rejectReason}`}
      </p>
      {isExtending ? (
        <ExtendForm {...props} onClose={() => setExtending(false)} />
      ) : (
        <InvitedActions {...props} onExtend={() => setExtending(true)} />
      )}
    </article>
  )
}

/** What was invited from here, the latest first. */
export function HostInvitations({
  invitations,
  ...props
}: Omit<InvitedProps, 'row'> & { readonly invitations: HostPage['invitations'] }) {
  if (!invitations.length) return <p className="empty">暂无邀请</p>
  return (
    <>
      <h2>我的邀请</h2>
      {invitations.map(row => (
        <InvitedCard key={row.id} row={row} {...props} />
      ))}
    </>
  )
}
