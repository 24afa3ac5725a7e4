import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { queryClient, queryKeyOf, useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import '#kit/web/phone/phone.css'
import { openHost, type HostPage } from '../contract/host.ts'
import { HostInvitations } from './host-invitations.tsx'
import { HostForm } from './host-form.tsx'
import { describeProblem, incompleteLink, PhoneHead, PhonePlaceholder } from './phone-problem.tsx'
import './phone.css'

const refetchMs = 20_000

export type RunAction = (action: () => Promise<HostPage>, doneText: string) => Promise<boolean>

function HostOpened({ token }: { readonly token: string }) {
  const opened = useCall(openHost, { token }, { quiet: true, project: 0, staleMs: 0, refetchMs })
  const navigate = useNavigate()
  const [isInviting, setInviting] = useState(false)
  const [fault, setFault] = useState<string>()
  const page = opened.data
  if (!page)
    return <PhonePlaceholder title="邀请访客" error={opened.error} onRetry={() => void opened.refetch()} />
  const { passUrl } = page
  const runAction: RunAction = async (action, doneText) => {
    setFault(undefined)
    try {
      queryClient.setQueryData(queryKeyOf(openHost, { token }, 0), await action())
      toast.success(doneText)
      return true
    } catch (error) {
      setFault(describeProblem(error))
      return false
    }
  }
  const head = (
    <PhoneHead
      title={isInviting ? '邀请访客' : page.placeName}
      note={`${page.estateName} · ${page.hostName}`}
      servicePhone={page.servicePhone}
    />
  )
  if (isInviting)
    return (
      <HostForm
        token={token}
        page={page}
        head={head}
        fault={fault}
        runAction={runAction}
        onClose={() => {
          setFault(undefined)
          setInviting(false)
        }}
      />
    )
  return (
    <div className="phone visit">
      {head}
      <main>
        {passUrl !== undefined && (
          <button type="button" className="big" onClick={() => void navigate(passUrl)}>
            出示通行码、手机开门
          </button>
        )}
        <HostInvitations token={token} invitations={page.invitations} runAction={runAction} />
      </main>
      <div className="foot one">
        {fault !== undefined && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
        {page.kinds.length > 0 ? (
          <button type="button" className="big primary" onClick={() => setInviting(true)}>
            邀请访客
          </button>
        ) : (
          <p>物业尚未开放邀请访客，如有需要请联系物业</p>
        )}
      </div>
    </div>
  )
}

/** 邀请访客: the page of a resident or of a company's worker, without an account, by their own link. */
export default function HostPageByLink() {
  const [params] = useSearchParams()
  const token = params.get('t')?.trim() ?? ''
  if (!token) return <PhonePlaceholder title="邀请访客" error={incompleteLink} onRetry={() => {}} />
  return <HostOpened token={token} key={token} />
}
