import { PrintOut } from '#kit/web/print-out.tsx'
import { StoredRichText } from '#kit/web/rich-text/rich-text.tsx'
import { useCall } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { notices, type PublicNotice } from '../contract/notice.ts'
import './notices.css'

interface PrintProps {
  readonly of: readonly PublicNotice[]
  readonly onClose: () => void
}

/** 打印: the notice as it hangs in a lobby, on A4. */
export function NoticePrint({ of: [row], onClose }: PrintProps) {
  const notice = useCall(notices.get, { id: row?.id ?? 0 }, { quiet: true, enabled: row !== undefined }).data
  const companyName = useSession(s => s.signed?.manager.companyName)
  if (!notice) return null
  return (
    <PrintOut width={210} height={297} onDone={onClose}>
      <section className="notice-paper">
        <h1>{notice.title}</h1>
        <StoredRichText html={notice.content} />
        <p className="by">
          {companyName}
          <br />
          {(notice.publishTime ?? notice.createTime)?.slice(0, 10)}
        </p>
      </section>
    </PrintOut>
  )
}
