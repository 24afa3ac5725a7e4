import { Button } from 'antd'
import { useEffect } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { useSend } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { receiptState } from '../contract/choices.ts'
import { confirmNotice, getOwnNotice, markNoticeRead } from '../contract/notice.ts'
import { BackToPortal } from './back-to-portal.tsx'
import { NoticeContent } from './notice-content.tsx'
import './portal.css'

type ShownNotice = NonNullable<typeof getOwnNotice.output.T>

function useMarkRead({ id, receipt }: Pick<ShownNotice, 'id' | 'receipt'>): void {
  const reading = useSend(markNoticeRead, { quiet: true })
  useEffect(() => {
    if (receipt === 'unread') {
      reading.mutateAsync({ id }).catch(() => undefined)
    }
  }, [id, receipt])
}

function ConfirmBar({ notice }: { readonly notice: ShownNotice }) {
  const confirming = useSend(confirmNotice)
  if (!notice.isImportant) return null
  if (notice.receipt === 'confirmed')
    return (
      <footer className="portal-confirm">
        <Status tone="done">
          {labelOf(receiptState, 'confirmed')} {notice.confirmTime?.slice(0, 16)}
        </Status>
      </footer>
    )
  const confirmIt = async (): Promise<void> => {
    await confirming.mutateAsync({ id: notice.id })
    toast.success('已确认已阅')
  }
  return (
    <footer className="portal-confirm">
      <span>该公告需要确认</span>
      <Button
        type="primary"
        size="large"
        loading={confirming.isPending}
        onClick={() => void confirmIt().catch(() => undefined)}
      >
        已阅
      </Button>
    </footer>
  )
}

function OpenedNotice({ notice }: { readonly notice: ShownNotice }) {
  useMarkRead(notice)
  return (
    <div className="portal-page portal-reading">
      <article>
        <BackToPortal />
        <h1>
          {notice.isImportant && <Status tone="bad">重要</Status>} {notice.title}
        </h1>
        <p className="by">
          {notice.publisherName} · {notice.publishTime?.slice(0, 16)}
        </p>
        <NoticeContent of={notice} />
        <ConfirmBar notice={notice} />
      </article>
    </div>
  )
}

/** One notice, to be read; opening it marks it read, 「已阅」 confirms an important one. */
export default function NoticePage() {
  const { record, placeholder } = useAddressedRecord(getOwnNotice, {
    tabTitle: notice => notice.title,
    staleMs: 0,
  })
  return record ? <OpenedNotice key={record.id} notice={record} /> : placeholder
}
