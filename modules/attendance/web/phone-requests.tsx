import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useCall } from '#kit/web/query.ts'
import { ApprovalProgress } from '#modules/approvals/web/public.ts'
import type { AttendanceApply } from '../contract/apply.ts'
import { kindByType } from '../contract/approval-kinds.ts'
import { applyState, applyType, leaveType } from '../contract/choices.ts'
import { getOwnLimits, listOwnApplications } from '../contract/own-apply.ts'
import { useAmended } from './use-amended.ts'
import { ownActionsOf } from './own-request-actions.tsx'

const PhoneRequestForm = lazyComponent(() => import('./phone-request-form.tsx').then(m => m.PhoneRequestForm))

const sortOf = ({ applyType: type, leaveType: kind }: AttendanceApply): string =>
  type === 'leave' && kind ? labelOf(leaveType, kind) : labelOf(applyType, type)

const timesOf = ({ beginTime, endTime, workDay, restDay }: AttendanceApply): string =>
  beginTime
    ? [beginTime, endTime].flatMap(time => (time ? [time.slice(5, 16)] : [])).join(' 至 ')
    : [workDay ? `${workDay} 上班` : '', restDay ? `${restDay} 休息` : ''].filter(Boolean).join('，')

const stateOf = ({ isReturned, state }: AttendanceApply): string =>
  isReturned ? '已退回' : labelOf(applyState, state)

const RequestLine = ({ row, onOpen }: { readonly row: AttendanceApply; readonly onOpen: () => void }) => (
  <li>
    <button type="button" onClick={onOpen}>
      <b>{sortOf(row)}</b>
      <span className={row.isReturned ? 'todo' : applyState.rows[row.state][2]}>{stateOf(row)}</span>
      <small>{timesOf(row)}</small>
      <small>{row.hours === undefined ? '' : `${row.hours} 小时`}</small>
    </button>
  </li>
)

interface RequestProps {
  readonly row: AttendanceApply
  readonly onBack: () => void
  readonly onAmend: (row: AttendanceApply) => void
}

function Request({ row, onBack, onAmend }: RequestProps) {
  return (
    <>
      <main>
        <dl className="facts">
          <dt>类型</dt>
          <dd>{sortOf(row)}</dd>
          <dt>时间</dt>
          <dd>{timesOf(row)}</dd>
          <dt>事由</dt>
          <dd>{row.reason}</dd>
          <dt>状态</dt>
          <dd>{stateOf(row)}</dd>
          {row.returnReason && (
            <>
              <dt>退回原因</dt>
              <dd>{row.returnReason}</dd>
            </>
          )}
        </dl>
        <ApprovalProgress bizType={kindByType[row.applyType].key} bizId={row.id} opens="phone" />
      </main>
      <div className="foot">
        <button type="button" className="big" onClick={onBack}>
          返回
        </button>
        {ownActionsOf(row, onAmend)
          .toReversed()
          .map(
            ({ label, disabledReason, run }) =>
              disabledReason === undefined && (
                <button
                  key={label}
                  type="button"
                  className={label === '修改' ? 'big primary' : 'big'}
                  onClick={() => void Promise.resolve(run()).then(isDone => isDone && onBack())}
                >
                  {label}
                </button>
              ),
          )}
      </div>
    </>
  )
}

/** The own requests on the phone: asked for, followed, withdrawn with one hand. */
export function PhoneRequests() {
  const [opened, open] = useState<AttendanceApply>()
  const [isAsking, setAsking] = useState(false)
  const [amended, amend] = useAmended()
  const limits = useCall(getOwnLimits, {}, { quiet: true }).data
  const found = useCall(listOwnApplications, { size: 50 }, { quiet: true, staleMs: 0 })
  if (isAsking && limits) return <PhoneRequestForm limits={limits} onBack={() => setAsking(false)} />
  const close = (): void => {
    amend(undefined)
    open(undefined)
  }
  if (amended && limits) return <PhoneRequestForm limits={limits} row={amended} onBack={close} />
  if (opened) return <Request row={opened} onBack={close} onAmend={amend} />
  const rows = found.data?.rows ?? []
  return (
    <>
      {found.isError && (
        <p className="empty" role="alert">
          无法读取申请，请检查网络后重试
        </p>
      )}
      {found.data && !rows.length && <p className="empty">暂无申请</p>}
      <ol className="requests">
        {rows.map(row => (
          <RequestLine key={row.id} row={row} onOpen={() => open(row)} />
        ))}
      </ol>
      <div className="foot single">
        {limits?.refusal && <small role="status">{limits.refusal}</small>}
        <button
          type="button"
          className="big primary"
          disabled={!limits || limits.refusal !== undefined}
          onClick={() => setAsking(true)}
        >
          申请
        </button>
      </div>
    </>
  )
}
