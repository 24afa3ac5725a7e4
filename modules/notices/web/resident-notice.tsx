import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { parseId, type Id } from '#kit/domain/id.ts'
import { useCall } from '#kit/web/query.ts'
import { RichText } from '#kit/web/rich-text/rich-text.tsx'
import { send } from '#kit/web/send.ts'
import {
  describeResidentProblem,
  missingResidentToken,
  residentAddressOf,
  ResidentFrame,
  ResidentPlaceholder,
  useResidentAddress,
  type ResidentAddress,
} from '#modules/resident-page/web/public.resident-frame.tsx'
import { homeNotice, markHomeNotice, type HomeNotice } from '../contract/home.ts'
import { paths } from '../module.ts'
import './resident.css'

const title = '公告'

interface NoticeKey {
  readonly kind: 'public' | 'resident'
  readonly id: Id
}

interface OpenedProps {
  readonly address: ResidentAddress
  readonly of: NoticeKey
}

interface ConfirmProps extends OpenedProps {
  readonly notice: HomeNotice
  readonly onDone: () => void
}

/** 「我已知晓」 of a notice that asks for it. */
function ConfirmBar({ address, of, notice, onDone }: ConfirmProps) {
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  if (notice.receipt === 'confirmed')
    return <p className="notice-confirmed">已于 {notice.confirmTime?.slice(0, 16)} 确认</p>
  const confirm = async (): Promise<void> => {
    setBusy(true)
    setFault(undefined)
    try {
      await send(markHomeNotice, { ...address, ...of, isConfirmed: true }, { quiet: true })
      onDone()
    } catch (error) {
      setFault(describeResidentProblem(error))
    }
    setBusy(false)
  }
  return (
    <div className="foot one">
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <button type="button" className="big primary" disabled={isBusy} onClick={() => void confirm()}>
        我已知晓
      </button>
    </div>
  )
}

const Files = ({ notice: { attachments } }: { readonly notice: HomeNotice }) => (
  <ul className="notice-files" aria-label="附件">
    {attachments.map(({ name, url }) => (
      <li key={url}>
        <a href={url} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      </li>
    ))}
  </ul>
)

const Text = ({ notice: { kind, content } }: { readonly notice: HomeNotice }) =>
  kind === 'resident' ? <p className="plain-text">{content}</p> : <RichText html={content} />

function OpenedNotice({ address, of }: OpenedProps) {
  const query = useCall(homeNotice, { ...address, ...of }, { quiet: true, project: 0, staleMs: 0 })
  const notice = query.data
  const isUnread = notice?.receipt === 'unread'
  useEffect(() => {
    if (isUnread) {
      send(markHomeNotice, { ...address, ...of, isConfirmed: false }, { quiet: true }).catch(() => undefined)
    }
  }, [isUnread])
  if (!notice)
    return <ResidentPlaceholder title={title} error={query.error} onRetry={() => void query.refetch()} />
  const back = { path: residentAddressOf(paths.residentNotices, address), label: title }
  return (
    <ResidentFrame title={title} note={notice.estateName} servicePhone={notice.servicePhone} back={back}>
      <main>
        <section className="notice-text">
          <h2>{notice.title}</h2>
          <small>
            {notice.companyName} {notice.publishTime.slice(0, 16)}
            {notice.isModified && ' · 已修改'}
          </small>
          <Text notice={notice} />
          {notice.attachments.length > 0 && <Files notice={notice} />}
        </section>
      </main>
      {notice.needConfirm && (
        <ConfirmBar address={address} of={of} notice={notice} onDone={() => void query.refetch()} />
      )}
    </ResidentFrame>
  )
}

/** One notice, read by being opened. */
export default function ResidentNotice() {
  const address = useResidentAddress()
  const [params] = useSearchParams()
  const id = parseId(params.get('id'))
  const kind = params.get('kind') === 'resident' ? 'resident' : 'public'
  if (!address.token || !id) return <ResidentPlaceholder title={title} error={missingResidentToken} />
  return <OpenedNotice address={address} of={{ kind, id }} key={`${kind} ${id}`} />
}
